// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {AnyVenue} from "../src/AnyVenue.sol";
import {vm} from "../src/Cheats.sol";
import {Kind, Kinds} from "../src/Kinds.sol";
import {TO_EXECUTOR, TO_PAYEE, WHOLE, exactIn, exactOut, none, one} from "../src/Routes.sol";

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
}
