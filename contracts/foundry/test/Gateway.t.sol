// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {CURVE_POOL, SOLIDLY_POOL, WRAPPED_NATIVE} from "../../src/VenueCodes.sol";
import {Debtor} from "../../test/Debtor.sol";
import {NativeReceiver} from "../../test/NativeReceiver.sol";
import {vm, within} from "../src/Cheats.sol";
import {GatewayWorld} from "../src/GatewayWorld.sol";
import {Plan} from "../src/Mischief.sol";
import {TO_PAYEE, WHOLE, exactOut, fillOf, none} from "../src/Routes.sol";

/// Plain swaps: what terms are refused, what an executor may take, what counts as output, and the fee.
contract GatewayTest is GatewayWorld {
    uint256 private constant AMOUNT = 1_000_000;

    function setUp() external {
        _makeGateway();
    }

    function test_termsThatTheCallerCouldLoseByAreRefused() external {
        Terms memory terms = _plain();
        terms.deadline = block.timestamp - 1;
        _refusesTerms(terms, abi.encodeWithSignature("DeadlinePassed(uint256)", terms.deadline));
        terms = _plain();
        terms.minBuyAmount = 0;
        _refusesTerms(terms, abi.encodeWithSignature("ZeroMinimum()"));
        terms = _plain();
        terms.buyToken = terms.sellToken;
        _refusesTerms(terms, abi.encodeWithSignature("SameToken(address)", terms.sellToken));
        address[2] memory ours = [address(gateway), address(executor)];
        for (uint256 i = 0; i < 2; ++i) {
            terms = _plain();
            terms.recipient = ours[i];
            _refusesTerms(terms, abi.encodeWithSignature("InvalidRecipient(address)", ours[i]));
            _refusesFee(1, ours[i]);
        }
        _refusesFee(0, address(0xfee));
        _refusesFee(1, address(0));
        _refusesFee(100_001, address(0xfee));
        terms = _plain();
        vm.assertEq(_swap(terms, _route()), AMOUNT, "sound terms are let in, in their last second");
    }

    function test_valueIsWhatIsSold() external {
        bytes memory data = abi.encodeCall(gateway.swap, (_plain(), _route()));
        bytes memory reason = abi.encodeWithSignature("WrongValue(uint256,uint256)", 0, 1);
        _refusedCall(taker, address(gateway), 1, data, reason);
        Terms memory terms = _terms(NATIVE_TOKEN, AMOUNT, address(weth), 1);
        bytes memory route = _single(WRAPPED_NATIVE, 0, address(0), "");
        data = abi.encodeCall(gateway.swap, (terms, route));
        for (uint256 i = 0; i < 2; ++i) {
            uint256 value = AMOUNT - 1 + 2 * i;
            reason = abi.encodeWithSignature("WrongValue(uint256,uint256)", AMOUNT, value);
            _refusedCall(taker, address(gateway), value, data, reason);
        }
        vm.assertEq(_swap(terms, route), AMOUNT, "exactly what is sold");
    }

    function test_nobodyDrawsOrSendsAtRest() external {
        bytes memory draw = abi.encodeCall(gateway.pull, (taker, 0));
        bytes memory reason = abi.encodeWithSignature("NotTheExecutor(address)", other);
        _refusedCall(other, address(gateway), 0, draw, reason);
        _swap(_plain(), _route());
        _refusedCall(other, address(gateway), 0, draw, reason);
        reason = abi.encodeWithSignature("NotTheExecutor(address)", address(executor));
        _refusedCall(address(executor), address(gateway), 0, draw, reason);
        _refusedCall(taker, address(gateway), 1, "", abi.encodeWithSignature("UnexpectedNative()"));
    }

    function test_noSwapWithinASwap() external {
        bytes memory reason = abi.encodeWithSignature("Reentered()");
        NativeReceiver receiver = new NativeReceiver();
        receiver.feel(NativeReceiver.Mood.CallBack);
        receiver.plan(address(gateway), 0, abi.encodeCall(gateway.swap, (_plain(), _route())));
        Terms memory terms = _terms(address(tokenA), AMOUNT, NATIVE_TOKEN, 1);
        terms.recipient = address(receiver);
        _swap(terms, _single(CURVE_POOL, 2, address(venue), ""));
        vm.assertTrue(receiver.called(), "it was tried");
        vm.assertEq(receiver.answer(), reason, "and refused");
        vm.assertEq(_swap(_plain(), _route()), AMOUNT, "the lock is open again");
    }

    /// An executor takes at most what was agreed, in as many parts as it likes, and only while it runs.
    function testFuzz_anExecutorTakesAtMostWhatWasAgreed(uint256 first, uint256 second, uint256 give, uint256 least)
        external
    {
        Terms memory terms = _plain();
        (terms.executor, terms.recipient) = (address(hostile), other);
        terms.minBuyAmount = within(least, 1, 2 * AMOUNT);
        Plan[] memory plans = new Plan[](2);
        (first, second) = (within(first, 0, 2 * AMOUNT), within(second, 0, 2 * AMOUNT));
        plans[0] = Plan(address(gateway), 0, abi.encodeCall(gateway.pull, (address(0xa77ac), first)));
        plans[1] = Plan(address(gateway), 0, abi.encodeCall(gateway.pull, (address(0xa77ac), second)));
        hostile.plan(plans);
        give = within(give, 0, 2 * AMOUNT);
        bool done = _try(terms, abi.encode(give));
        vm.assertTrue(done == (give >= terms.minBuyAmount), "the minimum alone decides");
        uint256 expected = first <= AMOUNT ? first : 0;
        if (expected + second <= AMOUNT) expected += second;
        vm.assertEq(RICH - tokenA.balanceOf(taker), done ? expected : 0, "what was taken");
        vm.assertEq(tokenB.balanceOf(other), done ? give : 0, "what came");
        (bool open,) = address(hostile).call(abi.encodeCall(hostile.execute, (other, 0, address(tokenB), other, abi.encode(uint256(0)))));
        vm.assertTrue(open, "the executor runs by itself");
        vm.assertEq(RICH - tokenA.balanceOf(taker), done ? expected : 0, "and takes nothing then");
    }

    /// What lies in the gateway is no output of a swap with a fee, whatever is bought.
    function test_whatLiesThereIsNoOutputWithAFee() external {
        vm.deal(address(gateway), 3);
        tokenB.mint(address(gateway), 5);
        Terms memory terms = _plain();
        (terms.recipient, terms.feeRatePpm, terms.feeRecipient) = (other, 100_000, address(0xfee));
        terms.minBuyAmount = 1;
        uint256 expected = AMOUNT - AMOUNT / 10;
        vm.assertEq(_swap(terms, _route()), expected, "what came");
        vm.assertEq(tokenB.balanceOf(address(gateway)), 5, "the token that lay there");
        terms.buyToken = NATIVE_TOKEN;
        vm.assertEq(_swap(terms, _single(CURVE_POOL, 2, address(venue), "")), expected, "what came of native token");
        vm.assertEq(address(gateway).balance, 3, "the native token that lay there");
    }

    /// Native token that comes back is given back to the unit, and nothing is sent where none has come back.
    function test_unspentNativeTokenGoesBackToTheUnit() external {
        Plan[] memory plans = new Plan[](1);
        plans[0] = Plan(address(gateway), 1, "");
        hostile.plan(plans);
        for (uint256 amount = 1; amount < 3; ++amount) {
            Terms memory some = _terms(NATIVE_TOKEN, amount, address(tokenB), 1);
            some.executor = address(hostile);
            uint256 before = taker.balance;
            _swap(some, abi.encode(uint256(1)));
            vm.assertEq(before - taker.balance, amount - 1, "one unit came back");
        }
        Terms memory terms = _plain();
        (terms.executor, terms.minBuyAmount) = (address(hostile), 1);
        _swap(terms, abi.encode(uint256(1)));
        vm.assertEq(address(gateway).balance, 1, "what was not sent along is nobody's");
        hostile.plan(new Plan[](0));
        NativeReceiver refusing = new NativeReceiver();
        refusing.feel(NativeReceiver.Mood.Refuse);
        vm.deal(address(refusing), 5);
        terms = _terms(NATIVE_TOKEN, 5, address(tokenB), 1);
        terms.executor = address(hostile);
        vm.prank(address(refusing));
        vm.assertEq(gateway.swap{value: 5}(terms, abi.encode(uint256(1))), 1, "all was spent");
    }

    /// What an executor says counts at most, and what comes to the recipient anyway counts for nothing.
    function test_whatIsOwedAnywayIsNoOutput() external {
        Debtor debtor = new Debtor(tokenB, other);
        tokenB.mint(address(debtor), AMOUNT);
        Plan[] memory plans = new Plan[](1);
        plans[0] = Plan(address(debtor), 0, abi.encodeCall(debtor.pay, ()));
        venue.plan(plans);
        venue.lie(0, 0, -int256(AMOUNT / 2), 0);
        Terms memory terms = _plain();
        (terms.recipient, terms.minBuyAmount) = (other, AMOUNT / 2 + 1);
        bytes memory reason = abi.encodeWithSignature("InsufficientOutput(uint256,uint256)", AMOUNT / 2 + 1, AMOUNT / 2);
        _refused(terms, _route(), reason);
        terms.minBuyAmount = AMOUNT / 2;
        vm.assertEq(_swap(terms, _route()), AMOUNT / 2, "what the swap brought");
        vm.assertEq(tokenB.balanceOf(other), AMOUNT / 2 + AMOUNT, "beside the debt");
    }

    /// The known limit of that (docs/audit/threat-model.md): without a fee, a pool that claims to have paid and has not, and
    /// gets somebody to pay the recipient what it owes it, is believed. With any fee the gateway measures alone.
    function test_aDebtStandsInForALyingPoolOnlyWithoutAFee() external {
        Debtor debtor = new Debtor(tokenB, other);
        tokenB.mint(address(debtor), AMOUNT);
        Plan[] memory plans = new Plan[](1);
        plans[0] = Plan(address(debtor), 0, abi.encodeCall(debtor.pay, ()));
        venue.plan(plans);
        venue.lie(0, -int256(AMOUNT), 0, 0);
        Terms memory terms = _plain();
        (terms.recipient, terms.minBuyAmount) = (other, AMOUNT / 2);
        (terms.feeRatePpm, terms.feeRecipient) = (1, address(0xfee));
        _refused(terms, _route(), abi.encodeWithSignature("InsufficientOutput(uint256,uint256)", AMOUNT / 2, 0));
        (terms.feeRatePpm, terms.feeRecipient) = (0, address(0));
        vm.assertEq(_swap(terms, _route()), AMOUNT, "the debt counts");
    }

    /// The fee is floor(gross * rate / 10^6), all the rest is the recipient's, and the minimum is after it.
    function testFuzz_feeIsAPartOfWhatCame(uint256 amount, uint256 rate, int256 least) external {
        amount = within(amount, 1_000, 1e24);
        Terms memory terms = _terms(address(tokenA), amount, address(tokenB), 1);
        (terms.recipient, terms.feeRecipient) = (other, address(0xfee));
        terms.feeRatePpm = within(rate, 1, 100_000);
        uint256 fee = amount * terms.feeRatePpm / 1_000_000;
        terms.minBuyAmount = least % 2 == 0 ? amount - fee : amount - fee + 1;
        if (least % 2 != 0) {
            bytes memory reason = abi.encodeWithSignature(
                "InsufficientOutput(uint256,uint256)", terms.minBuyAmount, amount - fee
            );
            _refused(terms, _route(), reason);
            return;
        }
        vm.assertEq(_swap(terms, _route()), amount - fee, "what is said");
        vm.assertEq(tokenB.balanceOf(other), amount - fee, "the rest");
        vm.assertEq(tokenB.balanceOf(address(0xfee)), fee, "the fee");
        _nothingIsLeft();
    }

    function testFuzz_feeInNativeToken(uint256 amount, uint256 rate) external {
        amount = within(amount, 1_000, 1e24);
        Terms memory terms = _terms(address(tokenA), amount, NATIVE_TOKEN, 1);
        (terms.recipient, terms.feeRecipient) = (other, address(0xfee));
        terms.feeRatePpm = within(rate, 1, 100_000);
        uint256 fee = amount * terms.feeRatePpm / 1_000_000;
        vm.assertEq(_swap(terms, _single(CURVE_POOL, 2, address(venue), "")), amount - fee, "what is said");
        vm.assertEq(other.balance, amount - fee, "the rest");
        vm.assertEq(address(0xfee).balance, fee, "the fee");
    }

    /// What lies in the gateway, sent by mistake, is no output and no refund.
    function test_whatLiesThereStaysThere() external {
        tokenB.mint(address(gateway), 77);
        vm.deal(address(gateway), 77);
        Terms memory terms = _terms(address(tokenA), AMOUNT, address(tokenB), 1);
        (terms.recipient, terms.feeRatePpm, terms.feeRecipient) = (other, 100_000, address(0xfee));
        vm.assertEq(_swap(terms, _route()), AMOUNT * 9 / 10, "with a fee");
        uint256 before = taker.balance;
        bytes memory fill = fillOf(WRAPPED_NATIVE, 0, 0, 1, WHOLE, 0, address(0));
        _swap(_terms(NATIVE_TOKEN, 10, address(weth), 7), exactOut(7, none(), fill));
        vm.assertEq(before - taker.balance, 7, "of native token too");
        terms = _terms(address(tokenA), AMOUNT, NATIVE_TOKEN, 1);
        (terms.recipient, terms.feeRatePpm, terms.feeRecipient) = (other, 100_000, address(0xfee));
        vm.assertEq(_swap(terms, _single(CURVE_POOL, 2, address(venue), "")), AMOUNT * 9 / 10, "as output too");
        vm.assertEq(tokenB.balanceOf(address(gateway)), 77, "still there");
        vm.assertEq(address(gateway).balance, 77, "still there");
    }

    /// A fee's recipient that pays the swap's recipient what it owes makes up for nothing.
    function test_whatComesWithTheFeeIsNoOutput() external {
        NativeReceiver feeTaker = new NativeReceiver();
        vm.deal(address(feeTaker), AMOUNT);
        feeTaker.feel(NativeReceiver.Mood.PayADebt);
        feeTaker.plan(other, AMOUNT, "");
        Terms memory terms = _terms(address(tokenA), AMOUNT, NATIVE_TOKEN, AMOUNT * 9 / 10 + 1);
        (terms.recipient, terms.feeRatePpm, terms.feeRecipient) = (other, 100_000, address(feeTaker));
        bytes memory reason = abi.encodeWithSignature(
            "InsufficientOutput(uint256,uint256)", AMOUNT * 9 / 10 + 1, AMOUNT * 9 / 10
        );
        _refused(terms, _single(CURVE_POOL, 2, address(venue), ""), reason);
    }

    function _plain() private view returns (Terms memory) {
        return _terms(address(tokenA), AMOUNT, address(tokenB), AMOUNT);
    }

    function _route() private view returns (bytes memory) {
        return _single(SOLIDLY_POOL, 0, address(venue), "");
    }

    function _refusesTerms(Terms memory terms, bytes memory reason) private {
        _refused(terms, _route(), reason);
    }

    function _refusesFee(uint256 rate, address recipient) private {
        Terms memory terms = _plain();
        (terms.feeRatePpm, terms.feeRecipient) = (rate, recipient);
        _refusesTerms(terms, abi.encodeWithSignature("InvalidFee(uint256,address)", rate, recipient));
    }
}
