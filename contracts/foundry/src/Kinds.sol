// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {
    ALGEBRA_POOL,
    BALANCER_V2_POOL,
    BALANCER_V3_BUFFER,
    BALANCER_V3_POOL,
    CURVE_POOL,
    DODO_POOL,
    ERC4626_VAULT,
    EULER_SWAP_POOL,
    FLUID_POOL,
    INFINITY_BIN_POOL,
    INFINITY_CL_POOL,
    KURU_MARKET,
    LB_PAIR,
    MAVERICK_POOL,
    PANCAKE_V3_POOL,
    PANGOLIN_V3_POOL,
    PROP_AMM,
    PSM,
    RATE_TOKEN,
    SOLIDLY_POOL,
    V2_PAIR,
    V3_POOL,
    V4_POOL,
    WOOFI_POOL,
    WRAPPED_NATIVE
} from "../../src/VenueCodes.sol";
import {AnyVenue} from "./AnyVenue.sol";
import {IToken} from "./Doors.sol";
import {WHOLE, fillOf, moreBytes} from "./Routes.sol";
import {World} from "./World.sol";

/// One way in which the executor trades with a venue.
struct Kind {
    uint256 venue;
    uint24 detail;
    address pool;
    address sold;
    address bought;
    bytes more;
    /// Whether there are exact outputs.
    bool exactOut;
}

/// All ways but makers' orders, each with the venue that trades so.
abstract contract Kinds is World {
    uint256 internal constant KINDS = 50;

    function _makeKinds() internal {
        _makeWorld();
        venue.mint(taker, RICH);
        venue.mint(address(venue), RICH);
        _approveAll(taker, IToken(address(venue)));
    }

    /// Tells the venue how it is spoken to.
    function _kind(uint256 index) internal returns (Kind memory kind) {
        kind = Kind(V2_PAIR, 0, address(venue), address(tokenA), address(tokenB), "", true);
        if (index == 1) kind.venue = SOLIDLY_POOL;
        if (index == 2) kind.venue = V3_POOL;
        if (index == 3) kind.venue = PANCAKE_V3_POOL;
        if (index == 4) kind.venue = ALGEBRA_POOL;
        if (index == 5 || index == 6) {
            (kind.venue, kind.detail) = (V4_POOL, 500);
            kind.more = moreBytes(abi.encodePacked(uint24(60), address(0)));
            if (index == 6) (kind.sold, kind.bought) = (NATIVE_TOKEN, address(tokenA));
        }
        if (index == 7) (kind.venue, kind.more) = (BALANCER_V3_POOL, moreBytes(abi.encodePacked(address(pair))));
        if (index == 8 || index == 9) {
            (kind.venue, kind.more) = (BALANCER_V3_BUFFER, moreBytes(abi.encodePacked(address(venue))));
            _shares(kind, index == 8);
        }
        if (index == 10) {
            (kind.venue, kind.detail) = (BALANCER_V2_POOL, 7);
            kind.more = moreBytes(abi.encodePacked(address(venue), uint72(9)));
        }
        if (index >= 11 && index <= 20) _curveKind(kind, index);
        if (index == 21 || index == 22) {
            kind.venue = ERC4626_VAULT;
            _shares(kind, index == 21);
        }
        if (index == 23 || index == 24) {
            (kind.venue, kind.exactOut) = (RATE_TOKEN, false);
            _shares(kind, index == 23);
        }
        if (index == 25) (kind.venue, kind.detail) = (PSM, 1);
        if (index == 26) (kind.venue, kind.sold, kind.bought) = (PSM, address(tokenB), address(tokenA));
        if (index == 29 || index == 30) (kind.venue, kind.exactOut, kind.detail) = (PROP_AMM, false, uint24(index - 29));
        if (index >= 40 && index <= 42) {
            (kind.venue, kind.exactOut, kind.detail) =
                (index == 40 ? WOOFI_POOL : DODO_POOL, false, index == 41 ? 1 : 0);
            if (index == 42) (kind.sold, kind.bought) = (address(tokenB), address(tokenA));
        }
        if (index == 45 || index == 46) {
            // With token A sold, and the other, as far as the last tick but one of 2^23.
            (kind.venue, kind.detail) = (MAVERICK_POOL, index == 45 ? 0xfffffe : 0x7ffffe);
            if (index == 46) (kind.sold, kind.bought) = (address(tokenB), address(tokenA));
        }
        if (index >= 47 && index <= 49) _kuruKind(kind, index);
        if (index == 43) kind.venue = EULER_SWAP_POOL;
        if (index == 44) (kind.venue, kind.sold, kind.bought) = (EULER_SWAP_POOL, address(tokenB), address(tokenA));
        if (index == 31) (kind.venue, kind.detail) = (LB_PAIR, 1);
        if (index == 32) (kind.venue, kind.sold, kind.bought) = (LB_PAIR, address(tokenB), address(tokenA));
        if (index == 33 || index == 34 || index == 38 || index == 39) {
            (kind.venue, kind.detail) = (index < 38 ? INFINITY_CL_POOL : INFINITY_BIN_POOL, 2500);
            kind.more = moreBytes(abi.encodePacked(uint40(50 << 16), address(0)));
            if (index == 34 || index == 39) (kind.sold, kind.bought) = (NATIVE_TOKEN, address(tokenA));
        }
        if (index == 35 || index == 36) {
            (kind.venue, kind.detail) = (FLUID_POOL, 0x010000);
            kind.more = moreBytes(abi.encodePacked(address(venue)));
            if (index == 36) (kind.detail, kind.sold, kind.bought) = (0, NATIVE_TOKEN, address(tokenA));
        }
        if (index == 37) kind.venue = PANGOLIN_V3_POOL;
        if (index == 27 || index == 28) {
            (kind.venue, kind.pool) = (WRAPPED_NATIVE, address(0));
            (kind.sold, kind.bought) = index == 27 ? (NATIVE_TOKEN, address(weth)) : (address(weth), NATIVE_TOKEN);
        }
        venue.speak(_callbackOf(index), index >= 7 && index <= 9);
    }

    /// The callback by which pools of a kind ask for their payment; zero where they do not.
    function _callbackOf(uint256 index) internal view returns (bytes4) {
        if (index == 2) return executor.uniswapV3SwapCallback.selector;
        if (index == 3) return executor.pancakeV3SwapCallback.selector;
        if (index == 4) return executor.algebraSwapCallback.selector;
        if (index == 37) return executor.pangolinv3SwapCallback.selector;
        return 0;
    }

    /// Curve's functions: which one, then the numbers of the coins; what is added has the number of coins instead.
    function _curveKind(Kind memory kind, uint256 index) private view {
        (kind.venue, kind.exactOut) = (CURVE_POOL, false);
        kind.detail = [0x000001, 0x010001, 0x020001, 0x030002, 0x030003, 0x030004, 0x040002, 0x050000, 0x000002, 0x000201][
            index - 11
        ];
        if (index >= 14 && index <= 17) _shares(kind, true);
        if (index == 18) _shares(kind, false);
        if (index == 19) kind.bought = NATIVE_TOKEN;
        if (index == 20) kind.sold = NATIVE_TOKEN;
    }

    /// Markets of Kuru, whose base token is token A: sold, bought, and bought for native token.
    function _kuruKind(Kind memory kind, uint256 index) private view {
        (kind.venue, kind.exactOut) = (KURU_MARKET, false);
        kind.more = moreBytes(abi.encodePacked(address(venue)));
        kind.detail = index == 47 ? 0x011212 : 0x001212;
        if (index == 48) (kind.sold, kind.bought) = (address(tokenB), address(tokenA));
        if (index == 49) (kind.sold, kind.bought) = (NATIVE_TOKEN, address(tokenA));
    }

    /// The venue's own shares, for token A or back.
    function _shares(Kind memory kind, bool into) private view {
        (kind.sold, kind.bought) = into ? (address(tokenA), address(venue)) : (address(venue), address(tokenA));
    }

    function _fill(Kind memory kind, uint8 destination, uint8 sold, uint8 bought, uint32 share)
        internal
        pure
        returns (bytes memory)
    {
        bytes memory fill = fillOf(kind.venue, destination, sold, bought, share, kind.detail, kind.pool);
        return bytes.concat(fill, kind.more);
    }

    function _balance(address token, address owner) internal view returns (uint256) {
        if (token == NATIVE_TOKEN) return owner.balance;
        return token.code.length == 0 ? 0 : IToken(token).balanceOf(owner);
    }
}
