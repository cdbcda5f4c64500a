// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IGateway} from "../ExecutorState.sol";
import {InvalidPayload, PartialFill} from "../Payload.sol";
import {TokenTransfers} from "../TokenTransfers.sol";
import {EULER_SWAP_POOL, WOOFI_POOL} from "../VenueCodes.sol";
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

/// Pools of EulerSwap, whose token 0 has the lower address. A swap pays first and then takes what the pool has been sent.
interface IEulerSwapPool {
    function computeQuote(address sold, address bought, uint256 amount, bool exactIn) external view returns (uint256);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

/// Pools that are sent what is sold and then asked to swap: WOOFi's, DODO V2's and EulerSwap's.
contract PaidPools is VenuePart {
    using TokenTransfers for address;

    uint256 private constant SELLS_QUOTE = 0;

    /// Answers what arrived at `trade.to`, whatever the pool says.
    function _sell(Trade calldata trade, bytes calldata) internal override returns (uint256) {
        (address pool, address bought, address to) = (trade.fill.poolOf(), trade.bought, trade.to);
        uint256 before = bought.balanceOf(to);
        _pay(trade, trade.amount);
        if (trade.fill.venueOf() == WOOFI_POOL) {
            IWooPool(pool).swap(trade.sold, bought, trade.amount, 0, to, address(0));
        } else if (trade.fill.venueOf() == EULER_SWAP_POOL) {
            _swap(trade, IEulerSwapPool(pool).computeQuote(trade.sold, bought, trade.amount, true));
        } else if (trade.fill.detailOf() == SELLS_QUOTE) {
            IDodoPool(pool).sellQuote(to);
        } else {
            IDodoPool(pool).sellBase(to);
        }
        return bought.balanceOf(to) - before;
    }

    /// As a pool of EulerSwap itself says, a base unit at the least. The others have no exact outputs.
    function _costOf(Trade calldata trade, bytes calldata) internal view override returns (uint256 cost) {
        _assertExactOut(trade);
        cost = IEulerSwapPool(trade.fill.poolOf()).computeQuote(trade.sold, trade.bought, trade.amount, false);
        if (cost == 0) cost = 1;
    }

    function _buy(Trade calldata trade, bytes calldata, uint256 cost) internal override {
        _assertExactOut(trade);
        (address bought, address to) = (trade.bought, trade.to);
        uint256 before = bought.balanceOf(to);
        _pay(trade, cost);
        _swap(trade, trade.amount);
        if (bought.balanceOf(to) - before < trade.amount) revert PartialFill(trade.fill.poolOf());
    }

    function _assertExactOut(Trade calldata trade) private pure {
        if (trade.fill.venueOf() != EULER_SWAP_POOL) revert InvalidPayload();
    }

    function _pay(Trade calldata trade, uint256 amount) private {
        address pool = trade.fill.poolOf();
        if (trade.fromSeller) IGateway(trade.gateway).pull(pool, amount);
        else trade.sold.send(pool, amount);
    }

    function _swap(Trade calldata trade, uint256 amount) private {
        (uint256 out0, uint256 out1) = trade.sold < trade.bought ? (uint256(0), amount) : (amount, uint256(0));
        IEulerSwapPool(trade.fill.poolOf()).swap(out0, out1, trade.to, "");
    }
}
