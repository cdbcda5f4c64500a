// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// The stableswap invariant and what follows of it, from the documented formulas.
library DevnetStableMath {
    uint256 private constant FEE_ONE = 1e10;
    uint256 private constant A_PRECISION = 100;

    /// The invariant of scaled balances; NG divides by all balances first.
    function invariant(uint256[] memory xp, uint256 ann, bool ng) internal pure returns (uint256 d) {
        uint256 n = xp.length;
        uint256 sum;
        for (uint256 k = 0; k < n; ++k) sum += xp[k];
        d = sum;
        for (uint256 round = 0; round < 255; ++round) {
            uint256 product = d;
            for (uint256 k = 0; k < n; ++k) product = product * d / (ng ? xp[k] : xp[k] * n);
            if (ng) product /= n ** n;
            uint256 before = d;
            d = (ann * sum / A_PRECISION + product * n) * d
                / ((ann - A_PRECISION) * d / A_PRECISION + (n + 1) * product);
            if (_near(d, before)) return d;
        }
        revert("no invariant found");
    }

    /// What has to be held of `j` for the invariant to be `d`.
    function balanceFor(uint256[] memory xp, uint256 j, uint256 d, uint256 ann)
        internal
        pure
        returns (uint256 y)
    {
        uint256 n = xp.length;
        uint256 c = d;
        uint256 sum;
        for (uint256 k = 0; k < n; ++k) {
            if (k == j) continue;
            sum += xp[k];
            c = c * d / (xp[k] * n);
        }
        c = c * d * A_PRECISION / (ann * n);
        uint256 b = sum + d * A_PRECISION / ann;
        y = d;
        for (uint256 round = 0; round < 255; ++round) {
            uint256 before = y;
            y = (y * y + c) / (2 * y + b - d);
            if (_near(y, before)) return y;
        }
        revert("no balance found");
    }

    /// What a fee is between two mean balances: it grows with their distance.
    function grownFee(uint256 base, uint256 multiplier, uint256 x, uint256 y) internal pure returns (uint256) {
        if (multiplier <= FEE_ONE) return base;
        return multiplier * base / ((multiplier - FEE_ONE) * 4 * x * y / (x + y) ** 2 + FEE_ONE);
    }

    function _near(uint256 a, uint256 b) private pure returns (bool) {
        return a > b ? a - b <= 1 : b - a <= 1;
    }
}
