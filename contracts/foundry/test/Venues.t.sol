// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {vm, within} from "../src/Cheats.sol";
import {Kind, Kinds} from "../src/Kinds.sol";
import {TO_EXECUTOR, TO_PAYEE, WHOLE, exactIn, exactOut, none} from "../src/Routes.sol";

/// Every kind of venue by itself: what goes in, what comes out, and what becomes of one that lies about either.
contract VenuesTest is Kinds {
    function setUp() external {
        _makeKinds();
    }

    function test_everyKindSellsExactly() external {
        for (uint256 i = 0; i < KINDS; ++i) _sells(i, 1_000_003, "a plain amount");
    }

    function test_everyKindBuysExactly() external {
        for (uint256 i = 0; i < KINDS; ++i) _buys(i, 1_000_003);
    }

    function testFuzz_sellsExactly(uint256 index, uint256 amount) external {
        _sells(within(index, 0, KINDS - 1), within(amount, 1_000, 1e24), "a fuzzed amount");
    }

    function testFuzz_buysExactly(uint256 index, uint256 amount) external {
        _buys(within(index, 0, KINDS - 1), within(amount, 1, 1e24));
    }

    /// Rule C5: whatever a venue asks for, pays and says, who swaps pays at most the maximum and gets at least the minimum.
    function testFuzz_aLiarCostsAtMostWhatWasAgreed(
        uint256 index,
        bool buys,
        uint256 amount,
        uint256 least,
        int256[4] calldata lies
    ) external {
        Kind memory kind = _kind(within(index, 0, KINDS - 1));
        if (buys && !kind.exactOut) return;
        amount = within(amount, 1, 1e24);
        venue.lie(_lie(lies[0]), _lie(lies[1]), _lie(lies[2]), _lie(lies[3]));
        uint256 most = buys ? 2 * amount + 5 : amount;
        Terms memory terms = _terms(kind.sold, most, kind.bought, within(least, 1, amount + 2));
        terms.recipient = other;
        bytes memory fill = _fill(kind, buys ? 0 : TO_PAYEE, 0, 1, WHOLE);
        bytes memory payload = buys ? exactOut(amount, none(), fill) : exactIn(none(), fill);
        (uint256 soldBefore, uint256 boughtBefore) = (_balance(kind.sold, taker), _balance(kind.bought, other));
        bool done = _try(terms, payload);
        uint256 spent = soldBefore - _balance(kind.sold, taker);
        uint256 gained = _balance(kind.bought, other) - boughtBefore;
        vm.assertLe(spent, done ? most : 0, "more was taken than agreed");
        if (done) vm.assertGe(gained, terms.minBuyAmount, "less came than agreed");
        else vm.assertEq(gained, 0, "what failed has moved something");
        _allowsNothing(address(tokenA));
        _allowsNothing(address(tokenB));
    }

    function _sells(uint256 index, uint256 amount, string memory what) private {
        Kind memory kind = _kind(index);
        Terms memory terms = _terms(kind.sold, amount, kind.bought, 1);
        terms.recipient = other;
        (uint256 soldBefore, uint256 boughtBefore) = (_balance(kind.sold, taker), _balance(kind.bought, other));
        uint256 bought = _swap(terms, exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE)));
        vm.assertEq(soldBefore - _balance(kind.sold, taker), amount, string.concat(what, " was sold"));
        vm.assertEq(_balance(kind.bought, other) - boughtBefore, bought, string.concat(what, " came as was said"));
        if (index != 0) vm.assertEq(bought, amount, string.concat(what, " brings as much"));
        _nothingIsLeft();
    }

    function _buys(uint256 index, uint256 amount) private {
        Kind memory kind = _kind(index);
        Terms memory terms = _terms(kind.sold, amount + 5 + amount / 1_000, kind.bought, amount);
        terms.recipient = other;
        bytes memory payload = exactOut(amount, none(), _fill(kind, 0, 0, 1, WHOLE));
        if (!kind.exactOut) {
            vm.assertFalse(_try(terms, payload), "this kind has no exact outputs");
            return;
        }
        uint256 before = _balance(kind.bought, other);
        uint256 bought = _swap(terms, payload);
        vm.assertEq(bought, amount, "exactly what was asked for");
        vm.assertEq(_balance(kind.bought, other) - before, amount, "came to the recipient");
        _nothingIsLeft();
    }

    /// Half of them none, the others small or large.
    function _lie(int256 seed) private pure returns (int256) {
        if (seed % 2 == 0) return 0;
        return seed % 4 == 1 ? seed % 3 : seed % 1e24;
    }
}
