// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// Prices, ticks and steps of concentrated liquidity, written from the documented formulas of Uniswap V3's whitepaper and
/// the roundings that src/math has.
library DevnetClMath {
    int24 internal constant MAX_TICK = 887272;
    uint160 internal constant MIN_PRICE = 4295128739;
    uint160 internal constant MAX_PRICE = 1461446703485210103287273052203988822378723970342;
    uint256 internal constant PPM = 1_000_000;

    uint256 private constant Q96 = 1 << 96;

    /// One stretch of constant liquidity that a swap goes through.
    struct Step {
        uint160 price;
        uint256 amountIn;
        uint256 amountOut;
        uint256 fee;
    }

    /// a * b / c over 512 bits.
    function mulDiv(uint256 a, uint256 b, uint256 c) internal pure returns (uint256 result) {
        unchecked {
            uint256 low = a * b;
            uint256 high;
            assembly ("memory-safe") {
                let mm := mulmod(a, b, not(0))
                high := sub(sub(mm, low), lt(mm, low))
            }
            if (high == 0) return low / c;
            require(high < c, "too large");
            uint256 rest = mulmod(a, b, c);
            if (rest > low) --high;
            low -= rest;
            uint256 power = c & (0 - c);
            c /= power;
            low = low / power | high * ((0 - power) / power + 1);
            // Newton's iteration doubles the right bits of the inverse: 4 at first, 256 after six.
            uint256 inverse = 3 * c ^ 2;
            for (uint256 i = 0; i < 6; ++i) inverse *= 2 - c * inverse;
            return low * inverse;
        }
    }

    function mulDivUp(uint256 a, uint256 b, uint256 c) internal pure returns (uint256 result) {
        result = mulDiv(a, b, c);
        if (mulmod(a, b, c) != 0) ++result;
    }

    function divUp(uint256 a, uint256 b) internal pure returns (uint256) {
        return a / b + (a % b == 0 ? 0 : 1);
    }

    /// sqrt(1.0001^tick) with 96 fractional bits.
    function priceAt(int24 tick) internal pure returns (uint160) {
        uint256 left = tick < 0 ? uint256(-int256(tick)) : uint256(int256(tick));
        require(left <= uint256(int256(MAX_TICK)), "no tick");
        // 2^128 * sqrt(1.0001)^-(2^i), the lowest bit first.
        uint128[20] memory factors = [
            0xfffcb933bd6fad37aa2d162d1a594001, 0xfff97272373d413259a46990580e213a,
            0xfff2e50f5f656932ef12357cf3c7fdcc, 0xffe5caca7e10e4e61c3624eaa0941cd0,
            0xffcb9843d60f6159c9db58835c926644, 0xff973b41fa98c081472e6896dfb254c0,
            0xff2ea16466c96a3843ec78b326b52861, 0xfe5dee046a99a2a811c461f1969c3053,
            0xfcbe86c7900a88aedcffc83b479aa3a4, 0xf987a7253ac413176f2b074cf7815e54,
            0xf3392b0822b70005940c7a398e4b70f3, 0xe7159475a2c29b7443b29c7fa6e889d9,
            0xd097f3bdfd2022b8845ad8f792aa5825, 0xa9f746462d870fdf8a65dc1f90e061e5,
            0x70d869a156d2a1b890bb3df62baf32f7, 0x31be135f97d08fd981231505542fcfa6,
            0x9aa508b5b7a84e1c677de54f3e99bc9, 0x5d6af8dedb81196699c329225ee604,
            0x2216e584f5fa1ea926041bedfe98, 0x48a170391f7dc42444e8fa2
        ];
        unchecked {
            uint256 ratio = 1 << 128;
            for (uint256 i = 0; left != 0; (left >>= 1, ++i)) if (left & 1 != 0) ratio = ratio * factors[i] >> 128;
            if (tick > 0) ratio = type(uint256).max / ratio;
            return uint160((ratio + 0xffffffff) >> 32);
        }
    }

    /// The greatest tick of which the price is not above `price`.
    function tickAt(uint160 price) internal pure returns (int24 tick) {
        require(price >= MIN_PRICE && price < MAX_PRICE, "no price");
        unchecked {
            // log2 of the price's square root in 64 fractional bits, by repeated squaring of what is left below two.
            uint256 bits = 0;
            for (uint256 left = price; left > 1; left >>= 1) ++bits;
            uint256 rest = bits > 127 ? uint256(price) >> (bits - 127) : uint256(price) << (127 - bits);
            int256 log = (int256(bits) - 96) << 64;
            for (uint256 bit = 63; bit > 49; --bit) {
                rest = rest * rest >> 127;
                if (rest >> 128 != 0) {
                    log |= int256(1 << bit);
                    rest >>= 1;
                }
            }
            // 2^64 / log2(sqrt(1.0001)); the fourteen bits tell the tick within one.
            tick = int24(log * 255738958999603826347141 >> 128);
            while (priceAt(tick) > price) --tick;
            while (priceAt(tick + 1) <= price) ++tick;
        }
    }

    /// Token 0 between two prices.
    function amount0(uint160 a, uint160 b, uint128 liquidity, bool up) internal pure returns (uint256) {
        (uint160 low, uint160 high) = a < b ? (a, b) : (b, a);
        uint256 scaled = uint256(liquidity) << 96;
        return up ? divUp(mulDivUp(scaled, high - low, high), low) : mulDiv(scaled, high - low, high) / low;
    }

    /// Token 1 between two prices.
    function amount1(uint160 a, uint160 b, uint128 liquidity, bool up) internal pure returns (uint256) {
        uint256 distance = a < b ? b - a : a - b;
        return up ? mulDivUp(liquidity, distance, Q96) : mulDiv(liquidity, distance, Q96);
    }

    /// A step from `price` towards `target` with `left` to sell or to buy.
    function step(uint160 price, uint160 target, uint128 liquidity, uint256 left, uint256 fee, bool sells)
        internal
        pure
        returns (Step memory made)
    {
        bool down = price >= target;
        made.price = target;
        if (sells) {
            uint256 net = mulDiv(left, PPM - fee, PPM);
            made.amountIn = _in(down, target, price, liquidity);
            if (net >= made.amountIn) {
                made.fee = mulDivUp(made.amountIn, fee, PPM - fee);
            } else {
                (made.amountIn, made.price) = (net, _afterInput(down, price, liquidity, net));
                made.fee = left - net;
            }
            made.amountOut = _out(down, made.price, price, liquidity);
            return made;
        }
        made.amountOut = _out(down, target, price, liquidity);
        if (left < made.amountOut) (made.amountOut, made.price) = (left, _afterOutput(down, price, liquidity, left));
        made.amountIn = _in(down, made.price, price, liquidity);
        made.fee = mulDivUp(made.amountIn, fee, PPM - fee);
    }

    function _in(bool down, uint160 to, uint160 from, uint128 liquidity) private pure returns (uint256) {
        return down ? amount0(to, from, liquidity, true) : amount1(from, to, liquidity, true);
    }

    function _out(bool down, uint160 to, uint160 from, uint128 liquidity) private pure returns (uint256) {
        return down ? amount1(to, from, liquidity, false) : amount0(from, to, liquidity, false);
    }

    function _afterInput(bool down, uint160 price, uint128 liquidity, uint256 net) private pure returns (uint160) {
        if (!down) return uint160(price + mulDiv(net, Q96, liquidity));
        if (net == 0) return price;
        uint256 scaled = uint256(liquidity) << 96;
        unchecked {
            uint256 product = net * price;
            uint256 sum = scaled + product;
            if (product / net == price && sum >= scaled) return uint160(mulDivUp(scaled, price, sum));
        }
        return uint160(divUp(scaled, scaled / price + net));
    }

    function _afterOutput(bool down, uint160 price, uint128 liquidity, uint256 amount) private pure returns (uint160) {
        if (down) return uint160(price - mulDivUp(amount, Q96, liquidity));
        uint256 scaled = uint256(liquidity) << 96;
        return uint160(mulDivUp(scaled, price, scaled - amount * price));
    }
}
