// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IGateway} from "../ExecutorState.sol";
import {PartialFill} from "../Payload.sol";
import {TokenTransfers} from "../TokenTransfers.sol";
import {Trade, VenuePart} from "../VenuePart.sol";

/// A pool of Maverick V2.
interface IMaverickPool {
    struct SwapParams {
        uint256 amount;
        bool tokenAIn;
        bool exactOutput;
        int32 tickLimit;
    }

    /// Without `data` it is paid before; with any it pays first, then calls back for what it is owed.
    function swap(address recipient, SwapParams calldata params, bytes calldata data)
        external
        returns (uint256 amountIn, uint256 amountOut);
}

/// Pools of Maverick V2, sent what is sold and then asked to swap as far as one tick, beyond which they would search without end.
contract MaverickPools is VenuePart {
    using TokenTransfers for address;

    error CostUntold(address pool);
    error SwapAmounts(uint256 amountIn, uint256 amountOut);

    // The highest bit of the detail tells whether token A is sold. The others are the last tick, so much above the lowest.
    uint256 private constant SELLS_A = 1 << 23;
    int256 private constant LOWEST_TICK = -(1 << 22);

    /// Answers what arrived at `trade.to`, whatever the pool says. A pool keeps what it was sent beyond what it takes.
    function _sell(Trade calldata trade, bytes calldata) internal override returns (uint256) {
        (address pool, address bought, address to) = (trade.fill.poolOf(), trade.bought, trade.to);
        uint256 before = bought.balanceOf(to);
        _pay(trade, trade.amount);
        (uint256 taken,) = IMaverickPool(pool).swap(to, _paramsOf(trade, false), "");
        if (taken != trade.amount) revert PartialFill(pool);
        return bought.balanceOf(to) - before;
    }

    /// Has this code swap where it stands by itself, with nothing of the executor's, and take it back.
    function _costOf(Trade calldata trade, bytes calldata) internal override returns (uint256) {
        return MaverickPools(part).costAt(trade.fill.poolOf(), _paramsOf(trade, true));
    }

    function _buy(Trade calldata trade, bytes calldata, uint256 cost) internal override {
        address pool = trade.fill.poolOf();
        _pay(trade, cost);
        (, uint256 made) = IMaverickPool(pool).swap(trade.to, _paramsOf(trade, true), "");
        if (made != trade.amount) revert PartialFill(pool);
    }

    /// What a swap of an exact output costs now. Nothing of it stays.
    function costAt(address pool, IMaverickPool.SwapParams calldata params) external returns (uint256 cost) {
        try IMaverickPool(pool).swap(address(this), params, hex"01") {
            revert CostUntold(pool);
        } catch (bytes memory reason) {
            if (reason.length != 68 || bytes4(reason) != SwapAmounts.selector) {
                assembly ("memory-safe") {
                    revert(add(reason, 32), mload(reason))
                }
            }
            uint256 made;
            assembly ("memory-safe") {
                cost := mload(add(reason, 36))
                made := mload(add(reason, 68))
            }
            if (made != params.amount) revert PartialFill(pool);
        }
    }

    /// Tells who asked for the cost of a swap, and undoes the swap.
    function maverickV2SwapCallback(address, uint256 amountIn, uint256 amountOut, bytes calldata) external pure {
        revert SwapAmounts(amountIn, amountOut);
    }

    function _pay(Trade calldata trade, uint256 amount) private {
        address pool = trade.fill.poolOf();
        if (trade.fromSeller) IGateway(trade.gateway).pull(pool, amount);
        else trade.sold.send(pool, amount);
    }

    function _paramsOf(Trade calldata trade, bool exactOutput) private pure returns (IMaverickPool.SwapParams memory) {
        uint256 detail = trade.fill.detailOf();
        int32 tickLimit = int32(int256(detail & (SELLS_A - 1)) + LOWEST_TICK);
        return IMaverickPool.SwapParams(trade.amount, detail & SELLS_A != 0, exactOutput, tickLimit);
    }
}
