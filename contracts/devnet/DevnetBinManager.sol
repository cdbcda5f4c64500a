// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {InfinityKey} from "../src/venues/Infinity.sol";
import {DevnetBinMath} from "./DevnetBinMath.sol";
import {DevnetBinTree} from "./DevnetBinTree.sol";
import {DevnetInfinityVault} from "./DevnetInfinityVault.sol";

/// Pools of bins, written from the documented interface and formulas of PancakeSwap Infinity's BinPoolManager and without
/// callbacks to hooks. Liquidity belongs to nobody: whoever asks adds it to bins, and the owner takes it. For the devnet and
/// tests only.
contract DevnetBinManager {
    using DevnetBinTree for DevnetBinTree.Tree;

    error PoolNotInitialized();
    error PoolAlreadyInitialized();
    error EnforcedPause();
    error AmountSpecifiedIsZero();
    error BinPool__OutOfLiquidity();
    error BinPool__InsufficientAmountUnSpecified();
    error UnauthorizedDynamicLPFeeUpdate();

    event Initialize(
        bytes32 indexed id,
        address indexed currency0,
        address indexed currency1,
        address hooks,
        uint24 fee,
        bytes32 parameters,
        uint24 activeId
    );
    event Swap(
        bytes32 indexed id,
        address indexed sender,
        int128 amount0,
        int128 amount1,
        uint24 activeId,
        uint24 fee,
        uint16 protocolFee
    );
    event Mint(
        bytes32 indexed id,
        address indexed sender,
        uint256[] ids,
        bytes32 salt,
        bytes32[] amounts,
        bytes32 compositionFeeAmount,
        bytes32 feeAmountToProtocol
    );
    event Burn(bytes32 indexed id, address indexed sender, uint256[] ids, bytes32 salt, bytes32[] amounts);
    event Donate(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint24 binId);
    event ProtocolFeeUpdated(bytes32 indexed id, uint24 protocolFee);
    event DynamicLPFeeUpdated(bytes32 indexed id, uint24 dynamicLPFee);

    struct Slot0 {
        uint24 activeId;
        uint24 protocolFee;
        uint24 lpFee;
    }

    /// X in the low half of a word, Y in the high one, as everywhere.
    struct Pool {
        Slot0 slot0;
        uint16 binStep;
        mapping(uint256 id => bytes32) bins;
        DevnetBinTree.Tree tree;
    }

    /// One swap on its way.
    struct Walk {
        uint256 left;
        uint256 other;
        uint256 id;
        uint256 fee;
        uint256 protocolFee;
        uint256 toProtocol;
        uint256 binStep;
        bool xForY;
        bool sells;
    }

    address public owner;
    bool public paused;
    address public protocolFeeController;
    mapping(address currency => uint256) public protocolFeesAccrued;
    mapping(bytes32 id => Pool) private pools;

    DevnetInfinityVault public immutable vault;

    uint24 private constant DYNAMIC_FEE = 0x800000;
    /// One of a million in parts of 10^18.
    uint256 private constant PARTS = 1e12;
    uint256 private constant PPM = 1e6;

    constructor(DevnetInfinityVault vault_, address owner_) {
        (vault, owner) = (vault_, owner_);
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    function pause() external onlyOwner {
        paused = true;
    }

    function unpause() external onlyOwner {
        paused = false;
    }

    function setProtocolFeeController(address controller) external onlyOwner {
        protocolFeeController = controller;
    }

    function setProtocolFee(InfinityKey memory key, uint24 fee) external {
        require(msg.sender == protocolFeeController, "not the controller");
        bytes32 id = keccak256(abi.encode(key));
        pools[id].slot0.protocolFee = fee;
        emit ProtocolFeeUpdated(id, fee);
    }

    function updateDynamicLPFee(InfinityKey memory key, uint24 fee) external {
        if (key.fee != DYNAMIC_FEE || msg.sender != key.hooks) revert UnauthorizedDynamicLPFeeUpdate();
        bytes32 id = keccak256(abi.encode(key));
        pools[id].slot0.lpFee = fee;
        emit DynamicLPFeeUpdated(id, fee);
    }

    function getSlot0(bytes32 id) external view returns (uint24, uint24, uint24) {
        Slot0 memory slot0 = pools[id].slot0;
        return (slot0.activeId, slot0.protocolFee, slot0.lpFee);
    }

    function getBin(bytes32 id, uint24 bin) external view returns (uint128, uint128, uint256, uint256) {
        (uint128 x, uint128 y) = _unpacked(pools[id].bins[bin]);
        return (x, y, 0, 0);
    }

    function getNextNonEmptyBin(bytes32 id, bool xForY, uint24 bin) external view returns (uint24) {
        return uint24(pools[id].tree.next(bin, xForY));
    }

    function initialize(InfinityKey memory key, uint24 activeId) external {
        require(key.poolManager == address(this) && key.currency0 < key.currency1, "no key of mine");
        bytes32 id = keccak256(abi.encode(key));
        Pool storage pool = pools[id];
        if (pool.slot0.activeId != 0) revert PoolAlreadyInitialized();
        pool.binStep = uint16(uint256(key.parameters) >> 16);
        require(pool.binStep != 0 && activeId != 0, "no bin step, or no bin");
        DevnetBinMath.priceOf(activeId, pool.binStep);
        pool.slot0 = Slot0(activeId, 0, key.fee == DYNAMIC_FEE ? 0 : key.fee);
        emit Initialize(id, key.currency0, key.currency1, key.hooks, key.fee, key.parameters, activeId);
    }

    /// Puts amounts into bins: below the active one Y alone, above it X alone. The active bin takes what it is given.
    function mint(InfinityKey memory key, uint256[] memory ids, bytes32[] memory amounts)
        external
        returns (int256 delta)
    {
        (bytes32 id, Pool storage pool) = _poolOf(key);
        (uint256 x, uint256 y) = (0, 0);
        for (uint256 i = 0; i < ids.length; ++i) {
            (uint128 moreX, uint128 moreY) = _unpacked(amounts[i]);
            uint256 active = pool.slot0.activeId;
            bool fits = (ids[i] >= active || moreX == 0) && (ids[i] <= active || moreY == 0);
            require(fits && (moreX != 0 || moreY != 0), "not for this bin");
            pool.tree.add(ids[i]);
            _change(pool, ids[i], int256(uint256(moreX)), int256(uint256(moreY)));
            (x, y) = (x + moreX, y + moreY);
        }
        emit Mint(id, msg.sender, ids, 0, amounts, 0, 0);
        delta = _account(key, -int256(x), -int256(y));
    }

    /// Takes a part of bins, of 10^18. All of one leaves a base unit behind, and the bin is no longer in the row.
    function burn(InfinityKey memory key, uint256[] memory ids, uint256[] memory parts)
        external
        returns (int256 delta)
    {
        (bytes32 id, Pool storage pool) = _poolOf(key);
        bytes32[] memory amounts = new bytes32[](ids.length);
        (uint256 x, uint256 y) = (0, 0);
        for (uint256 i = 0; i < ids.length; ++i) {
            (uint128 hasX, uint128 hasY) = _unpacked(pool.bins[ids[i]]);
            uint256 dust = parts[i] == DevnetBinMath.ONE ? 1 : 0;
            uint256 lessX = hasX == 0 ? 0 : hasX * parts[i] / DevnetBinMath.ONE - dust;
            uint256 lessY = hasY == 0 ? 0 : hasY * parts[i] / DevnetBinMath.ONE - dust;
            if (dust != 0) pool.tree.remove(ids[i]);
            _change(pool, ids[i], -int256(lessX), -int256(lessY));
            amounts[i] = bytes32(lessX | lessY << 128);
            (x, y) = (x + lessX, y + lessY);
        }
        emit Burn(id, msg.sender, ids, 0, amounts);
        delta = _account(key, int256(x), int256(y));
    }

    function donate(InfinityKey memory key, uint128 x, uint128 y, bytes calldata) external returns (int256 delta) {
        (bytes32 id, Pool storage pool) = _poolOf(key);
        uint24 active = pool.slot0.activeId;
        require(pool.bins[active] != 0, "no liquidity to receive fees");
        _change(pool, active, int256(uint256(x)), int256(uint256(y)));
        delta = _account(key, -int256(uint256(x)), -int256(uint256(y)));
        emit Donate(id, msg.sender, int128(delta >> 128), int128(delta), active);
    }

    function swap(InfinityKey memory key, bool xForY, int128 amountSpecified, bytes calldata)
        external
        returns (int256 delta)
    {
        if (paused) revert EnforcedPause();
        if (amountSpecified == 0) revert AmountSpecifiedIsZero();
        (bytes32 id, Pool storage pool) = _poolOf(key);
        Walk memory walk = _begin(pool, xForY, amountSpecified);
        uint256 amount = walk.left;
        while (true) {
            _tradeIn(pool, walk);
            if (walk.left == 0) break;
            walk.id = pool.tree.next(walk.id, xForY);
            if (walk.id == 0 || walk.id == type(uint24).max) revert BinPool__OutOfLiquidity();
        }
        if (walk.other == 0) revert BinPool__InsufficientAmountUnSpecified();
        pool.slot0.activeId = uint24(walk.id);
        if (walk.toProtocol != 0) protocolFeesAccrued[xForY ? key.currency0 : key.currency1] += walk.toProtocol;
        (uint256 paid, uint256 got) = walk.sells ? (amount, walk.other) : (walk.other, amount);
        delta = xForY ? _account(key, -int256(paid), int256(got)) : _account(key, int256(got), -int256(paid));
        emit Swap(
            id,
            msg.sender,
            int128(delta >> 128),
            int128(delta),
            uint24(walk.id),
            uint24(walk.fee),
            uint16(walk.protocolFee)
        );
    }

    function _begin(Pool storage pool, bool xForY, int128 amountSpecified) private view returns (Walk memory walk) {
        Slot0 memory slot0 = pool.slot0;
        (walk.xForY, walk.sells, walk.id, walk.binStep) = (xForY, amountSpecified < 0, slot0.activeId, pool.binStep);
        walk.protocolFee = xForY ? slot0.protocolFee & 0xfff : slot0.protocolFee >> 12;
        walk.fee = walk.protocolFee + slot0.lpFee - walk.protocolFee * slot0.lpFee / PPM;
        int256 amount = amountSpecified;
        walk.left = uint256(amount < 0 ? -amount : amount);
    }

    /// Trades in the bin that a swap has come to. One that has nothing to give is passed by.
    function _tradeIn(Pool storage pool, Walk memory walk) private {
        (uint128 x, uint128 y) = _unpacked(pool.bins[walk.id]);
        uint256 reserve = walk.xForY ? y : x;
        if (reserve == 0) return;
        uint256 price = DevnetBinMath.priceOf(walk.id, walk.binStep);
        (uint256 paid, uint256 got, uint256 fee) = (0, 0, 0);
        uint256 parts = walk.fee * PARTS;
        if (walk.sells) {
            (paid, got, fee) = _sold(reserve, price, parts, walk);
            (walk.left, walk.other) = (walk.left - paid, walk.other + got);
        } else {
            got = walk.left < reserve ? walk.left : reserve;
            uint256 net = DevnetBinMath.costOf(got, price, walk.xForY);
            fee = _onTop(net, parts);
            paid = net + fee;
            (walk.left, walk.other) = (walk.left - got, walk.other + paid);
        }
        if (paid == 0) return;
        uint256 taken = walk.fee == 0 ? 0 : fee * walk.protocolFee / walk.fee;
        walk.toProtocol += taken;
        (int256 stays, int256 out) = (int256(paid - taken), -int256(got));
        if (walk.xForY) _change(pool, walk.id, stays, out);
        else _change(pool, walk.id, out, stays);
    }

    /// What a swap with so much left to sell pays and gets, and the fee of that.
    function _sold(uint256 reserve, uint256 price, uint256 parts, Walk memory walk)
        private
        pure
        returns (uint256 paid, uint256 got, uint256 fee)
    {
        uint256 net = DevnetBinMath.costOf(reserve, price, walk.xForY);
        fee = _onTop(net, parts);
        if (walk.left >= net + fee) return (net + fee, reserve, fee);
        fee = (walk.left * parts + DevnetBinMath.ONE - 1) / DevnetBinMath.ONE;
        net = walk.left - fee;
        got = walk.xForY
            ? DevnetBinMath.worthInY(net, price, false)
            : DevnetBinMath.worthInX(net, price, false);
        return (walk.left, got < reserve ? got : reserve, fee);
    }

    function _onTop(uint256 net, uint256 parts) private pure returns (uint256) {
        return (net * parts + DevnetBinMath.ONE - parts - 1) / (DevnetBinMath.ONE - parts);
    }

    function _change(Pool storage pool, uint256 bin, int256 moreX, int256 moreY) private {
        (uint128 x, uint128 y) = _unpacked(pool.bins[bin]);
        uint256 newX = uint256(int256(uint256(x)) + moreX);
        uint256 newY = uint256(int256(uint256(y)) + moreY);
        DevnetBinMath.requireRoom(newX, newY, DevnetBinMath.priceOf(bin, pool.binStep));
        pool.bins[bin] = bytes32(newX | newY << 128);
    }

    function _poolOf(InfinityKey memory key) private view returns (bytes32 id, Pool storage pool) {
        id = keccak256(abi.encode(key));
        pool = pools[id];
        if (pool.slot0.activeId == 0) revert PoolNotInitialized();
    }

    function _account(InfinityKey memory key, int256 first, int256 second) private returns (int256 delta) {
        require(int128(first) == first && int128(second) == second, "too large");
        delta = first << 128 | int256(uint256(uint128(int128(second))));
        vault.accountAppBalanceDelta(key.currency0, key.currency1, delta, msg.sender);
    }

    function _unpacked(bytes32 amounts) private pure returns (uint128, uint128) {
        return (uint128(uint256(amounts)), uint128(uint256(amounts) >> 128));
    }
}
