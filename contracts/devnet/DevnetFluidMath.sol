// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// The formulas of Fluid's DEX T1 as its documentation and source give them: what collateral or debt trades with between two
/// prices, and numbers of few digits. Amounts have twelve decimals, prices 27.
library DevnetFluidMath {
    uint256 internal constant ONE = 1e27;

    /// The prices that a pool trades between, and the root of their product.
    struct Range {
        uint256 mean;
        uint256 upper;
        uint256 lower;
    }

    /// Real reserves of both tokens, and those whose product stays the same.
    struct Reserves {
        uint256[2] real;
        uint256[2] imaginary;
    }

    error NoReserves();

    function rangeOf(uint256 center, uint256 above, uint256 below) internal pure returns (Range memory range) {
        range.upper = center * 1e6 / (1e6 - above);
        range.lower = center * (1e6 - below) / 1e6;
        range.mean = root(range.upper * range.lower);
    }

    /// Both tokens change their places where the mean price is one or more.
    function turned(Range memory range) internal pure returns (Range memory) {
        return Range(1e54 / range.mean, 1e54 / range.lower, 1e54 / range.upper);
    }

    function ofCollateral(Range memory range, uint256[2] memory held) internal pure returns (Reserves memory reserves) {
        bool turn = range.mean >= ONE;
        if (turn) range = turned(range);
        (uint256 x, uint256 y) = turn ? (held[1], held[0]) : (held[0], held[1]);
        uint256 width = range.upper - range.mean;
        uint256 half = (range.mean * x + y * ONE) / (2 * width);
        uint256 rest = x * y < 1e50 ? x * y * ONE / width : x * y / width * ONE;
        uint256 more = half + root(rest + half * half);
        uint256 other = y + more * range.mean / ONE;
        more += x;
        (reserves.real, reserves.imaginary) = (held, turn ? [other, more] : [more, other]);
    }

    function ofDebt(Range memory range, uint256[2] memory owed) internal pure returns (Reserves memory reserves) {
        bool turn = range.mean >= ONE;
        if (turn) range = turned(range);
        (uint256 x, uint256 y) = turn ? (owed[1], owed[0]) : (owed[0], owed[1]);
        int256 half = (int256(x * range.mean) - int256(y * ONE)) / int256(2 * ONE);
        uint256 part = x * y < 1e50 ? x * y * range.lower / ONE : x * y / ONE * range.lower;
        uint256 realY = uint256(half + int256(root(part + uint256(half * half))));
        uint256 below = realY * ONE - x * range.lower;
        if (below < 1e6) revert NoReserves();
        uint256 imaginaryY = realY < 1e25 ? realY * realY * ONE / below : realY * realY / (below / ONE);
        uint256 imaginaryX = imaginaryY * x / realY - x;
        uint256 realX = imaginaryX * y / (imaginaryY + y);
        (reserves.real, reserves.imaginary) = turn
            ? ([realY, realX], [imaginaryY, imaginaryX])
            : ([realX, realY], [imaginaryX, imaginaryY]);
    }

    /// A number of some digits with an exponent of eight bits behind them.
    function unpacked(uint256 number) internal pure returns (uint256) {
        return (number >> 8) << (number & 0xff);
    }

    function packed(uint256 value, uint256 bits, bool up) internal pure returns (uint256) {
        uint256 exponent = 0;
        while (value >> exponent >> bits != 0) ++exponent;
        uint256 digits = value >> exponent;
        if (up && digits << exponent != value) ++digits;
        if (digits >> bits != 0) (digits, exponent) = (digits >> 1, exponent + 1);
        return digits << 8 | exponent;
    }

    function root(uint256 value) internal pure returns (uint256 guess) {
        if (value == 0) return 0;
        uint256 bits = 0;
        while (value >> bits != 0) ++bits;
        guess = 1 << (bits + 1) / 2;
        while (true) {
            uint256 next = (guess + value / guess) >> 1;
            if (next >= guess) return guess;
            guess = next;
        }
    }
}
