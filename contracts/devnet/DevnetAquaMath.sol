// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// One trade while a program runs: the balances that it trades on, and amounts without the fees taken so far.
struct Trade {
    address maker;
    bytes32 orderHash;
    address tokenIn;
    address tokenOut;
    bool exactIn;
    bool isQuote;
    uint256 balanceIn;
    uint256 balanceOut;
    uint256 amountIn;
    uint256 amountOut;
}

/// Curves of the published kinds of strategies, by their formulas: a constant product, over a price range or not, and pegged tokens.
library DevnetAquaMath {
    uint256 private constant ONE = 1e18;
    uint256 private constant PEGGED_ONE = 1e27;

    error Halted();

    struct Pegged {
        uint256 soldReference;
        uint256 boughtReference;
        uint256 soldRate;
        uint256 boughtRate;
        uint256 width;
        uint256 sum;
    }

    function product(Trade memory trade) internal pure {
        if (trade.balanceIn == 0 || trade.balanceOut == 0) revert Halted();
        if (trade.exactIn) {
            trade.amountOut = trade.amountIn * trade.balanceOut / (trade.balanceIn + trade.amountIn);
        } else {
            trade.amountIn = Math.ceilDiv(trade.amountOut * trade.balanceIn, trade.balanceOut - trade.amountOut);
        }
    }

    /// Raises the balances by the virtual ones of a range of prices of the first token in the second.
    function range(Trade memory trade, uint256 sqrtMin, uint256 sqrtMax) internal pure {
        bool sellsFirst = trade.tokenIn < trade.tokenOut;
        (uint256 x, uint256 y) =
            sellsFirst ? (trade.balanceIn, trade.balanceOut) : (trade.balanceOut, trade.balanceIn);
        uint256 liquidity = _liquidity(x, y, sqrtMin, sqrtMax);
        if (sellsFirst) {
            trade.balanceIn += Math.ceilDiv(liquidity * ONE, sqrtMax);
            trade.balanceOut += Math.mulDiv(liquidity, sqrtMin, ONE);
        } else {
            trade.balanceIn += Math.ceilDiv(liquidity * sqrtMin, ONE);
            trade.balanceOut += Math.mulDiv(liquidity, ONE, sqrtMax);
        }
    }

    /// The positive root of (1 - min / max) L^2 - (x min + y / max) L - x y = 0.
    function _liquidity(uint256 x, uint256 y, uint256 sqrtMin, uint256 sqrtMax) private pure returns (uint256) {
        uint256 width = ONE - Math.mulDiv(sqrtMin, ONE, sqrtMax);
        uint256 held = Math.mulDiv(x, sqrtMin, ONE) + Math.mulDiv(y, ONE, sqrtMax);
        uint256 square = held * held + Math.mulDiv(4 * width, x, ONE) * y;
        return Math.mulDiv(held + Math.sqrt(square), ONE, 2 * width);
    }

    /// Keeps sqrt(u) + sqrt(v) + a (u + v) for balances u and v in parts of their references. `terms`: the references, a, the rates.
    function pegged(Trade memory trade, uint256[5] memory terms) internal pure {
        bool sellsFirst = trade.tokenIn < trade.tokenOut;
        Pegged memory side = Pegged({
            soldReference: terms[sellsFirst ? 0 : 1],
            boughtReference: terms[sellsFirst ? 1 : 0],
            soldRate: terms[sellsFirst ? 3 : 4],
            boughtRate: terms[sellsFirst ? 4 : 3],
            width: terms[2],
            sum: 0
        });
        uint256 sold = trade.balanceIn * side.soldRate;
        uint256 bought = trade.balanceOut * side.boughtRate;
        uint256 u = sold * PEGGED_ONE / side.soldReference;
        uint256 v = bought * PEGGED_ONE / side.boughtReference;
        side.sum = Math.sqrt(u * PEGGED_ONE) + Math.sqrt(v * PEGGED_ONE) + side.width * (u + v) / PEGGED_ONE;
        if (trade.exactIn) {
            uint256 after_ = (sold + trade.amountIn * side.soldRate) * PEGGED_ONE / side.soldReference;
            uint256 left = Math.ceilDiv(_solve(side, after_) * side.boughtReference, PEGGED_ONE);
            trade.amountOut = (bought - left) / side.boughtRate;
        } else {
            uint256 after_ = (bought - trade.amountOut * side.boughtRate) * PEGGED_ONE / side.boughtReference;
            uint256 needed = Math.ceilDiv(_solve(side, after_) * side.soldReference, PEGGED_ONE);
            trade.amountIn = Math.ceilDiv(needed - sold, side.soldRate);
        }
    }

    /// The other balance v = w^2, by the positive root of a w^2 + w = rest.
    function _solve(Pegged memory side, uint256 u) private pure returns (uint256) {
        uint256 rest = side.sum - (Math.sqrt(u * PEGGED_ONE) + side.width * u / PEGGED_ONE);
        if (side.width == 0) return rest * rest / PEGGED_ONE;
        uint256 square = PEGGED_ONE + 4 * side.width * rest / PEGGED_ONE;
        uint256 root = Math.sqrt(square * PEGGED_ONE, Math.Rounding.Ceil);
        uint256 w = 2 * rest * PEGGED_ONE / (PEGGED_ONE + root);
        return w * w / PEGGED_ONE;
    }
}
