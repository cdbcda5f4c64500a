// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {EkuboKey} from "../src/venues/Ekubo.sol";
import {DevnetEkuboAccounts} from "./DevnetEkuboAccounts.sol";
import {DevnetEkuboMath} from "./DevnetEkuboMath.sol";

interface IEkuboExtension {
    function beforeSwap(bytes32 locker, EkuboKey calldata key, bytes32 params) external;
}

/// Pools of Ekubo, written from the documented interface of its Core, with its storage's layout and its logs. Of extensions
/// it knows what is called before a swap. What positions earn stays with the pools. For the devnet and tests only.
contract DevnetEkuboCore is DevnetEkuboAccounts {
    error PoolNotInitialized();
    error PoolAlreadyInitialized();
    error InvalidSqrtRatioLimit();
    error SqrtRatioLimitWrongDirection();
    error AmountOverflow();

    event PoolInitialized(bytes32 poolId, EkuboKey poolKey, int32 tick, uint96 sqrtRatio);
    event PositionUpdated(
        address locker,
        bytes32 poolId,
        bytes32 positionId,
        int128 liquidityDelta,
        bytes32 balanceUpdate,
        bytes32 stateAfter
    );

    /// Where a pool's words are in storage, from its id on.
    uint256 private constant FEES = 0xb09b03866d96933565a9435bfb511c8ac5b2be454285ca331201452704799f72;
    uint256 private constant TICKS = 0x435a5eb89a296820174331cf5a3902d9fca683928d56726d8e7acd6efb28c568;
    uint256 private constant FEES_OUTSIDE = 0x5695060fdb9cfea656f872ae4887221aff7dbfefc45eaf753e4e70cdfb5cd19c;
    /// From a tick's fees of token 0 to those of token 1.
    uint256 private constant OF_TOKEN_1 = 0x7a2a03fc08af3dae7869678617dc8abe8f15a3b719b37ba108dba879571f8b02;
    uint256 private constant BITMAPS = 0x3def450d0010a2fef515ce5eba4b363b5a0f42fdd4c53e1c737975db05a2e3a5;
    /// Ticks of a pool have their bits from here on, in tick spacings.
    int256 private constant PLACES = 89421695;

    /// What a swap has done so far.
    struct Swapping {
        bytes32 id;
        bytes32 config;
        bool down;
        bool sells;
        uint256 limit;
        uint256 ratio;
        int32 tick;
        uint256 liquidity;
        uint256 left;
        uint256 other;
        uint256 growth;
    }

    function initializePool(EkuboKey memory key, int32 tick) external returns (uint96 ratio) {
        require(key.token0 < key.token1, "tokens must be sorted");
        bytes32 id = _idOf(key);
        if (_at(uint256(id)) != 0) revert PoolAlreadyInitialized();
        ratio = uint96(DevnetEkuboMath.packed(DevnetEkuboMath.ratioAt(tick)));
        _put(uint256(id), uint256(_stateOf(DevnetEkuboMath.ratioAt(tick), tick, 0)));
        _put(_slot(id, FEES), 1);
        _put(_slot(id, FEES) + 1, 1);
        emit PoolInitialized(id, key, tick, ratio);
    }

    /// Adds liquidity, or takes it away, between the two ticks in the lowest eight bytes of `position`.
    function updatePosition(EkuboKey memory key, bytes32 position, int128 delta)
        external
        payable
        onlyLocker
        returns (bytes32 update)
    {
        bytes32 id = _idOf(key);
        (uint256 ratio, int32 tick, uint256 liquidity) = _read(id);
        (int32 lower, int32 upper) = (int32(uint32(uint256(position) >> 32)), int32(uint32(uint256(position))));
        int32 spacing = _spacingOf(key.config);
        if (spacing != 0) {
            require(lower < upper && lower % spacing == 0 && upper % spacing == 0, "no ticks");
            _changeTick(id, lower, spacing, delta, delta);
            _changeTick(id, upper, spacing, delta, -delta);
        } else {
            (int32 low, int32 high) = _rangeOf(key.config);
            require(lower == low && upper == high, "not the pool's range");
        }
        if (spacing == 0 || (lower <= tick && tick < upper)) liquidity = uint256(int256(liquidity) + delta);
        bytes32 state = _stateOf(ratio, tick, liquidity);
        _put(uint256(id), uint256(state));
        (uint256 from, uint256 to) = (DevnetEkuboMath.ratioAt(lower), DevnetEkuboMath.ratioAt(upper));
        ratio = ratio < from ? from : ratio > to ? to : ratio;
        (bool up, uint256 size) = delta > 0 ? (true, uint256(int256(delta))) : (false, uint256(-int256(delta)));
        int256 first = int256(DevnetEkuboMath.amount0(ratio, to, size, up));
        int256 second = int256(DevnetEkuboMath.amount1(from, ratio, size, up));
        update = up ? _pack(first, second) : _pack(-first, -second);
        emit PositionUpdated(msg.sender, id, position, delta, update, state);
        _settle(key, update);
    }

    /// Takes a key of three words, and price limit, amount and side packed in a fourth. Answers what both tokens come to, and
    /// the pool's new state.
    function swap_6269342730() external onlyLocker {
        (EkuboKey memory key, bytes32 params) = abi.decode(msg.data[4:], (EkuboKey, bytes32));
        address extension = address(bytes20(key.config));
        if (uint160(extension) >> 158 & 1 != 0) IEkuboExtension(extension).beforeSwap(_locker(), key, params);
        bytes32 update;
        Swapping memory at = _begin(key, params);
        int256 amount = int256(int128(int256(uint256(params)) >> 32));
        if (amount != 0 && at.ratio != at.limit) {
            if (at.limit < at.ratio != at.down) revert SqrtRatioLimitWrongDirection();
            while (at.left != 0 && at.ratio != at.limit) _advance(at);
            _put(_slot(at.id, FEES) + (at.down ? 0 : 1), at.growth);
            update = _updateOf(at, amount);
        }
        bytes32 state = _stateOf(at.ratio, at.tick, at.liquidity);
        _put(uint256(at.id), uint256(state));
        if (amount != 0) {
            _settle(key, update);
            bytes memory told = abi.encodePacked(msg.sender, at.id, update, state);
            assembly ("memory-safe") {
                log0(add(told, 32), mload(told))
            }
        }
        assembly ("memory-safe") {
            mstore(0, update)
            mstore(32, state)
            return(0, 64)
        }
    }

    function _begin(EkuboKey memory key, bytes32 params) private view returns (Swapping memory at) {
        (at.id, at.config) = (_idOf(key), key.config);
        at.limit = DevnetEkuboMath.unpacked(uint256(params) >> 160);
        if (at.limit < DevnetEkuboMath.MIN_RATIO || at.limit > DevnetEkuboMath.MAX_RATIO) revert InvalidSqrtRatioLimit();
        int256 amount = int256(int128(int256(uint256(params)) >> 32));
        at.sells = amount > 0;
        at.left = uint256(amount > 0 ? amount : -amount);
        at.down = (uint256(params) >> 31 & 1 != 0) != at.sells;
        (at.ratio, at.tick, at.liquidity) = _read(at.id);
        at.growth = _at(_slot(at.id, FEES) + (at.down ? 0 : 1));
    }

    /// What both tokens come to: above zero is owed to the pool.
    function _updateOf(Swapping memory at, int256 amount) private pure returns (bytes32) {
        uint256 given = uint256(amount > 0 ? amount : -amount) - at.left;
        (int256 paid, int256 got) = (int256(at.sells ? given : at.other), -int256(at.sells ? at.other : given));
        return at.down ? _pack(paid, got) : _pack(got, paid);
    }

    /// Goes on to the next tick of the bitmap's word, or as far as the amount goes.
    function _advance(Swapping memory at) private {
        (int32 next, bool met, uint256 liquidity) = _next(at);
        uint256 edge = DevnetEkuboMath.ratioAt(next);
        uint256 target = (at.down ? edge < at.limit : edge > at.limit) ? at.limit : edge;
        uint256 start = at.ratio;
        if (liquidity == 0) {
            at.ratio = target;
        } else {
            uint256 fee = uint64(uint256(at.config) >> 32);
            DevnetEkuboMath.Step memory made =
                DevnetEkuboMath.step(start, target, liquidity, at.left, fee, at.down, at.sells);
            at.ratio = made.ratio;
            at.left -= at.sells ? made.amountIn : made.amountOut;
            at.other += at.sells ? made.amountOut : made.amountIn;
            unchecked {
                at.growth += (made.amountIn * fee >> 64 << 128) / liquidity;
            }
        }
        if (at.ratio == edge) {
            if (met) _cross(at, next);
            at.tick = at.down ? next - 1 : next;
        } else if (at.ratio != start) {
            at.tick = DevnetEkuboMath.tickAt(at.ratio);
        }
    }

    /// The tick that a step leads to, whether positions end there, and the liquidity on the way.
    function _next(Swapping memory at) private view returns (int32 tick, bool met, uint256 liquidity) {
        int32 spacing = _spacingOf(at.config);
        int32 end = at.down ? -DevnetEkuboMath.MAX_TICK : DevnetEkuboMath.MAX_TICK;
        if (spacing != 0) {
            (tick, met) = _nextTick(at.id, at.tick, spacing, at.down);
            if (at.down ? tick <= end : tick >= end) (tick, met) = (end, met && tick == end);
            return (tick, met, at.liquidity);
        }
        (int32 low, int32 high) = _rangeOf(at.config);
        if (low <= at.tick && at.tick < high) return (at.down ? low : high, false, at.liquidity);
        if (at.tick < low) return (at.down ? end : low, false, 0);
        return (at.down ? high : end, false, 0);
    }

    function _cross(Swapping memory at, int32 tick) private {
        unchecked {
            uint256 other = _at(_slot(at.id, FEES) + (at.down ? 1 : 0));
            uint256 slot = _slot(at.id, FEES_OUTSIDE) + uint256(int256(tick));
            _put(slot, (at.down ? at.growth : other) - _at(slot));
            slot += OF_TOKEN_1;
            _put(slot, (at.down ? other : at.growth) - _at(slot));
            int256 net = int256(int128(int256(_at(_slot(at.id, TICKS) + uint256(int256(tick))))));
            at.liquidity = uint256(int256(at.liquidity) + (at.down ? -net : net));
        }
    }

    /// The next initialized tick within one word of the bitmap, or the word's edge.
    function _nextTick(bytes32 id, int32 tick, int32 spacing, bool down) private view returns (int32, bool) {
        int256 place = _placeOf(tick, spacing) + (down ? int256(0) : int256(1));
        uint256 bit = uint256(place) & 255;
        uint256 word;
        unchecked {
            word = _at(_slot(id, BITMAPS) + (uint256(place) >> 8));
        }
        uint256 ahead = down ? word & (type(uint256).max >> (255 - bit)) : word >> bit << bit;
        uint256 found = ahead == 0 ? (down ? 0 : 255) : DevnetEkuboMath.highestBit(down ? ahead : ahead & (~ahead + 1));
        return (int32((place - int256(bit) + int256(found) - PLACES) * spacing), ahead != 0);
    }

    function _changeTick(bytes32 id, int32 tick, int32 spacing, int128 change, int128 net) private {
        unchecked {
            uint256 slot = _slot(id, TICKS) + uint256(int256(tick));
            uint256 word = _at(slot);
            uint256 gross = uint256(int256(word >> 128) + change);
            require(gross >> 128 == 0, "no such liquidity");
            _put(slot, gross << 128 | uint128(int128(int256(word)) + net));
            if ((word >> 128 == 0) == (gross == 0)) return;
            uint256 place = uint256(_placeOf(tick, spacing));
            uint256 bits = _slot(id, BITMAPS) + (place >> 8);
            _put(bits, _at(bits) ^ 1 << (place & 255));
            uint256 outside = _slot(id, FEES_OUTSIDE) + uint256(int256(tick));
            _put(outside, gross == 0 ? 0 : 1);
            _put(outside + OF_TOKEN_1, gross == 0 ? 0 : 1);
        }
    }

    function _placeOf(int32 tick, int32 spacing) private pure returns (int256 place) {
        place = tick / spacing + PLACES;
        if (tick < 0 && tick % spacing != 0) --place;
    }

    function _settle(EkuboKey memory key, bytes32 update) private {
        _account(key.token0, int128(int256(uint256(update)) >> 128));
        _account(key.token1, int128(int256(uint256(update))));
    }

    /// Zero for a pool whose positions have all the same range.
    function _spacingOf(bytes32 config) private pure returns (int32) {
        uint32 kind = uint32(uint256(config));
        return kind >> 31 == 0 ? int32(0) : int32(kind & 0x7fffffff);
    }

    function _rangeOf(bytes32 config) private pure returns (int32 low, int32 high) {
        int32 center = int32(int24(uint24(uint256(config)))) * 16;
        int32 width = int32(uint32(DevnetEkuboMath.MAX_TICK) >> (uint256(config) >> 24 & 0x7f));
        (low, high) = (center - width, center + width);
        if (low < -DevnetEkuboMath.MAX_TICK) low = -DevnetEkuboMath.MAX_TICK;
        if (high > DevnetEkuboMath.MAX_TICK) high = DevnetEkuboMath.MAX_TICK;
    }

    function _read(bytes32 id) private view returns (uint256 ratio, int32 tick, uint256 liquidity) {
        uint256 word = _at(uint256(id));
        if (word == 0) revert PoolNotInitialized();
        return (DevnetEkuboMath.unpacked(word >> 160), int32(uint32(word >> 128)), uint128(word));
    }

    function _stateOf(uint256 ratio, int32 tick, uint256 liquidity) private pure returns (bytes32) {
        return bytes32(DevnetEkuboMath.packed(ratio) << 160 | uint256(uint32(tick)) << 128 | liquidity);
    }

    function _idOf(EkuboKey memory key) private pure returns (bytes32) {
        return keccak256(abi.encode(key));
    }

    function _pack(int256 first, int256 second) private pure returns (bytes32) {
        if (int128(first) != first || int128(second) != second) revert AmountOverflow();
        return bytes32(uint256(first) << 128 | uint128(int128(second)));
    }

    function _slot(bytes32 id, uint256 offset) private pure returns (uint256) {
        unchecked {
            return uint256(id) + offset;
        }
    }

    function _at(uint256 slot) private view returns (uint256 word) {
        assembly ("memory-safe") {
            word := sload(slot)
        }
    }

    function _put(uint256 slot, uint256 word) private {
        assembly ("memory-safe") {
            sstore(slot, word)
        }
    }
}
