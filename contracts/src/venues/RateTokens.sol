// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {InvalidPayload} from "../Payload.sol";
import {TokenTransfers} from "../TokenTransfers.sol";
import {Trade, VenuePart} from "../VenuePart.sol";

/// Lido's wstETH, and what is like it.
interface IRateToken {
    function wrap(uint256 amount) external;
    function unwrap(uint256 amount) external;
}

/// Tokens that stand for another at a rate: into one, or out of it.
contract RateTokens is VenuePart {
    using TokenTransfers for address;

    function _sell(Trade calldata trade, bytes calldata) internal override returns (uint256) {
        (address token, uint256 amount) = (trade.fill.poolOf(), trade.amount);
        (address sold, address bought) = (trade.sold, trade.bought);
        _draw(trade, amount);
        uint256 before = bought.balanceOf(address(this));
        if (sold == token) {
            IRateToken(token).unwrap(amount);
        } else {
            if (bought != token) revert InvalidPayload();
            sold.approve(token, amount);
            IRateToken(token).wrap(amount);
            _assertDrawn(sold, token);
        }
        return _passOn(bought, before, trade.to);
    }
}
