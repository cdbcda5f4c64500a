// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {PoolKey, SwapParams} from "../../src/venues/UniswapV4.sol";
import {AnyVenue, ICalledBack} from "../src/AnyVenue.sol";
import {vm} from "../src/Cheats.sol";
import {Kind, Kinds} from "../src/Kinds.sol";
import {TO_EXECUTOR, TO_PAYEE, WHOLE, exactIn, exactOut, none, one} from "../src/Routes.sol";

/// A manager of Infinity's whose Vault is another contract.
contract ApartManager is AnyVenue {
    address private immutable itsVault;

    constructor(address token0_, address token1_, address vault_) AnyVenue(token0_, token1_) {
        itsVault = vault_;
    }

    function vault() external view override returns (address) {
        return itsVault;
    }
}

/// A manager that answers a swap with these deltas, or calls back in another way than it was asked to.
contract OddManager {
    enum Way {
        Answer,
        OtherData,
        ByAnother
    }

    Way private way;
    int256 private delta;
    OddManager private another;

    function be(Way way_, int128 delta0, int128 delta1, OddManager another_) external {
        (way, another) = (way_, another_);
        delta = int256(delta0) << 128 | int256(uint256(uint128(delta1)));
    }

    function unlock(bytes calldata data) external returns (bytes memory) {
        bytes memory told = data;
        if (way == Way.OtherData) told[told.length - 1] ^= 0x01;
        if (way == Way.ByAnother) return another.callBack(msg.sender, told);
        return ICalledBack(msg.sender).unlockCallback(told);
    }

    function callBack(address executor, bytes calldata data) external returns (bytes memory) {
        return ICalledBack(executor).unlockCallback(data);
    }

    function swap(PoolKey calldata, SwapParams calldata, bytes calldata) external view returns (int256) {
        return delta;
    }
}

/// Venues that are traded under a lock: what they are paid and pay, and from when to when they may send native token.
contract LocksTest is Kinds {
    uint256 private constant AMOUNT = 1_000_000;

    function setUp() external {
        _makeKinds();
    }

    /// A Vault sends it while it is settled with, and no more afterwards.
    function test_nativeTokenComesFromTheVault() external {
        Kind memory kind = _kind(33);
        Terms memory terms = _terms(address(tokenA), AMOUNT, address(weth), AMOUNT);
        bytes memory fills = bytes.concat(_fill(kind, TO_EXECUTOR, 0, 2, WHOLE), _fill(_kind(27), TO_PAYEE, 2, 1, WHOLE));
        vm.assertEq(_swap(terms, exactIn(one(NATIVE_TOKEN), fills)), AMOUNT, "wrapped");
        bytes memory reason = abi.encodeWithSignature("UnexpectedNative(address)", address(venue));
        _refusedCall(address(venue), address(executor), 1, "", reason);
        _nothingIsLeft();
    }

    /// Price apart from one to one: what is sold is paid, and what is bought is taken.
    function test_whatIsSoldIsPaidAndWhatIsBoughtIsTaken() external {
        uint256[3] memory locks = [uint256(5), 7, 33];
        for (uint256 i = 0; i < locks.length; ++i) {
            Kind memory kind = _kind(locks[i]);
            venue.lie(0, 0, -10, 0);
            Terms memory terms = _terms(kind.sold, AMOUNT, kind.bought, AMOUNT - 10);
            (uint256 sold, uint256 bought) = (tokenA.balanceOf(taker), tokenB.balanceOf(taker));
            _swap(terms, exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE)));
            vm.assertEq(sold - tokenA.balanceOf(taker), AMOUNT, "paid");
            vm.assertEq(tokenB.balanceOf(taker) - bought, AMOUNT - 10, "taken");
            venue.lie(7, 0, 0, 0);
            terms.maxSellAmount = 2 * AMOUNT;
            (sold, bought) = (tokenA.balanceOf(taker), tokenB.balanceOf(taker));
            _swap(terms, exactOut(AMOUNT, none(), _fill(kind, 0, 0, 1, WHOLE)));
            vm.assertEq(sold - tokenA.balanceOf(taker), AMOUNT + 7, "paid for an exact output");
            vm.assertEq(tokenB.balanceOf(taker) - bought, AMOUNT, "taken of an exact output");
        }
    }

    /// A manager may send native token while its lock is open, and no more afterwards.
    function test_nativeTokenComesFromAnOpenManager() external {
        Kind memory kind = _kind(6);
        (kind.sold, kind.bought) = (address(tokenA), NATIVE_TOKEN);
        Terms memory terms = _terms(address(tokenA), AMOUNT, address(weth), AMOUNT);
        bytes memory fills = bytes.concat(_fill(kind, TO_EXECUTOR, 0, 2, WHOLE), _fill(_kind(27), TO_PAYEE, 2, 1, WHOLE));
        vm.assertEq(_swap(terms, exactIn(one(NATIVE_TOKEN), fills)), AMOUNT, "wrapped");
        bytes memory reason = abi.encodeWithSignature("UnexpectedNative(address)", address(venue));
        _refusedCall(address(venue), address(executor), 1, "", reason);
    }

    /// The Vault is paid and pays, whichever manager knows the pool; and another Vault has a lock of its own.
    function test_aVaultApartFromItsManager() external {
        ApartManager manager = new ApartManager(address(tokenA), address(tokenB), address(venue));
        Kind memory kind = _kind(33);
        kind.pool = address(manager);
        uint256 held = tokenA.balanceOf(address(venue));
        _swap(_terms(kind.sold, AMOUNT, kind.bought, AMOUNT), exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE)));
        _swap(_terms(kind.sold, AMOUNT, kind.bought, AMOUNT), exactOut(AMOUNT, none(), _fill(kind, 0, 0, 1, WHOLE)));
        vm.assertEq(tokenA.balanceOf(address(venue)) - held, 2 * AMOUNT, "the Vault is paid");

        AnyVenue second = _newVenue();
        vm.prank(taker);
        weth.transfer(address(second), 1e24);
        Kind memory last = _kind(33);
        last.pool = address(second);
        bytes memory fills = bytes.concat(_fill(last, 0, 2, 1, WHOLE), _fill(kind, 0, 0, 2, WHOLE));
        Terms memory terms = _terms(address(tokenA), AMOUNT, address(weth), AMOUNT);
        vm.assertEq(_swap(terms, exactOut(AMOUNT, one(address(tokenB)), fills)), AMOUNT, "over two Vaults");
        vm.assertEq(tokenA.balanceOf(address(venue)) - held, 3 * AMOUNT, "each is paid");
        vm.assertEq(tokenB.balanceOf(address(second)), RICH + AMOUNT, "what is due to it");
    }

    /// Its callback comes from the manager itself, with what it was given; and no swap takes from the payer and the payee.
    function test_aManagerKeepsToItsForm() external {
        OddManager odd = new OddManager();
        bytes memory reason = abi.encodeWithSignature("UnexpectedCallback(address)", address(odd));
        _refusesOdd(odd, OddManager.Way.OtherData, reason);
        OddManager another = new OddManager();
        odd.be(OddManager.Way.ByAnother, 0, 0, another);
        _refusesOdd(odd, abi.encodeWithSignature("UnexpectedCallback(address)", address(another)));
        odd.be(OddManager.Way.Answer, -int128(int256(AMOUNT)), -1, odd);
        _refusesOdd(odd, reason);
        _kind(5);
        venue.lie(0, 0, -int256(AMOUNT), 0);
        bytes memory fill = _fill(_kind(5), TO_PAYEE, 0, 1, WHOLE);
        reason = abi.encodeWithSignature("InsufficientOutput(uint256,uint256)", 1, 0);
        _refused(_terms(address(tokenA), AMOUNT, address(tokenB), 1), exactIn(none(), fill), reason);
    }

    function _refusesOdd(OddManager odd, OddManager.Way way, bytes memory reason) private {
        odd.be(way, -int128(int256(AMOUNT)), int128(int256(AMOUNT)), odd);
        _refusesOdd(odd, reason);
    }

    function _refusesOdd(OddManager odd, bytes memory reason) private {
        Kind memory kind = _kind(5);
        kind.pool = address(odd);
        bytes memory fill = _fill(kind, TO_PAYEE, 0, 1, WHOLE);
        _refused(_terms(address(tokenA), AMOUNT, address(tokenB), 1), exactIn(none(), fill), reason);
    }
}
