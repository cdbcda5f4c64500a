// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Terms} from "../../src/Terms.sol";
import {SOLIDLY_POOL, V4_POOL} from "../../src/VenueCodes.sol";
import {FakeManager} from "../../test/FakeManager.sol";
import {FakePool} from "../../test/FakePool.sol";
import {vm} from "../src/Cheats.sol";
import {Kinds} from "../src/Kinds.sol";
import {Plan} from "../src/Mischief.sol";
import {TO_PAYEE, WHOLE, exactIn, exactOut, fillOf, moreBytes, none, one} from "../src/Routes.sol";

/// Calls for another.
contract Asker {
    function ask(address target, bytes calldata data) external {
        (bool done,) = target.call(data);
        require(done, "refused");
    }
}

/// Rule C4: a callback comes once, from the pool that was asked, by its own name, with what it was given, for at most what
/// is sold. Every trick of a fake pool and of a fake manager, sold to, bought from, and in the middle of an exact output.
contract CallbacksTest is Kinds {
    uint256 private constant AMOUNT = 1_000;
    address private constant VICTIM = address(0x71c1);
    uint256 private constant DIALECTS = 4;
    /// Kinds of pools that ask for their payment in a callback.
    uint256[DIALECTS] private kinds = [2, 3, 4, 37];

    FakePool private fake;
    FakeManager private manager;

    function setUp() external {
        _makeKinds();
        fake = new FakePool();
        manager = new FakeManager();
        _enrich(VICTIM);
        tokenA.mint(address(fake), RICH);
        tokenB.mint(address(fake), RICH);
        fake.payWith(address(tokenB));
    }

    function test_aFakePoolSoldTo() external {
        for (uint256 trick = 0; trick < 9; ++trick) {
            for (uint256 dialect = 0; dialect < DIALECTS; ++dialect) {
                bytes memory fill = fillOf(_play(trick, dialect), TO_PAYEE, 0, 1, WHOLE, 0, address(fake));
                _costsNobodyAnything(exactIn(none(), fill), AMOUNT, "sold to");
            }
        }
    }

    function test_aFakePoolBoughtFrom() external {
        for (uint256 trick = 0; trick < 9; ++trick) {
            for (uint256 dialect = 0; dialect < DIALECTS; ++dialect) {
                bytes memory fill = fillOf(_play(trick, dialect), 0, 0, 1, WHOLE, 0, address(fake));
                _costsNobodyAnything(exactOut(AMOUNT, none(), fill), 2 * AMOUNT, "bought from");
            }
        }
    }

    /// What a pool in the middle asks for is made by the fills after it.
    function test_aFakePoolInTheMiddle() external {
        for (uint256 trick = 0; trick < 9; ++trick) {
            for (uint256 dialect = 0; dialect < DIALECTS; ++dialect) {
                bytes memory fills = bytes.concat(
                    fillOf(_play(trick, dialect), 0, 2, 1, WHOLE, 0, address(fake)),
                    fillOf(SOLIDLY_POOL, 0, 0, 2, WHOLE, 0, address(venue))
                );
                _costsNobodyAnything(exactOut(AMOUNT, one(address(weth)), fills), 2 * AMOUNT, "in the middle");
            }
        }
    }

    function test_aFakeManager() external {
        bytes memory more = moreBytes(abi.encodePacked(uint24(60), address(0)));
        for (uint256 trick = 0; trick < 10; ++trick) {
            manager.play(FakeManager.Trick(trick));
            bytes memory fill = bytes.concat(fillOf(V4_POOL, TO_PAYEE, 0, 1, WHOLE, 0, address(manager)), more);
            _costsNobodyAnything(exactIn(none(), fill), AMOUNT, "sold to a manager");
            fill = bytes.concat(fillOf(V4_POOL, 0, 0, 1, WHOLE, 0, address(manager)), more);
            _costsNobodyAnything(exactOut(AMOUNT, none(), fill), 2 * AMOUNT, "bought from a manager");
        }
    }

    /// The reasons, each by itself.
    function test_reasons() external {
        bytes memory missing = abi.encodeWithSignature("CallbackMissing(address)", address(fake));
        bytes memory unexpected = abi.encodeWithSignature("UnexpectedCallback(address)", address(fake));
        _refusesTrick(FakePool.Trick.NeverAsk, missing);
        _refusesTrick(FakePool.Trick.AskTwice, unexpected);
        _refusesTrick(FakePool.Trick.AskForNothing, unexpected);
        _refusesTrick(FakePool.Trick.TakeLess, abi.encodeWithSignature("PartialFill(address)", address(fake)));
        uint256 venueOf = _play(uint256(FakePool.Trick.ChangeTheData), 0);
        bytes memory fills = bytes.concat(
            fillOf(venueOf, 0, 2, 1, WHOLE, 0, address(fake)), fillOf(SOLIDLY_POOL, 0, 0, 2, WHOLE, 0, address(venue))
        );
        Terms memory terms = _terms(address(tokenA), 2 * AMOUNT, address(tokenB), 1);
        _refused(terms, exactOut(AMOUNT, one(address(weth)), fills), unexpected);
        _play(uint256(FakePool.Trick.NeverAsk), 0);
        _refused(terms, exactOut(AMOUNT, one(address(weth)), fills), missing);
        manager.play(FakeManager.Trick.NeverAsk);
        bytes memory more = moreBytes(abi.encodePacked(uint24(60), address(0)));
        bytes memory fill = bytes.concat(fillOf(V4_POOL, TO_PAYEE, 0, 1, WHOLE, 0, address(manager)), more);
        terms.maxSellAmount = AMOUNT;
        _refused(terms, exactIn(none(), fill), abi.encodeWithSignature("CallbackMissing(address)", address(manager)));
    }

    /// Of what a pool asks for the first amount above zero is what it is paid, by each name; it has to be one.
    function test_whatIsAskedForIsTheFirstAboveZero() external {
        for (uint256 dialect = 0; dialect < DIALECTS; ++dialect) {
            _asks(dialect, 3, 5, 3);
            _asks(dialect, 0, 5, 5);
            _asks(dialect, -3, 5, 5);
            _asks(dialect, 0, 0, 0);
        }
    }

    /// Another pool whose address has one other bit is another pool.
    function test_eachBitOfAPoolCounts() external {
        for (uint256 bit = 0; bit < 160; bit += 53) {
            address twin = address(uint160(address(venue)) ^ uint160(1 << bit));
            vm.etch(twin, address(new Asker()).code);
            vm.assertFalse(_tries(0, twin, 5, -5), "a twin was paid");
        }
    }

    function _asks(uint256 dialect, int256 amount0, int256 amount1, uint256 paid) private {
        uint256 before = tokenA.balanceOf(taker);
        vm.assertTrue(_tries(dialect, address(venue), amount0, amount1) == (paid != 0), "asked once, and once only");
        vm.assertEq(before - tokenA.balanceOf(taker), paid, "paid");
    }

    /// A swap over a pool of this kind, in the middle of which somebody asks for these amounts.
    function _tries(uint256 dialect, address by, int256 amount0, int256 amount1) private returns (bool) {
        uint256 number = _kind(kinds[dialect]).venue;
        venue.speak(0, false);
        bytes memory data = abi.encodeWithSelector(_callbackOf(kinds[dialect]), amount0, amount1, "");
        Plan[] memory plans = new Plan[](1);
        plans[0] = by == address(venue)
            ? Plan(address(executor), 0, data)
            : Plan(by, 0, abi.encodeCall(Asker.ask, (address(executor), data)));
        venue.plan(plans);
        bytes memory fill = fillOf(number, TO_PAYEE, 0, 1, WHOLE, 0, address(venue));
        return _try(_terms(address(tokenA), AMOUNT, address(tokenB), 1), exactIn(none(), fill));
    }

    function _refusesTrick(FakePool.Trick trick, bytes memory reason) private {
        bytes memory fill = fillOf(_play(uint256(trick), 0), TO_PAYEE, 0, 1, WHOLE, 0, address(fake));
        _refused(_terms(address(tokenA), AMOUNT, address(tokenB), 1), exactIn(none(), fill), reason);
    }

    /// @return the venue's number
    function _play(uint256 trick, uint256 dialect) private returns (uint256) {
        fake.play(FakePool.Trick(trick), _callbackOf(kinds[dialect]));
        return _kind(kinds[dialect]).venue;
    }

    /// A swap that is let through brought its minimum for at most its maximum; nobody else has lost anything.
    function _costsNobodyAnything(bytes memory payload, uint256 most, string memory what) private {
        (uint256 sold, uint256 bought) = (tokenA.balanceOf(taker), tokenB.balanceOf(taker));
        bool done = _try(_terms(address(tokenA), most, address(tokenB), AMOUNT), payload);
        vm.assertLe(sold - tokenA.balanceOf(taker), done ? most : 0, what);
        if (done) vm.assertGe(tokenB.balanceOf(taker) - bought, AMOUNT, what);
        vm.assertEq(tokenA.balanceOf(VICTIM), RICH, "a victim lost token A");
        vm.assertEq(tokenB.balanceOf(VICTIM), RICH, "a victim lost token B");
    }
}
