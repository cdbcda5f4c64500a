// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {SOLIDLY_POOL, V3_POOL} from "../../src/VenueCodes.sol";
import {FundManagement, SingleSwap} from "../../src/venues/BalancerV2.sol";
import {BufferWrapOrUnwrapParams, VaultSwapParams} from "../../src/venues/BalancerV3.sol";
import {InfinityKey} from "../../src/venues/Infinity.sol";
import {PoolKey, SwapParams} from "../../src/venues/UniswapV4.sol";
import {PlainToken} from "../../test/PlainToken.sol";
import {AnyVenue} from "../src/AnyVenue.sol";
import {vm} from "../src/Cheats.sol";
import {Kind, Kinds} from "../src/Kinds.sol";
import {TO_PAYEE, WHOLE, exactIn, exactOut, fillOf, moreBytes, none, one} from "../src/Routes.sol";

/// A venue that keeps by which key it was asked for a pool, and for what.
contract NamingVenue is AnyVenue {
    bytes32 public named;
    bytes32 public noted;
    uint256 public notes;

    constructor(address token0_, address token1_) AnyVenue(token0_, token1_) {}

    function _note(bytes memory asked_) internal override {
        noted = keccak256(asked_);
        ++notes;
    }

    function previewMint(uint256 shares) public view override returns (uint256) {
        return super.previewMint(shares) + 7;
    }

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

    function swap(InfinityKey calldata key, bool xForY, int128 amount, bytes calldata)
        external
        override
        returns (int256)
    {
        named = keccak256(abi.encode(key));
        return _swapInLock(SwapParams(xForY, amount, 0));
    }
}

/// Managers know many pools: which of them is traded is what the fill says.
contract NamesTest is Kinds {
    uint256 private constant AMOUNT = 1_000_000;
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;
    address private constant HOOKS = address(0x400c);

    /// How often the venue was asked before.
    uint256 private before;

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
        uint256[4] memory kinds = [uint256(33), 34, 38, 39];
        for (uint256 i = 0; i < 4; ++i) {
            Kind memory kind = _kind(kinds[i]);
            kind.more = moreBytes(abi.encodePacked(uint40(50 << 16), HOOKS));
            (address low, address high) = _currencies(kind);
            InfinityKey memory key = InfinityKey(low, high, HOOKS, address(venue), 2500, bytes32(uint256(50 << 16)));
            _tradeBothWays(kind, keccak256(abi.encode(key)));
        }
    }

    /// Below zero is sold, and a price goes down where currency 0 is.
    function test_managersAreAskedForWhatIsSwapped() external {
        uint256[4] memory kinds = [uint256(5), 6, 33, 34];
        for (uint256 i = 0; i < 8; ++i) {
            Kind memory kind = _kind(kinds[i / 2]);
            if (i % 2 == 1) (kind.sold, kind.bought) = (kind.bought, kind.sold);
            bool down = kind.sold == NATIVE_TOKEN || (kind.bought != NATIVE_TOKEN && kind.sold < kind.bought);
            _sells(kind, abi.encode(SwapParams(down, -int256(AMOUNT), down ? LOWEST : HIGHEST)));
            _buys(kind, abi.encode(SwapParams(down, int256(AMOUNT), down ? LOWEST : HIGHEST)));
        }
    }

    /// Above zero is sold, other than with a manager.
    function test_poolsAreAskedForWhatIsSwapped() external {
        for (uint256 i = 0; i < 6; ++i) {
            Kind memory kind = _kind(2 + i / 2);
            if (i % 2 == 1) (kind.sold, kind.bought) = (kind.bought, kind.sold);
            bool down = kind.sold < kind.bought;
            _sells(kind, abi.encode(down, int256(AMOUNT), down ? LOWEST : HIGHEST));
            _buys(kind, abi.encode(down, -int256(AMOUNT), down ? LOWEST : HIGHEST));
        }
    }

    /// A pool that is paid by the fills after its own, either way that its tokens lie.
    function test_aPoolInTheMiddleIsAskedForWhatIsSwapped() external {
        PlainToken between = new PlainToken();
        for (uint256 i = 0; i < 2; ++i) {
            bool down = i == 0;
            while ((address(between) < address(tokenB)) != down) between = new PlainToken();
            (address low, address high) = down ? (address(between), address(tokenB)) : (address(tokenB), address(between));
            NamingVenue last = new NamingVenue(low, high);
            tokenB.mint(address(last), RICH);
            between.mint(address(venue), RICH);
            last.speak(executor.uniswapV3SwapCallback.selector, false);
            bytes memory fills = bytes.concat(
                fillOf(V3_POOL, 0, 2, 1, WHOLE, 0, address(last)), _fill(_kind(5), 0, 0, 2, WHOLE)
            );
            (uint256 sold, uint256 most) = (tokenA.balanceOf(taker), 2 * AMOUNT);
            Terms memory terms = _terms(address(tokenA), most, address(tokenB), AMOUNT);
            _swap(terms, exactOut(AMOUNT, one(address(between)), fills));
            bytes memory asked = abi.encode(down, -int256(AMOUNT), down ? LOWEST : HIGHEST);
            vm.assertTrue(last.noted() == keccak256(asked), "something else was asked for");
            vm.assertEq(between.balanceOf(address(last)), AMOUNT, "the pool is paid");
            vm.assertEq(sold - tokenA.balanceOf(taker), AMOUNT, "by the taker");
        }
    }

    function test_vaultsAreAskedForWhatIsSwapped() external {
        Kind memory kind = _kind(7);
        VaultSwapParams memory swap =
            VaultSwapParams(0, address(pair), address(tokenA), address(tokenB), AMOUNT, 0, "");
        _sells(kind, abi.encode(swap));
        (swap.kind, swap.limitRaw) = (1, type(uint256).max);
        _buys(kind, abi.encode(swap));
        for (uint8 out = 0; out < 2; ++out) {
            kind = _kind(8 + out);
            BufferWrapOrUnwrapParams memory wrap = BufferWrapOrUnwrapParams(0, out, address(venue), AMOUNT, 0);
            _sells(kind, abi.encode(wrap));
            // The preview of one unit more, and one more.
            (wrap.kind, wrap.limitRaw) = (1, AMOUNT + 2 + (out == 0 ? 7 : 0));
            _buys(kind, abi.encode(wrap));
        }
        kind = _kind(10);
        bytes32 id = bytes32(uint256(uint160(address(venue))) << 96 | uint256(7) << 72 | 9);
        SingleSwap memory single = SingleSwap(id, 0, address(tokenA), address(tokenB), AMOUNT, "");
        FundManagement memory funds = FundManagement(address(executor), false, taker, false);
        _sells(kind, abi.encode(single, funds, uint256(0), block.timestamp));
        single.kind = 1;
        _buys(kind, abi.encode(single, funds, AMOUNT, block.timestamp));
    }

    /// Shares that are minted cost what the vault says of minting, not of withdrawing.
    function test_vaultsSayWhatMintingCosts() external {
        Kind memory kind = _kind(21);
        venue.lie(7, 0, 0, 0);
        Terms memory terms = _terms(kind.sold, AMOUNT + 7, kind.bought, AMOUNT);
        vm.assertEq(_swap(terms, exactOut(AMOUNT, none(), _fill(kind, 0, 0, 1, WHOLE))), AMOUNT, "minted");
    }

    /// Of nothing a vault is asked as for an exact output, which a buffer has a cost for.
    function test_nothingIsAnExactOutput() external {
        bytes memory rest = fillOf(SOLIDLY_POOL, TO_PAYEE, 0, 1, WHOLE, 0, address(_newVenue()));
        Kind memory kind = _kind(7);
        bytes memory fills = bytes.concat(_fill(kind, TO_PAYEE, 0, 1, 0), rest);
        _swap(_terms(address(tokenA), AMOUNT, address(tokenB), AMOUNT), exactIn(none(), fills));
        before = NamingVenue(payable(address(venue))).notes() - 1;
        _isNoted(
            abi.encode(VaultSwapParams(1, address(pair), address(tokenA), address(tokenB), 0, type(uint256).max, ""))
        );
        kind = _kind(8);
        fills = bytes.concat(_fill(kind, TO_PAYEE, 0, 1, 0), _fill(kind, TO_PAYEE, 0, 1, WHOLE));
        bytes memory reason = abi.encodeWithSignature("ExcessivePayment(uint256,uint256)", 0, 9);
        _refused(_terms(kind.sold, AMOUNT, kind.bought, AMOUNT), exactIn(none(), fills), reason);
        // Opened first, closed last.
        fills = bytes.concat(_fill(kind, 0, 0, 1, 0), _fill(kind, 0, 0, 1, WHOLE));
        _swap(_terms(kind.sold, 2 * AMOUNT, kind.bought, AMOUNT), exactOut(AMOUNT, none(), fills));
        before = NamingVenue(payable(address(venue))).notes() - 1;
        _isNoted(abi.encode(BufferWrapOrUnwrapParams(1, 0, address(venue), 0, 9)));
    }

    function _sells(Kind memory kind, bytes memory asked) private {
        before = NamingVenue(payable(address(venue))).notes();
        _swap(_terms(kind.sold, AMOUNT, kind.bought, AMOUNT), exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE)));
        _isNoted(asked);
    }

    function _buys(Kind memory kind, bytes memory asked) private {
        before = NamingVenue(payable(address(venue))).notes();
        Terms memory terms = _terms(kind.sold, AMOUNT + 9, kind.bought, AMOUNT);
        _swap(terms, exactOut(AMOUNT, none(), _fill(kind, 0, 0, 1, WHOLE)));
        _isNoted(asked);
    }

    function _isNoted(bytes memory asked) private view {
        NamingVenue naming = NamingVenue(payable(address(venue)));
        vm.assertTrue(naming.noted() == keccak256(asked), "something else was asked for");
        vm.assertEq(naming.notes() - before, 1, "and once");
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
