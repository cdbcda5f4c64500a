// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {TokenTransfers} from "../TokenTransfers.sol";
import {IGateway} from "../ExecutorState.sol";
import {Trade, VenuePart} from "../VenuePart.sol";

/// A pair of Liquidity Book 2.1 or 2.2.
interface ILBPair {
    function getSwapIn(uint128 amountOut, bool swapForY)
        external
        view
        returns (uint128 amountIn, uint128 amountOutLeft, uint128 fee);
    /// What comes out: X in the low half of the word, Y in the high one.
    function swap(bool swapForY, address to) external returns (bytes32 amountsOut);
}

/// Pairs of bins, paid before they are called: detail 1 sells X to one, 0 sells Y to it. They call nobody back.
contract LiquidityBook is VenuePart {
    using TokenTransfers for address;

    error InsufficientLiquidity(address pair);

    function _sell(Trade calldata trade, bytes calldata) internal override returns (uint256) {
        _pay(trade, trade.amount);
        return _swap(trade, trade.to);
    }

    /// As the pair itself says. It may bring more than that.
    function _costOf(Trade calldata trade, bytes calldata) internal view override returns (uint256) {
        address pair = trade.fill.poolOf();
        if (trade.amount > type(uint128).max) revert InsufficientLiquidity(pair);
        (uint128 cost, uint128 left,) = ILBPair(pair).getSwapIn(uint128(trade.amount), _sellsX(trade));
        if (left != 0) revert InsufficientLiquidity(pair);
        return cost;
    }

    function _buy(Trade calldata trade, bytes calldata, uint256 cost) internal override {
        (address bought, uint256 amount) = (trade.bought, trade.amount);
        _pay(trade, cost);
        uint256 got = _swap(trade, address(this));
        if (trade.to != address(this)) bought.send(trade.to, amount);
        // What the last base unit sold brings beyond `amount` is the seller's.
        if (got != amount) _giveBack(trade, bought, got - amount);
    }

    function _pay(Trade calldata trade, uint256 amount) private {
        address pair = trade.fill.poolOf();
        if (trade.fromSeller) IGateway(trade.gateway).pull(pair, amount);
        else trade.sold.send(pair, amount);
    }

    function _swap(Trade calldata trade, address to) private returns (uint256) {
        bool sellsX = _sellsX(trade);
        uint256 amounts = uint256(ILBPair(trade.fill.poolOf()).swap(sellsX, to));
        return sellsX ? amounts >> 128 : uint128(amounts);
    }

    function _sellsX(Trade calldata trade) private pure returns (bool) {
        return trade.fill.detailOf() != 0;
    }
}
