// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// Virtual reserves of Gyroscope's 2-CLP and 3-CLP and swaps between them, from the documented formulas. 18 decimals.
library DevnetGyroMath {
    error NotFound();
    error AssetBoundsExceeded();

    uint256 internal constant ONE = 1e18;
    uint256 private constant MAX_INVARIANT = 1e34;
    uint256 private constant MAX_BALANCE = 1e29;
    uint256 private constant SIMPLE_BELOW = 2e31;

    struct Cubic {
        uint256 root3Alpha;
        uint256 b;
        uint256 c;
        uint256 d;
        uint256 lowest;
    }

    function mulDown(uint256 a, uint256 b) internal pure returns (uint256) {
        return a * b / ONE;
    }

    function mulUp(uint256 a, uint256 b) internal pure returns (uint256) {
        return Math.ceilDiv(a * b, ONE);
    }

    function divDown(uint256 a, uint256 b) internal pure returns (uint256) {
        return a * ONE / b;
    }

    function divUp(uint256 a, uint256 b) internal pure returns (uint256) {
        return Math.ceilDiv(a * ONE, b);
    }

    /// Seven of Newton's steps; the square may be off by five of the root's last digits.
    function root(uint256 value) internal pure returns (uint256 found) {
        if (value == 0) return 0;
        if (value >= ONE) {
            found = (1 << (Math.log2(value / ONE) / 2)) * ONE;
        } else {
            uint256 power = 10;
            while (power < value) power *= 10;
            found = power == ONE ? value : Math.sqrt(power * ONE);
        }
        for (uint256 round = 0; round < 7; ++round) found = (found + value * ONE / found) / 2;
        uint256 square = mulDown(found, found);
        uint256 off = mulUp(found, 5);
        if (square > value + off || square < value - off) revert NotFound();
    }

    /// What is added to either balance between two prices.
    function offsets(uint256 x, uint256 y, uint256 sqrtAlpha, uint256 sqrtBeta)
        internal
        pure
        returns (uint256, uint256)
    {
        uint256 a = ONE - divDown(sqrtAlpha, sqrtBeta);
        uint256 c = mulDown(x, y);
        uint256 square = mulDown(mulDown(mulDown(x, x), sqrtAlpha), sqrtAlpha)
            + divDown(mulDown(mulDown(c, 2 * ONE), sqrtAlpha), sqrtBeta)
            + divDown(mulDown(y, y), mulUp(sqrtBeta, sqrtBeta));
        uint256 b = divDown(y, sqrtBeta) + mulDown(x, sqrtAlpha);
        uint256 invariant = divDown(b + root(square + mulDown(mulDown(c, 4 * ONE), a)), mulUp(a, 2 * ONE));
        return (divDown(invariant, sqrtBeta), mulDown(invariant, sqrtAlpha));
    }

    /// What is added to each of three balances above one price; the first two are those that are traded.
    function offset(uint256 x, uint256 y, uint256 z, uint256 root3Alpha) internal pure returns (uint256) {
        if (x > MAX_BALANCE || y > MAX_BALANCE || z > MAX_BALANCE) revert AssetBoundsExceeded();
        Cubic memory cubic;
        cubic.root3Alpha = root3Alpha;
        cubic.b = mulDown(mulDown(x + y + z, root3Alpha), root3Alpha);
        cubic.c = mulDown(mulDown(x, y) + mulDown(y, z) + mulDown(z, x), root3Alpha);
        cubic.d = mulDown(mulDown(x, y), z);
        uint256 cube = _timesCube(ONE, root3Alpha);
        uint256 a = ONE - cube;
        uint256 minimum = divUp(cubic.b + root(mulUp(cubic.b, cubic.b) + mulUp(a, cubic.c * 3)), a * 3);
        cubic.lowest = mulUp(minimum, 1.3e18);
        return mulDown(_largestRoot(cubic, mulUp(minimum, cube >= ONE / 2 ? 1.5e18 : 2e18)), root3Alpha);
    }

    /// Payment for an amount between two balances with what is added to them.
    function paid(uint256 sold, uint256 bought, uint256 amount, uint256 offsetIn, uint256 offsetOut)
        internal
        pure
        returns (uint256 out)
    {
        uint256 over = sold + mulUp(offsetIn, ONE + 2);
        out = divDown(mulDown(bought + mulDown(offsetOut, ONE - 1), amount), over + amount);
        if (out > bought) revert AssetBoundsExceeded();
    }

    /// Cost of an amount.
    function cost(uint256 sold, uint256 bought, uint256 amount, uint256 offsetIn, uint256 offsetOut)
        internal
        pure
        returns (uint256)
    {
        if (amount > bought) revert AssetBoundsExceeded();
        uint256 under = bought + mulDown(offsetOut, ONE - 1);
        return divUp(mulUp(sold + mulUp(offsetIn, ONE + 2), amount), under - amount);
    }

    function _largestRoot(Cubic memory cubic, uint256 start) private pure returns (uint256 found) {
        found = start;
        uint256 before;
        for (uint256 round = 0; round < 255; ++round) {
            if (found > MAX_INVARIANT || found < cubic.lowest) revert NotFound();
            (uint256 plus, uint256 minus) = _step(cubic, found);
            uint256 size = plus > minus ? plus - minus : minus - plus;
            if (size <= 1 || (round >= 5 && (plus >= minus || size >= before / 8))) return found;
            before = size;
            found = found + plus - minus;
        }
        revert NotFound();
    }

    function _step(Cubic memory cubic, uint256 at) private pure returns (uint256 plus, uint256 minus) {
        uint256 square = mulDown(at, at);
        uint256 slope = mulDown(at * 3, at);
        slope = slope - _timesCube(slope, cubic.root3Alpha) - 2 * mulDown(at, cubic.b) - cubic.c;
        if (at <= SIMPLE_BELOW) {
            uint256 cubed = mulDown(square, at);
            minus = divDown(cubed - _timesCube(cubed, cubic.root3Alpha), slope);
            plus = divDown(mulDown(square, cubic.b) + mulDown(at, cubic.c), slope);
        } else {
            uint256 cubed = _inParts(square, at);
            uint256 r = cubic.root3Alpha;
            minus = _divLarge(cubed - _inParts(_inParts(_inParts(cubed, r), r), r), slope, 1e9);
            plus = _divLarge(_inParts(square, cubic.b) + mulDown(cubic.c, at), slope, 1e12);
        }
        plus += divDown(cubic.d, slope);
    }

    function _timesCube(uint256 value, uint256 by) private pure returns (uint256) {
        return mulDown(mulDown(mulDown(value, by), by), by);
    }

    function _inParts(uint256 a, uint256 b) private pure returns (uint256) {
        return a / ONE * b + mulDown(a % ONE, b);
    }

    function _divLarge(uint256 a, uint256 b, uint256 digits) private pure returns (uint256) {
        return a * digits / (1 + (b - 1) / (ONE / digits));
    }
}
