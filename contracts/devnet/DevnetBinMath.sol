// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// Prices and fees of bins, written from the documented formulas of Liquidity Book 2.1 and 2.2.
library DevnetBinMath {
    uint256 internal constant ONE = 1e18;
    uint256 internal constant BPS = 10_000;
    /// Of 10^18 parts: no fee is above it.
    uint256 internal constant MAX_FEE = 0.1e18;
    /// No bin takes more: (2^256 - 1) / (2 * log(2^128) / log(1.0001)).
    uint256 internal constant MAX_LIQUIDITY = 65251743116719673010965625540244653191619923014385985379600384103134737;

    uint256 private constant SCALE = 1 << 128;
    uint256 private constant LOW_HALF = SCALE - 1;

    /// Base units of Y for one of X in a bin, with 128 fractional bits.
    function priceOf(uint256 id, uint256 binStep) internal pure returns (uint256) {
        bool above = id > 1 << 23;
        uint256 left = above ? id - (1 << 23) : (1 << 23) - id;
        require(left < 0x100000, "no price");
        if (left == 0) return SCALE;
        uint256 power = SCALE;
        uint256 squared = type(uint256).max / (SCALE + (binStep << 128) / BPS);
        for (; left != 0; left >>= 1) {
            if (left & 1 != 0) power = power * squared >> 128;
            squared = squared * squared >> 128;
        }
        require(power != 0, "no price");
        return above ? type(uint256).max / power : power;
    }

    /// What `x` of X is worth in Y.
    function worthInY(uint256 x, uint256 price, bool up) internal pure returns (uint256 y) {
        uint256 low = x * (price & LOW_HALF);
        y = x * (price >> 128) + (low >> 128);
        if (up && low & LOW_HALF != 0) ++y;
    }

    /// What `y` of Y is worth in X.
    function worthInX(uint256 y, uint256 price, bool up) internal pure returns (uint256 x) {
        x = (y << 128) / price;
        if (up && (y << 128) % price != 0) ++x;
    }

    /// What all of `amount` of one token costs of the other, before the fee.
    function costOf(uint256 amount, uint256 price, bool xForY) internal pure returns (uint256) {
        return xForY ? worthInX(amount, price, true) : worthInY(amount, price, true);
    }

    /// The fee within an amount.
    function feeWithin(uint256 amount, uint256 fee) internal pure returns (uint256) {
        require(fee <= MAX_FEE, "fee too large");
        return (amount * fee + ONE - 1) / ONE;
    }

    /// The fee on top of an amount.
    function feeOnTop(uint256 amount, uint256 fee) internal pure returns (uint256) {
        require(fee <= MAX_FEE, "fee too large");
        return (amount * fee + ONE - fee - 1) / (ONE - fee);
    }

    /// How a swap with `left` to go trades in a bin that has `reserve` of what is bought.
    function tradeIn(uint256 reserve, uint256 price, uint256 fee, bool xForY, uint256 left)
        internal
        pure
        returns (uint256 paid, uint256 got, uint256 paidFee)
    {
        uint256 net = costOf(reserve, price, xForY);
        paidFee = feeOnTop(net, fee);
        require(net + paidFee <= type(uint128).max, "too much for a bin");
        if (left >= net + paidFee) return (net + paidFee, reserve, paidFee);
        paidFee = feeWithin(left, fee);
        net = left - paidFee;
        got = xForY ? worthInY(net, price, false) : worthInX(net, price, false);
        return (left, got < reserve ? got : reserve, paidFee);
    }

    function requireRoom(uint256 x, uint256 y, uint256 price) internal pure {
        require(x <= type(uint128).max && y <= type(uint128).max && price * x + (y << 128) <= MAX_LIQUIDITY, "bin is full");
    }
}
