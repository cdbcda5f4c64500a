// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Terms} from "../../src/Terms.sol";
import {CURVE_POOL, LB_PAIR} from "../../src/VenueCodes.sol";
import {PlainToken} from "../../test/PlainToken.sol";
import {AnyVenue} from "../src/AnyVenue.sol";
import {vm, within} from "../src/Cheats.sol";
import {Kind, Kinds} from "../src/Kinds.sol";
import {TO_EXECUTOR, TO_NEXT, TO_PAYEE, WHOLE, exactIn, exactOut, moreBytes, one} from "../src/Routes.sol";

/// Routes of two venues, each of every kind that trades two tokens of others: nothing is lost on the way, nothing stays.
contract HopsTest is Kinds {
    uint256[15] private between = [0, 1, 2, 3, 4, 37, 5, 7, 10, 31, 33, 11, 12, 29, 30];

    PlainToken private tokenC;
    AnyVenue private second;

    function setUp() external {
        _makeKinds();
        tokenC = new PlainToken();
        (address low, address high) = address(tokenB) < address(tokenC)
            ? (address(tokenB), address(tokenC))
            : (address(tokenC), address(tokenB));
        second = new AnyVenue(low, high);
        tokenB.mint(address(second), RICH);
        tokenC.mint(address(second), RICH);
        // A manager or a vault knows all tokens.
        tokenC.mint(address(venue), RICH);
    }

    function testFuzz_sellsOverTwo(uint256 first, uint256 last, uint256 amount, bool ahead) external {
        (bytes memory fill, bytes memory next) = _fills(first, last, ahead, true);
        amount = within(amount, 1_000, 1e24);
        Terms memory terms = _terms(address(tokenA), amount, address(tokenC), 1);
        uint256 bought = _swap(terms, exactIn(one(address(tokenB)), bytes.concat(fill, next)));
        vm.assertEq(tokenC.balanceOf(taker), bought, "all of it came");
        vm.assertGe(bought, amount - amount / 1e6 - 2, "nothing is lost on the way");
        vm.assertLe(bought, amount, "nothing is made of nothing");
        _nothingIsLeftHere();
    }

    function testFuzz_buysOverTwo(uint256 first, uint256 last, uint256 amount, bool straight) external {
        // Curve's pools and proprietary AMMs have no exact outputs.
        (bytes memory fill, bytes memory next) = _fills(first % 11, last % 11, straight, false);
        amount = within(amount, 1, 1e24);
        Terms memory terms = _terms(address(tokenA), amount + amount / 1e6 + 8, address(tokenC), amount);
        uint256 bought = _swap(terms, exactOut(amount, one(address(tokenB)), bytes.concat(next, fill)));
        vm.assertEq(bought, amount, "exactly what was asked for");
        vm.assertEq(tokenC.balanceOf(taker), amount, "came");
        _nothingIsLeftHere();
    }

    /// A lock that is open is used again: two swaps with one manager or vault.
    function test_twoSwapsUnderOneLock() external {
        second = venue;
        uint256[3] memory locks = [uint256(5), 7, 33];
        for (uint256 i = 0; i < 3; ++i) {
            (bytes memory fill, bytes memory next) = (_hop(locks[i], venue, 0, 2, 0), _hop(locks[i], venue, 2, 1, 0));
            Terms memory terms = _terms(address(tokenA), 1_000, address(tokenC), 1_000);
            uint256 bought = _swap(terms, exactOut(1_000, one(address(tokenB)), bytes.concat(next, fill)));
            vm.assertEq(bought, 1_000, "under one lock");
            fill = _hop(locks[i], venue, 0, 2, TO_EXECUTOR);
            next = _hop(locks[i], venue, 2, 1, TO_PAYEE);
            bought = _swap(terms, exactIn(one(address(tokenB)), bytes.concat(fill, next)));
            vm.assertEq(bought, 1_000, "under two, one after the other");
            _nothingIsLeftHere();
        }
    }

    /// The first venue is told last how it is spoken to.
    function _fills(uint256 first, uint256 last, bool straight, bool sells)
        private
        returns (bytes memory fill, bytes memory next)
    {
        (first, last) = (between[first % between.length], between[last % between.length]);
        if (sells) {
            bool ahead = straight && last <= 1;
            next = _hop(last, second, 2, 1, TO_PAYEE);
            fill = _hop(first, venue, 0, 2, ahead ? TO_NEXT : TO_EXECUTOR);
        } else {
            next = _hop(last, second, 2, 1, straight && (last <= 4 || last == 37) ? 1 : 0);
            fill = _hop(first, venue, 0, 2, 0);
        }
    }

    /// A fill of a kind with a venue; its tokens by their numbers in the route.
    function _hop(uint256 index, AnyVenue at, uint8 sold, uint8 bought, uint8 destination)
        private
        returns (bytes memory)
    {
        Kind memory kind = _kind(index);
        at.speak(_callbackOf(index), index == 7);
        kind.pool = address(at);
        if (index == 10) kind.more = moreBytes(abi.encodePacked(address(at), uint72(9)));
        // Which of a pair of bins is sold, and Curve's coins by their numbers.
        if (kind.venue == LB_PAIR) kind.detail = at.token0() == (sold == 0 ? address(tokenA) : address(tokenB)) ? 1 : 0;
        if (kind.venue == CURVE_POOL && at.token0() != (sold == 0 ? address(tokenA) : address(tokenB))) {
            kind.detail = kind.detail & 0xff0000 | 0x000100;
        }
        return _fill(kind, destination, sold, bought, WHOLE);
    }

    function _nothingIsLeftHere() private {
        _nothingIsLeft();
        vm.assertEq(tokenC.balanceOf(address(executor)), 0, "the executor holds token C");
        vm.assertEq(tokenC.allowance(address(executor), address(second)), 0, "an approval is left");
        uint256 bought = tokenC.balanceOf(taker);
        vm.prank(taker);
        tokenC.transfer(address(0xdead), bought);
    }
}
