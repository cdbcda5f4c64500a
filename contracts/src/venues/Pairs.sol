// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Fill} from "../Payload.sol";
import {SOLIDLY_POOL, V2_PAIR} from "../VenueCodes.sol";

interface IUniswapV2Pair {
    function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

interface ISolidlyPool {
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
}

/// Pairs of Uniswap V2's and Solidly's kinds: paid first, then asked to swap. Compiled into the executor.
library Pairs {
    error InsufficientLiquidity(address pool);

    uint256 private constant PPM = 1_000_000;

    function isPair(uint256 venue) internal pure returns (bool) {
        return venue == V2_PAIR || venue == SOLIDLY_POOL;
    }

    /// Swaps `amount` that is at the pair already.
    function sell(Fill fill, address sold, bool zeroForOne, uint256 amount, address to)
        internal
        returns (uint256 bought)
    {
        address pair = fill.poolOf();
        if (fill.venueOf() == SOLIDLY_POOL) {
            bought = ISolidlyPool(pair).getAmountOut(amount, sold);
        } else {
            (uint256 reserveIn, uint256 reserveOut) = _reserves(pair, zeroForOne);
            uint256 afterFee = amount * (PPM - fill.detailOf());
            bought = afterFee * reserveOut / (reserveIn * PPM + afterFee);
        }
        swap(pair, zeroForOne, bought, to);
    }

    /// What it costs to buy `amount`.
    function costOf(Fill fill, bool zeroForOne, uint256 amount) internal view returns (uint256) {
        address pool = fill.poolOf();
        (uint256 reserveIn, uint256 reserveOut) = _reserves(pool, zeroForOne);
        if (amount >= reserveOut) revert InsufficientLiquidity(pool);
        uint256 left = reserveOut - amount;
        // A pair's router rounds once; a Solidly pool takes its fee out first, and is volatile here: a stable one refuses
        // what this gives it.
        return fill.venueOf() == V2_PAIR
            ? reserveIn * amount * PPM / (left * (PPM - fill.detailOf())) + 1
            : ((reserveIn * amount + left - 1) / left - 1) * PPM / (PPM - fill.detailOf()) + 1;
    }

    function swap(address pair, bool zeroForOne, uint256 bought, address to) internal {
        (uint256 out0, uint256 out1) = zeroForOne ? (uint256(0), bought) : (bought, uint256(0));
        IUniswapV2Pair(pair).swap(out0, out1, to, "");
    }

    function _reserves(address pair, bool zeroForOne) private view returns (uint256 reserveIn, uint256 reserveOut) {
        (uint112 reserve0, uint112 reserve1,) = IUniswapV2Pair(pair).getReserves();
        return zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
    }
}
