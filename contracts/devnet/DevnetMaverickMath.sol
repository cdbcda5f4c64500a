// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// What a tick of a moving-bin pool is worth, and trades, all in 18 decimals: the formulas of Maverick V2 with its roundings.
library DevnetMaverickMath {
    using Math for uint256;

    uint256 internal constant ONE = 1e18;
    uint256 private constant MAX_POWER = 322_378;

    struct Tick {
        uint256 reserveA;
        uint256 reserveB;
        uint256 sqrtPrice;
        uint256 liquidity;
    }

    struct Traded {
        uint256 amountIn;
        uint256 amountOut;
        uint256 stays;
        bool isLeft;
    }

    struct Terms {
        bool sellsA;
        uint256 fee;
        uint256 protocolPart;
    }

    /// The square root of 1.0001^(tick * spacing).
    function sqrtPriceAt(uint256 spacing, int256 tick) internal pure returns (uint256) {
        uint256 power = (tick < 0 ? uint256(-tick) : uint256(tick)) * spacing;
        require(power <= MAX_POWER, "beyond all prices");
        uint256[19] memory factors = [
            uint256(0xfffcb933bd6fad9d3af5f0b9f25db4d6),
            0xfff97272373d41fd789c8cb37ffcaa1c,
            0xfff2e50f5f656ac9229c67059486f389,
            0xffe5caca7e10e81259b3cddc7a064941,
            0xffcb9843d60f67b19e8887e0bd251eb7,
            0xff973b41fa98cd2e57b660be99eb2c4a,
            0xff2ea16466c9838804e327cb417cafcb,
            0xfe5dee046a99d51e2cc356c2f617dbe0,
            0xfcbe86c7900aecf64236ab31f1f9dcb5,
            0xf987a7253ac4d9194200696907cf2e37,
            0xf3392b0822b88206f8abe8a3b44dd9be,
            0xe7159475a2c578ef4f1d17b2b235d480,
            0xd097f3bdfd254ee83bdd3f248e7e785e,
            0xa9f746462d8f7dd10e744d913d033333,
            0x70d869a156ddd32a39e257bc3f50aa9b,
            0x31be135f97da6e09a19dc367e3b6da40,
            0x9aa508b5b7e5a9780b0cc4e25d61a56,
            0x5d6af8dedbcb3a6ccb7ce618d14225,
            0x2216e584f630389b2052b8db590e
        ];
        uint256 ratio = 1 << 128;
        for (uint256 bit = 0; bit < 19; ++bit) {
            if (power >> bit & 1 == 1) ratio = ratio * factors[bit] >> 128;
        }
        if (tick > 0) ratio = type(uint256).max / ratio;
        return ratio * ONE >> 128;
    }

    function priced(uint256 spacing, int256 index, uint256 reserveA, uint256 reserveB)
        internal
        pure
        returns (Tick memory tick)
    {
        (uint256 lower, uint256 upper) = (sqrtPriceAt(spacing, index), sqrtPriceAt(spacing, index + 1));
        uint256 liquidity = _liquidityOf(reserveA, reserveB, lower, upper);
        uint256 price = lower;
        if (reserveA != 0 && reserveB == 0) {
            price = upper;
        } else if (reserveA != 0) {
            uint256 a = reserveA + liquidity.mulDiv(lower, ONE);
            uint256 b = reserveB + liquidity.mulDiv(ONE, upper);
            price = (ONE * a.mulDiv(ONE, b)).sqrt();
            price = price < lower ? lower : price.min(upper);
        }
        return Tick(reserveA, reserveB, price, liquidity);
    }

    /// Of an amount that goes in, or of as much as the tick takes.
    function soldIn(Tick memory tick, uint256 amount, Terms memory terms) internal pure returns (Traded memory traded) {
        uint256 held = terms.sellsA ? tick.reserveB : tick.reserveA;
        uint256 paid = _costOf(tick, held, terms.sellsA);
        uint256 net = amount * (ONE - terms.fee) / ONE;
        if (net < paid) {
            paid = net;
            traded = _with(amount, amount - net, terms);
        } else {
            traded = _whole(paid, terms);
        }
        if (amount > traded.amountIn) {
            (traded.amountOut, traded.isLeft) = (held, true);
            return traded;
        }
        uint256 moved = paid.mulDiv(ONE, tick.liquidity + 1, Math.Rounding.Ceil);
        uint256 out = terms.sellsA
            ? paid.mulDiv(ONE * ONE / tick.sqrtPrice, moved + tick.sqrtPrice)
            : paid.mulDiv(tick.sqrtPrice, moved + (ONE * ONE).ceilDiv(tick.sqrtPrice));
        traded.amountOut = held.min(out);
    }

    /// Of an amount that comes out, or of all that the tick holds.
    function boughtFrom(Tick memory tick, uint256 amount, Terms memory terms)
        internal
        pure
        returns (Traded memory traded)
    {
        uint256 held = terms.sellsA ? tick.reserveB : tick.reserveA;
        uint256 out = held.min(amount);
        traded = _whole(_costOf(tick, out, terms.sellsA), terms);
        (traded.amountOut, traded.isLeft) = (out, held < amount);
    }

    function _liquidityOf(uint256 a, uint256 b, uint256 lower, uint256 upper) private pure returns (uint256) {
        uint256 width = upper - lower;
        uint256 shift = a >> 78 == 0 && b >> 78 == 0 ? 57 : 0;
        (a, b) = (a << shift, b << shift);
        if (b == 0) return a.mulDiv(ONE, width) >> shift;
        if (a == 0) return b.mulDiv(lower, ONE).mulDiv(upper, width) >> shift;
        uint256 half = (a.mulDiv(ONE, upper) + b.mulDiv(lower, ONE)) >> 1;
        uint256 root = (half.mulDiv(half, ONE) + b.mulDiv(a, ONE).mulDiv(width, upper)).sqrt();
        return (half + root * 1e9).mulDiv(upper, width) >> shift;
    }

    /// Before the fee. Liquidity is rounded down: a tick may be said to have less than it holds, and then reverts.
    function _costOf(Tick memory tick, uint256 out, bool sellsA) private pure returns (uint256) {
        uint256 moved = tick.liquidity == 0 ? 0 : out.mulDiv(ONE, tick.liquidity, Math.Rounding.Ceil);
        if (sellsA) return out.mulDiv(tick.sqrtPrice, ONE * ONE / tick.sqrtPrice - moved, Math.Rounding.Ceil);
        return out.mulDiv(ONE, tick.sqrtPrice.mulDiv(tick.sqrtPrice - moved, ONE), Math.Rounding.Ceil);
    }

    function _whole(uint256 net, Terms memory terms) private pure returns (Traded memory) {
        uint256 fee = net.mulDiv(terms.fee, ONE - terms.fee, Math.Rounding.Ceil);
        return _with(net + fee, fee, terms);
    }

    function _with(uint256 amountIn, uint256 fee, Terms memory terms) private pure returns (Traded memory) {
        return Traded(amountIn, 0, amountIn - (fee * terms.protocolPart).ceilDiv(1000), false);
    }
}
