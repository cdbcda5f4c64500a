// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Fee, Order, Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {CURVE_POOL, SOLIDLY_POOL} from "../../src/VenueCodes.sol";
import {NativeReceiver} from "../../test/NativeReceiver.sol";
import {OddToken} from "../../test/OddToken.sol";
import {PlainToken} from "../../test/PlainToken.sol";
import {Payee} from "../src/Actors.sol";
import {vm} from "../src/Cheats.sol";
import {IToken} from "../src/Doors.sol";
import {GatewayWorld} from "../src/GatewayWorld.sol";
import {Kind} from "../src/Kinds.sol";
import {Plan} from "../src/Mischief.sol";
import {PayingVenue} from "../src/PayingVenue.sol";
import {TO_PAYEE, WHOLE, exactIn, exactOut, fillOf, none} from "../src/Routes.sol";

/// A token that refuses to move nothing.
contract NeverNothing is PlainToken {
    function _move(address from, address to, uint256 amount) internal override {
        require(amount != 0, "nothing to move");
        super._move(from, to, amount);
    }
}

/// A recipient that passes on what it has when it is told to.
contract Spender {
    function spend(PlainToken token) external {
        token.transfer(address(0xdead), token.balanceOf(address(this)));
    }
}

/// Rules of the gateway where they begin and end: the first fee and the last, one unit, the moment after the executor ran.
contract GatewayEdgesTest is GatewayWorld {
    uint256 private constant AMOUNT = 1_000;
    address private constant FEE_TAKER = address(0xfee1);

    function setUp() external {
        _makeGateway();
    }

    /// Four fees and exactly ten percent are let in; three that come to more by their sum are not.
    function test_feesUpToTheirCap() external {
        Order memory order = _order(AMOUNT, AMOUNT * 9 / 10);
        order.fees = new Fee[](4);
        for (uint256 i = 0; i < 4; ++i) order.fees[i] = Fee(FEE_TAKER, 25_000);
        vm.assertEq(_swapOrder(order, _route()), AMOUNT * 9 / 10, "four fees of ten percent");
        order.fees = new Fee[](1);
        order.fees[0] = Fee(FEE_TAKER, 100_000);
        vm.assertEq(_swapOrder(order, _route()), AMOUNT * 9 / 10, "one fee of ten percent");
        order.fees = new Fee[](3);
        (order.fees[0], order.fees[1], order.fees[2]) =
            (Fee(FEE_TAKER, 50_000), Fee(FEE_TAKER, 1_000), Fee(FEE_TAKER, 50_000));
        _refusesOrder(order, abi.encodeWithSignature("InvalidFee(uint256,address)", 50_000, FEE_TAKER));
    }

    /// A fee of one unit is paid, one of none is not even sent.
    function test_aFeeOfOneUnitAndOneOfNone() external {
        for (uint256 fee = 0; fee < 2; ++fee) {
            NeverNothing token = new NeverNothing();
            token.mint(taker, 1e24);
            _approveAll(taker, IToken(address(token)));
            uint256 rate = fee == 0 ? 999 : 1_000;
            Terms memory terms = _terms(address(tokenA), AMOUNT, address(token), AMOUNT - fee);
            (terms.recipient, terms.feeRatePpm, terms.feeRecipient) = (other, rate, FEE_TAKER);
            if (fee == 0) terms.feeRatePpm = 1;
            bytes memory route = _pays(address(token));
            vm.assertEq(_swap(terms, route), AMOUNT - fee, "terms");
            Order memory order = _order(AMOUNT, AMOUNT - fee);
            (order.buyToken, order.fees) = (address(token), new Fee[](1));
            order.fees[0] = Fee(FEE_TAKER, rate);
            vm.assertEq(_swapOrder(order, route), AMOUNT - fee, "an order");
            vm.assertEq(token.balanceOf(FEE_TAKER), 2 * fee, "of the bought token");
            (order.sellToken, order.buyToken, order.feesFromSold) = (address(token), address(tokenB), true);
            order.minBuyAmount = AMOUNT - fee;
            _swapOrder(order, _pays(address(tokenB)));
            vm.assertEq(token.balanceOf(FEE_TAKER), 3 * fee, "of the sold token");
            vm.assertEq(token.balanceOf(address(gateway)), 0, "nothing is left");
        }
    }

    /// What is held and was not sold goes back, one unit too, and nothing is sent where all was sold.
    function test_whatIsHeldGoesBack() external {
        for (uint256 rest = 0; rest < 2; ++rest) {
            NeverNothing token = new NeverNothing();
            // The venue pays token B for what lies before it.
            while (address(token) > address(tokenB)) token = new NeverNothing();
            token.mint(taker, AMOUNT);
            _approveAll(taker, IToken(address(token)));
            Order memory order = _order(AMOUNT, 1);
            order.sellToken = address(token);
            bytes memory payload = exactOut(AMOUNT - 1 - rest, none(), fillOf(SOLIDLY_POOL, 0, 0, 1, WHOLE, 0, address(venue)));
            vm.prank(other);
            gateway.swapSignedOrder(order, _signed(order, payload, rest, TAKER_KEY), payload);
            vm.assertEq(token.balanceOf(taker), rest, "the rest");
        }
    }

    function test_moreThanWasAgreedIsRefused() external {
        bytes memory payload = exactOut(AMOUNT, none(), fillOf(SOLIDLY_POOL, 0, 0, 1, WHOLE, 0, address(venue)));
        bytes memory reason = abi.encodeWithSignature("SellAmountExceeded(uint256,uint256)", AMOUNT, AMOUNT + 1);
        _refused(_terms(address(tokenA), AMOUNT, address(tokenB), 1), payload, reason);
        _refusesSigned(_order(AMOUNT, 1), payload, reason);
    }

    /// Whoever brings it, an order that its owner could lose by is refused.
    function test_signedOrdersAreLookedAtToo() external {
        _refusesSigned(_order(AMOUNT, 0), _route(), abi.encodeWithSignature("ZeroMinimum()"));
        Order memory order = _order(AMOUNT, 1);
        order.recipient = address(gateway);
        _refusesSigned(order, _route(), abi.encodeWithSignature("InvalidRecipient(address)", address(gateway)));
    }

    /// Quoted amount and share are signed each in its place.
    function test_aShareOfSurplusThatWasSigned() external {
        Order memory order = _order(AMOUNT, 1);
        (order.quotedBuyAmount, order.surplusPpm, order.surplusRecipient) = (AMOUNT / 2, 100_000, FEE_TAKER);
        bytes memory payload = _route();
        vm.prank(other);
        uint256 bought = gateway.swapSignedOrder(order, _signed(order, payload, 1, TAKER_KEY), payload);
        vm.assertEq(bought, AMOUNT - AMOUNT / 20, "a tenth of what is beyond half");
        vm.assertEq(tokenB.balanceOf(FEE_TAKER), AMOUNT / 20, "is shared");
    }

    function test_noOrderWithinASwap() external {
        NativeReceiver receiver = new NativeReceiver();
        receiver.feel(NativeReceiver.Mood.CallBack);
        receiver.plan(address(gateway), 0, abi.encodeCall(gateway.swapByOrder, (_order(AMOUNT, 1), _route())));
        Terms memory terms = _terms(address(tokenA), AMOUNT, NATIVE_TOKEN, 1);
        terms.recipient = address(receiver);
        _swap(terms, _native());
        vm.assertEq(receiver.answer(), abi.encodeWithSignature("Reentered()"), "refused");
    }

    /// While fees are paid the executor has run, and draws no more.
    function test_nobodyDrawsAfterTheExecutor() external {
        Payee payee = new Payee();
        Plan[] memory plans = new Plan[](1);
        plans[0] = Plan(address(gateway), 0, abi.encodeCall(gateway.pull, (address(0xa77ac), 1)));
        hostile.plan(plans);
        bytes memory again =
            abi.encodeCall(hostile.execute, (address(0), 0, address(tokenB), other, abi.encode(uint256(0))));
        plans[0] = Plan(address(hostile), 0, again);
        payee.plan(plans);
        Terms memory terms = _terms(address(tokenA), AMOUNT, NATIVE_TOKEN, 1);
        terms.executor = address(hostile);
        (terms.recipient, terms.feeRatePpm, terms.feeRecipient) = (other, 100_000, address(payee));
        _swap(terms, abi.encode(uint256(100)));
        vm.assertEq(RICH - tokenA.balanceOf(taker), 1, "once");
        Order memory order = _order(AMOUNT, 1);
        (order.executor, order.buyToken, order.fees) = (address(hostile), NATIVE_TOKEN, new Fee[](1));
        order.fees[0] = Fee(address(payee), 100_000);
        _swapOrder(order, abi.encode(uint256(100)));
        vm.assertEq(RICH - tokenA.balanceOf(taker), 2, "once more");
        vm.assertEq(payee.succeeded(), 2, "it was tried");
    }

    /// A recipient that has less afterwards has gained nothing.
    function test_aRecipientThatLostHasGainedNothing() external {
        Spender spender = new Spender();
        tokenB.mint(address(spender), 7);
        Plan[] memory plans = new Plan[](1);
        plans[0] = Plan(address(spender), 0, abi.encodeCall(spender.spend, (tokenB)));
        venue.plan(plans);
        venue.lie(0, -int256(AMOUNT), 0, 0);
        Terms memory terms = _terms(address(tokenA), AMOUNT, address(tokenB), 1);
        terms.recipient = address(spender);
        _refused(terms, _route(), abi.encodeWithSignature("InsufficientOutput(uint256,uint256)", 1, 0));
    }

    /// An order without fees on what is bought pays the recipient at once: a token that keeps a part does so once.
    function test_ordersPayTheRecipientAtOnce() external {
        OddToken odd = new OddToken();
        odd.keep(100_000);
        Order memory order = _order(AMOUNT, AMOUNT * 9 / 10);
        order.buyToken = address(odd);
        vm.assertEq(_swapOrder(order, _pays(address(odd))), AMOUNT * 9 / 10, "without a fee");
        (order.fees, order.feesFromSold) = (new Fee[](1), true);
        order.fees[0] = Fee(FEE_TAKER, 100_000);
        order.minBuyAmount = AMOUNT * 81 / 100;
        vm.assertEq(_swapOrder(order, _pays(address(odd))), AMOUNT * 81 / 100, "with one on the sold token");
    }

    /// What is there before is no output of an order, of the recipient's and of the gateway's.
    function test_whatWasThereIsNoOutputOfAnOrder() external {
        vm.deal(address(gateway), 3);
        vm.deal(other, 5);
        tokenB.mint(other, 5);
        tokenB.mint(address(gateway), 5);
        venue.lie(0, -10, 0, 0);
        bytes memory reason = abi.encodeWithSignature("InsufficientOutput(uint256,uint256)", AMOUNT - 9, AMOUNT - 10);
        // A manager that says more than it pays.
        Kind memory kind = _kind(6);
        (kind.sold, kind.bought) = (address(tokenA), NATIVE_TOKEN);
        bytes memory lying = exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE));
        for (uint256 i = 0; i < 4; ++i) {
            Order memory order = _order(AMOUNT, AMOUNT - 9);
            order.recipient = other;
            if (i % 2 == 1) order.buyToken = NATIVE_TOKEN;
            if (i > 1) {
                order.fees = new Fee[](1);
                order.fees[0] = Fee(FEE_TAKER, 1);
            }
            _refusesOrder(order, i == 1 ? lying : i == 3 ? _native() : _route(), reason);
        }
        Order memory sells = _order(AMOUNT, AMOUNT - 10);
        sells.sellToken = NATIVE_TOKEN;
        uint256 before = taker.balance;
        vm.prank(taker);
        gateway.swapByOrder{value: AMOUNT}(sells, _single(CURVE_POOL, 0x000201, address(venue), ""));
        vm.assertEq(before - taker.balance, AMOUNT, "all was sold");
        vm.assertEq(address(gateway).balance, 3, "what lay there stays");
    }

    /// The minimum of a share of the balance is rounded up, and not further.
    function test_theMinimumOfAShareIsRoundedUp() external {
        PlainToken token = new PlainToken();
        token.mint(taker, 500);
        _approveAll(taker, IToken(address(token)));
        Order memory order = _order(AMOUNT, AMOUNT);
        (order.sellToken, order.balanceShare) = (address(token), 1_000_000_000);
        vm.assertEq(_swapOrder(order, _pays(address(tokenB))), 500, "half for half");
        token.mint(taker, 1);
        order.minBuyAmount = 1;
        PlainToken nothing = new PlainToken();
        bytes memory reason = abi.encodeWithSignature("InsufficientOutput(uint256,uint256)", 1, 0);
        _refusesOrder(order, _pays(address(nothing)), reason);
    }

    function _route() private view returns (bytes memory) {
        return _single(SOLIDLY_POOL, 0, address(venue), "");
    }

    function _native() private view returns (bytes memory) {
        return _single(CURVE_POOL, 2, address(venue), "");
    }

    /// A route that pays this token, one to one.
    function _pays(address token) private returns (bytes memory) {
        PayingVenue pays = new PayingVenue(IToken(token));
        IToken(token).mint(address(pays), 1e24);
        return _single(SOLIDLY_POOL, 0, address(pays), "");
    }

    function _refusesOrder(Order memory order, bytes memory reason) private {
        _refusesOrder(order, _route(), reason);
    }

    function _refusesOrder(Order memory order, bytes memory payload, bytes memory reason) private {
        _refusedCall(taker, address(gateway), 0, abi.encodeCall(gateway.swapByOrder, (order, payload)), reason);
    }

    function _refusesSigned(Order memory order, bytes memory payload, bytes memory reason) private {
        bytes memory data =
            abi.encodeCall(gateway.swapSignedOrder, (order, _signed(order, payload, 1, TAKER_KEY), payload));
        _refusedCall(other, address(gateway), 0, data, reason);
    }
}
