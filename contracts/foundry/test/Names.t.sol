// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {InfinityKey} from "../../src/venues/Infinity.sol";
import {PoolKey, SwapParams} from "../../src/venues/UniswapV4.sol";
import {AnyVenue} from "../src/AnyVenue.sol";
import {vm} from "../src/Cheats.sol";
import {Kind, Kinds} from "../src/Kinds.sol";
import {TO_PAYEE, WHOLE, exactIn, exactOut, moreBytes, none} from "../src/Routes.sol";

/// A venue that keeps by which key it was asked for a pool.
contract NamingVenue is AnyVenue {
    bytes32 public named;

    constructor(address token0_, address token1_) AnyVenue(token0_, token1_) {}

    function swap(PoolKey calldata key, SwapParams calldata params, bytes calldata)
        external
        override
        returns (int256)
    {
        named = keccak256(abi.encode(key));
        return _swapInLock(params);
    }

    function swap(InfinityKey calldata key, SwapParams calldata params, bytes calldata)
        external
        override
        returns (int256)
    {
        named = keccak256(abi.encode(key));
        return _swapInLock(params);
    }
}

/// Managers know many pools: which of them is traded is what the fill says.
contract NamesTest is Kinds {
    uint256 private constant AMOUNT = 1_000_000;
    address private constant HOOKS = address(0x400c);

    function setUp() external {
        _makeKinds();
    }

    function _makeVenue() internal override returns (AnyVenue) {
        return new NamingVenue(address(tokenA), address(tokenB));
    }

    function test_poolsOfUniswapV4AreNamedByTheirKeys() external {
        for (uint256 i = 5; i <= 6; ++i) {
            Kind memory kind = _kind(i);
            kind.more = moreBytes(abi.encodePacked(uint24(60), HOOKS));
            (address low, address high) = _currencies(kind);
            _tradeBothWays(kind, keccak256(abi.encode(PoolKey(low, high, 500, 60, HOOKS))));
        }
    }

    function test_poolsOfInfinityAreNamedByTheirKeys() external {
        for (uint256 i = 33; i <= 34; ++i) {
            Kind memory kind = _kind(i);
            kind.more = moreBytes(abi.encodePacked(uint40(50 << 16), HOOKS));
            (address low, address high) = _currencies(kind);
            InfinityKey memory key = InfinityKey(low, high, HOOKS, address(venue), 2500, bytes32(uint256(50 << 16)));
            _tradeBothWays(kind, keccak256(abi.encode(key)));
        }
    }

    function _tradeBothWays(Kind memory kind, bytes32 name) private {
        for (uint256 i = 0; i < 2; ++i) {
            bytes memory sells = exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE));
            _swap(_terms(kind.sold, AMOUNT, kind.bought, AMOUNT), sells);
            _isNamed(name);
            bytes memory buys = exactOut(AMOUNT, none(), _fill(kind, 0, 0, 1, WHOLE));
            _swap(_terms(kind.sold, AMOUNT, kind.bought, AMOUNT), buys);
            _isNamed(name);
            (kind.sold, kind.bought) = (kind.bought, kind.sold);
        }
    }

    function _isNamed(bytes32 name) private view {
        vm.assertTrue(NamingVenue(payable(address(venue))).named() == name, "another pool was asked for");
    }

    /// The zero address stands for native token, and comes first.
    function _currencies(Kind memory kind) private pure returns (address, address) {
        return kind.sold == NATIVE_TOKEN ? (address(0), kind.bought) : (kind.sold, kind.bought);
    }
}
