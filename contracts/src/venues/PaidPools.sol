// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IGateway} from "../ExecutorState.sol";
import {TokenTransfers} from "../TokenTransfers.sol";
import {WOOFI_POOL} from "../VenueCodes.sol";
import {Trade, VenuePart} from "../VenuePart.sol";

/// WOOFi's WooPPV2.
interface IWooPool {
    function swap(
        address fromToken,
        address toToken,
        uint256 fromAmount,
        uint256 minToAmount,
        address to,
        address rebateTo
    ) external returns (uint256);
}

/// Pools of DODO V2, which take what they hold beyond their reserves.
interface IDodoPool {
    function sellBase(address to) external returns (uint256);
    function sellQuote(address to) external returns (uint256);
}

/// Pools that are sent what is sold and then asked to swap: WOOFi's and DODO V2's.
contract PaidPools is VenuePart {
    using TokenTransfers for address;

    uint256 private constant SELLS_QUOTE = 0;

    /// Answers what arrived at `trade.to`, whatever the pool says.
    function _sell(Trade calldata trade, bytes calldata) internal override returns (uint256) {
        (address pool, address bought, address to) = (trade.fill.poolOf(), trade.bought, trade.to);
        uint256 before = bought.balanceOf(to);
        if (trade.fromSeller) IGateway(trade.gateway).pull(pool, trade.amount);
        else trade.sold.send(pool, trade.amount);
        if (trade.fill.venueOf() == WOOFI_POOL) {
            IWooPool(pool).swap(trade.sold, bought, trade.amount, 0, to, address(0));
        } else if (trade.fill.detailOf() == SELLS_QUOTE) {
            IDodoPool(pool).sellQuote(to);
        } else {
            IDodoPool(pool).sellBase(to);
        }
        return bought.balanceOf(to) - before;
    }
}
