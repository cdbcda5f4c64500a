// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {InfinityKey} from "../src/venues/Infinity.sol";
import {SwapParams} from "../src/venues/UniswapV4.sol";
import {DevnetClMath} from "./DevnetClMath.sol";
import {DevnetInfinityVault} from "./DevnetInfinityVault.sol";

struct ClLiquidityParams {
    int24 tickLower;
    int24 tickUpper;
    int256 liquidityDelta;
    bytes32 salt;
}

/// Pools of concentrated liquidity, written from the documented interface of PancakeSwap Infinity's CLPoolManager, with its
/// storage's layout and without callbacks to hooks. What positions earn stays with the pools. For the devnet and tests only.
contract DevnetClManager {
    using DevnetClMath for uint160;

    error PoolNotInitialized();
    error PoolAlreadyInitialized();
    error EnforcedPause();
    error InvalidSqrtPriceLimit(uint160 price, uint160 limit);
    error SwapAmountCannotBeZero();
    error UnauthorizedDynamicLPFeeUpdate();

    event Initialize(
        bytes32 indexed id,
        address indexed currency0,
        address indexed currency1,
        address hooks,
        uint24 fee,
        bytes32 parameters,
        uint160 sqrtPriceX96,
        int24 tick
    );
    event ModifyLiquidity(
        bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt
    );
    event Swap(
        bytes32 indexed id,
        address indexed sender,
        int128 amount0,
        int128 amount1,
        uint160 sqrtPriceX96,
        uint128 liquidity,
        int24 tick,
        uint24 fee,
        uint16 protocolFee
    );
    event ProtocolFeeUpdated(bytes32 indexed id, uint24 protocolFee);
    event DynamicLPFeeUpdated(bytes32 indexed id, uint24 dynamicLPFee);

    struct Slot0 {
        uint160 price;
        int24 tick;
        FeePair protocolFee;
        uint24 fee;
    }

    struct Tick {
        uint128 gross;
        int128 net;
        uint256 feesOutside0;
        uint256 feesOutside1;
    }

    struct Pool {
        Slot0 slot0;
        uint256 fees0;
        uint256 fees1;
        uint128 liquidity;
        mapping(int24 tick => Tick) ticks;
        mapping(int16 word => uint256) bitmap;
    }

    /// What a swap has done so far.
    struct Swapping {
        bytes32 id;
        bool down;
        bool sells;
        int24 spacing;
        uint160 limit;
        uint160 price;
        int24 tick;
        uint128 liquidity;
        uint256 fee;
        uint256 protocolFee;
        uint256 left;
        uint256 other;
        uint256 toProtocol;
        uint256 growth;
    }

    address public owner;
    uint256 private pausedOrNot;
    mapping(address currency => uint256) public protocolFeesAccrued;
    address public protocolFeeController;
    mapping(bytes32 id => Pool) private pools;

    DevnetInfinityVault public immutable vault;

    uint24 private constant DYNAMIC_FEE = 0x800000;

    constructor(DevnetInfinityVault vault_, address owner_) {
        (vault, owner) = (vault_, owner_);
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    function pause() external onlyOwner {
        pausedOrNot = 1;
    }

    function unpause() external onlyOwner {
        pausedOrNot = 0;
    }

    function setProtocolFeeController(address controller) external onlyOwner {
        protocolFeeController = controller;
    }

    function setProtocolFee(InfinityKey memory key, uint24 fee) external {
        require(msg.sender == protocolFeeController, "not the controller");
        bytes32 id = _idOf(key);
        pools[id].slot0.protocolFee = FeePair.wrap(fee);
        emit ProtocolFeeUpdated(id, fee);
    }

    function updateDynamicLPFee(InfinityKey memory key, uint24 fee) external {
        if (key.fee != DYNAMIC_FEE || msg.sender != key.hooks) revert UnauthorizedDynamicLPFeeUpdate();
        bytes32 id = _idOf(key);
        pools[id].slot0.fee = fee;
        emit DynamicLPFeeUpdated(id, fee);
    }

    function initialize(InfinityKey memory key, uint160 price) external returns (int24 tick) {
        require(key.poolManager == address(this) && key.currency0 < key.currency1, "no key of mine");
        require(_spacingOf(key) > 0, "no tick spacing");
        bytes32 id = _idOf(key);
        if (pools[id].slot0.price != 0) revert PoolAlreadyInitialized();
        tick = price.tickAt();
        pools[id].slot0 = Slot0(price, tick, FeePair.wrap(0), key.fee == DYNAMIC_FEE ? 0 : key.fee);
        emit Initialize(id, key.currency0, key.currency1, key.hooks, key.fee, key.parameters, price, tick);
    }

    function modifyLiquidity(InfinityKey memory key, ClLiquidityParams memory params, bytes calldata)
        external
        returns (int256 delta, int256)
    {
        (bytes32 id, Pool storage pool) = _poolOf(key);
        int128 change = int128(params.liquidityDelta);
        int24 spacing = _spacingOf(key);
        _changeTick(pool, params.tickLower, spacing, change, change);
        _changeTick(pool, params.tickUpper, spacing, change, -change);
        (uint160 price, int24 tick) = (pool.slot0.price, pool.slot0.tick);
        (uint160 low, uint160 high) = (DevnetClMath.priceAt(params.tickLower), DevnetClMath.priceAt(params.tickUpper));
        if (params.tickLower <= tick && tick < params.tickUpper) {
            pool.liquidity = uint128(uint256(int256(uint256(pool.liquidity)) + change));
        }
        (bool up, uint128 size) = change > 0 ? (true, uint128(change)) : (false, uint128(-change));
        price = price < low ? low : price > high ? high : price;
        int256 first = int256(DevnetClMath.amount0(price, high, size, up));
        int256 second = int256(DevnetClMath.amount1(low, price, size, up));
        delta = up ? _pack(-first, -second) : _pack(first, second);
        emit ModifyLiquidity(id, msg.sender, params.tickLower, params.tickUpper, params.liquidityDelta, params.salt);
        vault.accountAppBalanceDelta(key.currency0, key.currency1, delta, msg.sender);
    }

    function swap(InfinityKey memory key, SwapParams memory params, bytes calldata) external returns (int256 delta) {
        if (pausedOrNot != 0) revert EnforcedPause();
        if (params.amountSpecified == 0) revert SwapAmountCannotBeZero();
        (bytes32 id, Pool storage pool) = _poolOf(key);
        Swapping memory at = _begin(pool, key, params);
        at.id = id;
        uint256 amount = at.left;
        while (at.left != 0 && at.price != at.limit) _advance(pool, at);
        (pool.slot0.price, pool.slot0.tick) = (at.price, at.tick);
        pool.liquidity = at.liquidity;
        if (at.down) pool.fees0 = at.growth;
        else pool.fees1 = at.growth;
        if (at.toProtocol != 0) protocolFeesAccrued[at.down ? key.currency0 : key.currency1] += at.toProtocol;
        (uint256 paid, uint256 got) = at.sells ? (amount - at.left, at.other) : (at.other, amount - at.left);
        delta = at.down ? _pack(-int256(paid), int256(got)) : _pack(int256(got), -int256(paid));
        _announce(at, delta);
        vault.accountAppBalanceDelta(key.currency0, key.currency1, delta, msg.sender);
    }

    function getSlot0(bytes32 id) external view returns (uint160, int24, uint24, uint24) {
        Slot0 memory slot0 = pools[id].slot0;
        return (slot0.price, slot0.tick, FeePair.unwrap(slot0.protocolFee), slot0.fee);
    }

    function extsload(bytes32[] calldata slots) external view returns (bytes32[] memory words) {
        words = new bytes32[](slots.length);
        for (uint256 i = 0; i < slots.length; ++i) {
            bytes32 slot = slots[i];
            bytes32 word;
            assembly ("memory-safe") {
                word := sload(slot)
            }
            words[i] = word;
        }
    }

    function _begin(Pool storage pool, InfinityKey memory key, SwapParams memory params)
        private
        view
        returns (Swapping memory at)
    {
        Slot0 memory slot0 = pool.slot0;
        (at.down, at.sells, at.limit) = (params.zeroForOne, params.amountSpecified < 0, params.sqrtPriceLimitX96);
        bool ahead = at.down
            ? at.limit < slot0.price && at.limit > DevnetClMath.MIN_PRICE
            : at.limit > slot0.price && at.limit < DevnetClMath.MAX_PRICE;
        if (!ahead) revert InvalidSqrtPriceLimit(slot0.price, at.limit);
        (at.price, at.tick, at.liquidity, at.spacing) = (slot0.price, slot0.tick, pool.liquidity, _spacingOf(key));
        uint24 fees = FeePair.unwrap(slot0.protocolFee);
        at.protocolFee = at.down ? fees & 0xfff : fees >> 12;
        at.fee = at.protocolFee + slot0.fee - at.protocolFee * slot0.fee / DevnetClMath.PPM;
        at.left = uint256(at.sells ? -params.amountSpecified : params.amountSpecified);
        at.growth = at.down ? pool.fees0 : pool.fees1;
    }

    /// Goes on to the next tick of the bitmap's word, or as far as the amount goes.
    function _advance(Pool storage pool, Swapping memory at) private {
        (int24 next, bool met) = _nextTick(pool, at.tick, at.spacing, at.down);
        if (next < -DevnetClMath.MAX_TICK) next = -DevnetClMath.MAX_TICK;
        if (next > DevnetClMath.MAX_TICK) next = DevnetClMath.MAX_TICK;
        uint160 edge = DevnetClMath.priceAt(next);
        uint160 target = (at.down ? edge < at.limit : edge > at.limit) ? at.limit : edge;
        uint160 start = at.price;
        DevnetClMath.Step memory made = DevnetClMath.step(start, target, at.liquidity, at.left, at.fee, at.sells);
        uint256 paid = made.amountIn + made.fee;
        at.price = made.price;
        at.left -= at.sells ? paid : made.amountOut;
        at.other += at.sells ? made.amountOut : paid;
        uint256 taken = at.fee == at.protocolFee ? made.fee : paid * at.protocolFee / DevnetClMath.PPM;
        at.toProtocol += taken;
        unchecked {
            if (at.liquidity != 0) at.growth += ((made.fee - taken) << 128) / at.liquidity;
        }
        if (made.price == edge) {
            if (met) _cross(pool, at, next);
            at.tick = at.down ? next - 1 : next;
        } else if (made.price != start) {
            at.tick = made.price.tickAt();
        }
    }

    function _cross(Pool storage pool, Swapping memory at, int24 tick) private {
        Tick storage info = pool.ticks[tick];
        unchecked {
            info.feesOutside0 = (at.down ? at.growth : pool.fees0) - info.feesOutside0;
            info.feesOutside1 = (at.down ? pool.fees1 : at.growth) - info.feesOutside1;
        }
        int256 net = at.down ? -int256(info.net) : int256(info.net);
        at.liquidity = uint128(uint256(int256(uint256(at.liquidity)) + net));
    }

    /// The next initialized tick within one word of the bitmap, or the word's edge.
    function _nextTick(Pool storage pool, int24 tick, int24 spacing, bool down) private view returns (int24, bool) {
        int24 place = tick / spacing;
        if (tick < 0 && tick % spacing != 0) --place;
        if (!down) ++place;
        uint256 bit = uint8(uint24(place));
        uint256 word = pool.bitmap[int16(place >> 8)];
        uint256 ahead = down ? word & (type(uint256).max >> (255 - bit)) : word >> bit << bit;
        if (ahead == 0) return ((place - int24(uint24(bit)) + (down ? int24(0) : int24(255))) * spacing, false);
        uint256 found = _highestBit(down ? ahead : ahead & (~ahead + 1));
        return ((place - int24(uint24(bit)) + int24(uint24(found))) * spacing, true);
    }

    function _highestBit(uint256 word) private pure returns (uint256 bit) {
        for (uint256 half = 128; half != 0; half >>= 1) {
            if (word >> half != 0) (word, bit) = (word >> half, bit + half);
        }
    }

    function _changeTick(Pool storage pool, int24 tick, int24 spacing, int128 change, int128 net) private {
        require(tick % spacing == 0 && tick >= -DevnetClMath.MAX_TICK && tick <= DevnetClMath.MAX_TICK, "no tick");
        Tick storage info = pool.ticks[tick];
        uint128 before = info.gross;
        info.gross = uint128(uint256(int256(uint256(before)) + change));
        info.net += net;
        if ((before == 0) == (info.gross == 0)) return;
        int24 place = tick / spacing;
        pool.bitmap[int16(place >> 8)] ^= 1 << uint8(uint24(place));
    }

    function _poolOf(InfinityKey memory key) private view returns (bytes32 id, Pool storage pool) {
        id = _idOf(key);
        pool = pools[id];
        if (pool.slot0.price == 0) revert PoolNotInitialized();
    }

    function _announce(Swapping memory at, int256 delta) private {
        emit Swap(
            at.id,
            msg.sender,
            int128(delta >> 128),
            int128(delta),
            at.price,
            at.liquidity,
            at.tick,
            uint24(at.fee),
            uint16(at.protocolFee)
        );
    }

    function _idOf(InfinityKey memory key) private pure returns (bytes32) {
        return keccak256(abi.encode(key));
    }

    function _spacingOf(InfinityKey memory key) private pure returns (int24) {
        return int24(uint24(uint256(key.parameters) >> 16));
    }

    function _pack(int256 first, int256 second) private pure returns (int256) {
        require(int128(first) == first && int128(second) == second, "too large");
        return first << 128 | int256(uint256(uint128(int128(second))));
    }
}

/// Two fees of 12 bits: in the lower half where token 0 goes in.
type FeePair is uint24;
