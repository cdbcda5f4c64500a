// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {NATIVE_TOKEN, TokenTransfers} from "../TokenTransfers.sol";
import {fluidPoolPool} from "../VenueCodes.sol";
import {Trade, VenuePart} from "../VenuePart.sol";

/// A pool of Fluid's DEX T1.
interface IFluidPool {
    /// What a swap for nobody tells: what it pays, or costs.
    error FluidDexSwapResult(uint256 amount);

    function swapIn(bool swap0to1, uint256 amountIn, uint256 amountOutMin, address to)
        external
        payable
        returns (uint256);
    function swapOut(bool swap0to1, uint256 amountOut, uint256 amountInMax, address to)
        external
        payable
        returns (uint256);
}

/// Pools of Fluid's DEX T1: they draw what is sold by an approval, native token is sent along, and the Liquidity layer pays.
contract FluidPools is VenuePart {
    using TokenTransfers for address;

    error CostUntold(address pool);

    // Of the detail the first byte tells the direction, the others the digits beyond twelve of what is bought, or ONE_MORE.

    /// Collateral and debt pay a part each, rounded down: one base unit more is asked for.
    uint256 private constant ONE_MORE = 255;

    /// A swap for this receiver reverts with its amount.
    address private constant NOBODY = 0x000000000000000000000000000000000000dEaD;

    /// Answers what arrived at `trade.to`, whatever the pool says.
    function _sell(Trade calldata trade, bytes calldata more) internal override returns (uint256) {
        (address pool, address bought) = (fluidPoolPool(more), trade.bought);
        uint256 before = bought.balanceOf(trade.to);
        uint256 value = _pay(trade, pool, trade.amount);
        IFluidPool(pool).swapIn{value: value}(_sells0(trade), trade.amount, 0, trade.to);
        if (value == 0) _assertDrawn(trade.sold, pool);
        return bought.balanceOf(trade.to) - before;
    }

    function _costOf(Trade calldata trade, bytes calldata more) internal override returns (uint256 cost) {
        address pool = fluidPoolPool(more);
        try IFluidPool(pool).swapOut(_sells0(trade), _askedFor(trade), 0, NOBODY) returns (uint256) {
            revert CostUntold(pool);
        } catch (bytes memory reason) {
            if (reason.length != 36 || bytes4(reason) != IFluidPool.FluidDexSwapResult.selector) {
                assembly ("memory-safe") {
                    revert(add(reason, 32), mload(reason))
                }
            }
            assembly ("memory-safe") {
                cost := mload(add(reason, 36))
            }
        }
    }

    /// What comes beyond `trade.amount` is the seller's.
    function _buy(Trade calldata trade, bytes calldata more, uint256 cost) internal override {
        (address pool, address bought, uint256 amount) = (fluidPoolPool(more), trade.bought, trade.amount);
        uint256 asked = _askedFor(trade);
        address to = asked == amount ? trade.to : address(this);
        uint256 before = bought.balanceOf(to);
        uint256 value = _pay(trade, pool, cost);
        IFluidPool(pool).swapOut{value: value}(_sells0(trade), asked, cost, to);
        if (value == 0) _assertDrawn(trade.sold, pool);
        uint256 got = bought.balanceOf(to) - before;
        if (asked == amount) return;
        if (trade.to != address(this)) bought.send(trade.to, amount);
        _giveBack(trade, bought, got - amount);
    }

    /// Has the pool draw `amount`; answers what of native token is to be sent along.
    function _pay(Trade calldata trade, address pool, uint256 amount) private returns (uint256) {
        if (trade.sold == NATIVE_TOKEN) return amount;
        _draw(trade, amount);
        trade.sold.approve(pool, amount);
        return 0;
    }

    /// What is asked for, so that at least `trade.amount` is paid: a pool counts in twelve decimals.
    function _askedFor(Trade calldata trade) private pure returns (uint256) {
        uint256 digits = trade.fill.detailOf() & 0xffff;
        if (digits == ONE_MORE) return trade.amount + 1;
        uint256 unit = 10 ** digits;
        return (trade.amount + unit - 1) / unit * unit;
    }

    function _sells0(Trade calldata trade) private pure returns (bool) {
        return trade.fill.detailOf() >> 16 != 0;
    }
}
