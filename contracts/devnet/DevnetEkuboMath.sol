// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {DevnetClMath} from "./DevnetClMath.sol";

/// Prices, ticks and steps of Ekubo's pools, written from the documented formulas and the roundings that src/pools/ekubo has.
/// Prices are square roots with 128 fractional bits, of which 62 to 94 are kept.
library DevnetEkuboMath {
    int32 internal constant MAX_TICK = 88722835;
    uint256 internal constant MIN_RATIO = 18447191164202170524;
    uint256 internal constant MAX_RATIO = 6276949602062853172742588666607187473671941430179807625216;

    uint256 private constant ONE = 1 << 64;
    uint256 private constant Q128 = 1 << 128;
    /// A price that no pool has liquidity for.
    uint256 private constant BEYOND = 1 << 200;

    error AmountTooLarge();

    struct Step {
        uint256 ratio;
        uint256 amountIn;
        uint256 amountOut;
    }

    /// How many of the lowest bits of a price are dropped.
    function _dropped(uint256 ratio) private pure returns (uint256) {
        if (ratio >> 96 == 0) return 2;
        if (ratio >> 128 == 0) return 34;
        if (ratio >> 160 == 0) return 66;
        if (ratio >> 192 == 0) return 98;
        revert AmountTooLarge();
    }

    /// The price as pools keep it.
    function kept(uint256 ratio, bool up) internal pure returns (uint256) {
        unchecked {
            uint256 bits = _dropped(ratio);
            if (up) {
                ratio += (1 << bits) - 1;
                // Rounding may lead into the region above, whose prices are multiples of more.
                if (_dropped(ratio) != bits) bits += 32;
            }
            return ratio >> bits << bits;
        }
    }

    /// 96 bits for a price: its region in the two highest.
    function packed(uint256 ratio) internal pure returns (uint256) {
        uint256 bits = _dropped(ratio);
        return (bits / 32) << 94 | ratio >> bits;
    }

    function unpacked(uint256 word) internal pure returns (uint256) {
        return (word & ((1 << 94) - 1)) << (2 + 32 * (word >> 94));
    }

    /// sqrt(1.000001^tick).
    function ratioAt(int32 tick) internal pure returns (uint256) {
        uint256 left = tick < 0 ? uint256(-int256(tick)) : uint256(int256(tick));
        require(left <= uint256(int256(MAX_TICK)), "no tick");
        // 2^128 * sqrt(1.000001)^-(2^i), the lowest bit first.
        uint128[27] memory factors = [
            0xfffff79c8499329c7cbb2510d893283b, 0xffffef390978c398134b4ff3764fe410,
            0xffffde72140b00a354bd3dc828e976c9, 0xffffbce42c7be6c998ad6318193c0b18,
            0xffff79c86a8f6150a32d9778eceef97c, 0xfffef3911b7cff24ba1b3dbb5f8f5974,
            0xfffde72350725cc4ea8feece3b5f13c8, 0xfffbce4b06c196e9247ac87695d53c60,
            0xfff79ca7a4d1bf1ee8556cea23cdbaa5, 0xffef3995a5b6a6267530f207142a5764,
            0xffde7444b28145508125d10077ba83b8, 0xffbceceeb791747f10df216f2e53ec57,
            0xff79eb706b9a64c6431d76e63531e929, 0xfef41d1a5f2ae3a20676bec6f7f9459a,
            0xfde95287d26d81bea159c37073122c73, 0xfbd701c7cbc4c8a6bb81efd232d1e4e7,
            0xf7bf5211c72f5185f372aeb1d48f937e, 0xefc2bf59df33ecc28125cf78ec4f167f,
            0xe08d35706200796273f0b3a981d90cfd, 0xc4f76b68947482dc198a48a54348c4ed,
            0x978bcb9894317807e5fa4498eee7c0fa, 0x59b63684b86e9f486ec54727371ba6ca,
            0x1f703399d88f6aa83a28b22d4a1f56e3, 0x3dc5dac7376e20fc8679758d1bcdcfc,
            0xee7e32d61fdb0a5e622b820f681d0, 0xde2ee4bc381afa7089aa84bb66, 0xc0d55d4d7152c25fb139
        ];
        unchecked {
            uint256 ratio = Q128;
            for (uint256 i = 0; left != 0; (left >>= 1, ++i)) if (left & 1 != 0) ratio = ratio * factors[i] >> 128;
            return kept(tick > 0 ? type(uint256).max / ratio : ratio, false);
        }
    }

    /// The greatest tick of which the price is not above `ratio`.
    function tickAt(uint256 ratio) internal pure returns (int32 tick) {
        require(ratio >= MIN_RATIO && ratio <= MAX_RATIO, "no price");
        unchecked {
            // log2 of the price's square root in 64 fractional bits, by repeated squaring of what is left below two.
            uint256 bits = highestBit(ratio);
            uint256 rest = bits > 127 ? ratio >> (bits - 127) : ratio << (127 - bits);
            int256 log = (int256(bits) - 128) * int256(ONE);
            for (uint256 bit = 63; bit > 38; --bit) {
                rest = rest * rest >> 127;
                if (rest >> 128 != 0) {
                    log |= int256(1 << bit);
                    rest >>= 1;
                }
            }
            // 2^64 / log2(sqrt(1.000001)); the 25 bits tell the tick within one.
            tick = int32(log * 25572630076711825471857579 >> 128);
            if (tick > MAX_TICK) tick = MAX_TICK;
            while (tick < MAX_TICK && ratioAt(tick + 1) <= ratio) ++tick;
            while (ratioAt(tick) > ratio) --tick;
        }
    }

    function highestBit(uint256 word) internal pure returns (uint256 bit) {
        for (uint256 half = 128; half != 0; half >>= 1) {
            if (word >> half != 0) (word, bit) = (word >> half, bit + half);
        }
    }

    function amount0(uint256 low, uint256 high, uint256 liquidity, bool up) internal pure returns (uint256) {
        uint256 scaled = liquidity << 128;
        if (!up) return _counted(DevnetClMath.mulDiv(scaled, high - low, high) / low);
        return _counted(DevnetClMath.divUp(DevnetClMath.mulDivUp(scaled, high - low, high), low));
    }

    function amount1(uint256 low, uint256 high, uint256 liquidity, bool up) internal pure returns (uint256) {
        if (!up) return _counted(DevnetClMath.mulDiv(liquidity, high - low, Q128));
        return _counted(DevnetClMath.mulDivUp(liquidity, high - low, Q128));
    }

    /// A step from `ratio` towards `target` with `left` to sell or to buy.
    function step(uint256 ratio, uint256 target, uint256 liquidity, uint256 left, uint256 fee, bool down, bool sells)
        internal
        pure
        returns (Step memory made)
    {
        uint256 net = sells ? left - ((left * fee + ONE - 1) >> 64) : left;
        made.ratio = sells ? _afterInput(down, ratio, liquidity, net) : _afterOutput(down, ratio, liquidity, net);
        bool cut = down ? made.ratio < target : made.ratio > target;
        if (cut) made.ratio = target;
        (uint256 low, uint256 high) = made.ratio < ratio ? (made.ratio, ratio) : (ratio, made.ratio);
        (made.amountIn, made.amountOut) = (left, left);
        if (sells && !cut && made.ratio == ratio) {
            made.amountOut = 0;
            return made;
        }
        if (sells || cut) {
            made.amountOut = down ? amount1(low, high, liquidity, false) : amount0(low, high, liquidity, false);
        }
        if (!sells || cut) {
            uint256 paid = down ? amount0(low, high, liquidity, true) : amount1(low, high, liquidity, true);
            made.amountIn = _counted(DevnetClMath.divUp(paid << 64, ONE - fee));
        }
    }

    function _afterInput(bool down, uint256 ratio, uint256 liquidity, uint256 net) private pure returns (uint256) {
        if (down) {
            if (net == 0) return ratio;
            uint256 scaled = liquidity << 128;
            return kept(DevnetClMath.divUp(scaled, scaled / ratio + net), true);
        }
        uint256 next = ratio + (net << 128) / liquidity;
        return next >> 192 != 0 ? BEYOND : kept(next, false);
    }

    function _afterOutput(bool down, uint256 ratio, uint256 liquidity, uint256 amount) private pure returns (uint256) {
        if (down) {
            uint256 fall = DevnetClMath.divUp(amount << 128, liquidity);
            return fall < ratio ? kept(ratio - fall, false) : 0;
        }
        uint256 scaled = liquidity << 128;
        if (amount > type(uint256).max / ratio || ratio * amount >= scaled) return BEYOND;
        uint256 next = DevnetClMath.mulDivUp(scaled, ratio, scaled - ratio * amount);
        return next > (1 << 192) - (1 << 98) ? BEYOND : kept(next, true);
    }

    function _counted(uint256 amount) private pure returns (uint256) {
        if (amount >> 128 != 0) revert AmountTooLarge();
        return amount;
    }
}
