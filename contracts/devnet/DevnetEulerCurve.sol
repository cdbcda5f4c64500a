// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// One side of the curve of EulerSwap's white paper, where the reserve x of a token is below x0:
/// y = y0 + px / py * (x0 - x) * (c + (1 - c) * x0 / x), c of 18 decimals.
struct Branch {
    uint256 px;
    uint256 py;
    uint256 x0;
    uint256 y0;
    uint256 c;
}

/// That curve and its inverse, both rounded up, with the digits that either version of the contracts publishes (CurveLib.sol).
library DevnetEulerCurve {
    uint256 internal constant ONE = 1e18;
    /// What version 2 answers where there is no such reserve.
    uint256 internal constant NONE = type(uint256).max;
    Math.Rounding private constant UP = Math.Rounding.Ceil;

    error Overflow();

    /// The reserve y at x, for 1 <= x <= x0.
    function other(Branch memory b, uint256 x, bool second) internal pure returns (uint256 y) {
        uint256 ahead = b.px * (b.x0 - x);
        uint256 bent = b.c * x + (ONE - b.c) * b.x0;
        if (!second) {
            uint256 worth = Math.mulDiv(ahead, bent, ONE * x, UP);
            if (worth >> 248 != 0) revert Overflow();
            return b.y0 + Math.ceilDiv(worth, b.py);
        }
        if (b.c == ONE) {
            y = b.y0 + Math.ceilDiv(ahead, b.py);
        } else {
            uint256 divisor = ONE * x * b.py;
            (uint256 high,) = Math.mul512(ahead, bent);
            if (high >= divisor) return NONE;
            y = Math.saturatingAdd(b.y0, Math.mulDiv(ahead, bent, divisor, UP));
        }
        if (y > type(uint112).max) y = NONE;
    }

    /// The reserve x at y, for y >= y0.
    function own(Branch memory b, uint256 y, bool second) internal pure returns (uint256) {
        return second ? _ownOfSecond(b, y) : _ownOfFirst(b, y);
    }

    function _ownOfFirst(Branch memory b, uint256 y) private pure returns (uint256) {
        int256 moved = int256(Math.mulDiv(b.py * ONE, y - b.y0, b.px, UP));
        int256 middle = (moved - (2 * int256(b.c) - int256(ONE)) * int256(b.x0)) / int256(ONE);
        uint256 linear = uint256(middle < 0 ? -middle : middle);
        uint256 last = Math.mulDiv(ONE - b.c, b.x0 * b.x0, ONE, UP);
        uint256 root = _rootOfFirst(linear, Math.mulDiv(4 * b.c, last, ONE, UP));
        uint256 x = middle <= 0
            ? Math.mulDiv(linear + root, ONE, 2 * b.c, UP) + 1
            : Math.ceilDiv(2 * last, linear + root) + 1;
        return Math.min(x, b.x0);
    }

    /// Squares of 1e36 and more lose the bits beyond 128 of their root.
    function _rootOfFirst(uint256 linear, uint256 fourAC) private pure returns (uint256) {
        uint256 bits = linear < 1e36 ? 0 : Math.log2(linear) + 1;
        uint256 scale = bits > 128 ? 1 << (bits - 128) : 1;
        uint256 square = Math.mulDiv(linear / scale, linear, scale, UP);
        return Math.sqrt(square + fourAC / (scale * scale), UP) * scale;
    }

    function _ownOfSecond(Branch memory b, uint256 y) private pure returns (uint256 x) {
        uint256 plus = ONE * ((y - b.y0) * b.py + b.x0 * b.px);
        uint256 minus = 2 * b.c * b.x0 * b.px;
        bool negative = plus < minus;
        uint256 linear = negative ? Math.ceilDiv(minus - plus, b.px) : (plus - minus) / b.px;
        uint256 shift = Math.max(_beyond(linear, 127), _beyond(b.x0 * 3814697265625, 109));
        Math.Rounding rounding = negative ? UP : Math.Rounding.Floor;
        uint256 square = _product(linear, linear, shift, rounding);
        uint256 fourAC = _product(4 * b.c * (ONE - b.c), b.x0 * b.x0, shift, rounding);
        uint256 sum = linear + (Math.sqrt(square + fourAC, rounding) << shift);
        if (negative) x = Math.ceilDiv(sum, 2 * b.c);
        else if (sum != 0) x = Math.mulDiv(2 * (ONE - b.c), b.x0 * b.x0, sum, UP);
        if (x > b.x0) --x;
    }

    function _product(uint256 one, uint256 another, uint256 shift, Math.Rounding rounding) private pure returns (uint256) {
        return Math.mulDiv(one, another, 1 << (2 * shift), rounding);
    }

    /// Bits of a number beyond so many.
    function _beyond(uint256 value, uint256 bits) private pure returns (uint256) {
        return value >> bits == 0 ? 0 : Math.log2(value) + 1 - bits;
    }
}
