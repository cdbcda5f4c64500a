// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Fee, Order, Permit2Transfer} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {CURVE_POOL, SOLIDLY_POOL, WRAPPED_NATIVE} from "../../src/VenueCodes.sol";
import {Debtor} from "../../test/Debtor.sol";
import {vm, within} from "../src/Cheats.sol";
import {DaiToken, GatewayWorld, PermitToken} from "../src/GatewayWorld.sol";
import {Plan} from "../src/Mischief.sol";
import {WHOLE, exactOut, fillOf, none} from "../src/Routes.sol";

/// Orders: several fees, of either side; a share of a balance; approvals and transfers that come by signature.
contract GatewayOrdersTest is GatewayWorld {
    uint256 private constant AMOUNT = 1_000_000;
    address private constant RELAYER = address(0x4e1a);

    function setUp() external {
        _makeGateway();
    }

    function test_ordersThatTheirOwnerCouldLoseByAreRefused() external {
        Order memory order = _order(AMOUNT, AMOUNT);
        order.deadline = block.timestamp - 1;
        _refuses(order, abi.encodeWithSignature("DeadlinePassed(uint256)", order.deadline));
        _refuses(_order(AMOUNT, 0), abi.encodeWithSignature("ZeroMinimum()"));
        order = _order(AMOUNT, AMOUNT);
        order.buyToken = order.sellToken;
        _refuses(order, abi.encodeWithSignature("SameToken(address)", order.sellToken));
        address[2] memory ours = [address(gateway), address(executor)];
        for (uint256 i = 0; i < 2; ++i) {
            order = _order(AMOUNT, AMOUNT);
            order.recipient = ours[i];
            _refuses(order, abi.encodeWithSignature("InvalidRecipient(address)", ours[i]));
            _refusesFees(_one(ours[i], 1), 1, ours[i]);
        }
        _refusesFees(_one(address(0), 1), 1, address(0));
        _refusesFees(_one(address(0xfee1), 0), 0, address(0xfee1));
        _refusesFees(_one(address(0xfee1), 100_001), 100_001, address(0xfee1));
        _refusesFees(_twoFees(60_000, 40_001), 40_001, address(0xfee2));
        order = _order(AMOUNT, 1);
        order.fees = new Fee[](5);
        _refuses(order, abi.encodeWithSignature("TooManyFees(uint256)", 5));
        _refuses(_order(0, 1), abi.encodeWithSignature("NothingToSell()"));
        order = _order(AMOUNT, 1);
        order.balanceShare = 1_000_000_001;
        _refuses(order, abi.encodeWithSignature("InvalidShare(uint256)", order.balanceShare));
        order = _order(AMOUNT, AMOUNT);
        order.recipient = address(0);
        vm.assertEq(_swapOrder(order, _route()), AMOUNT, "a sound order is let in, in its last second");
        vm.assertEq(tokenB.balanceOf(taker), RICH + AMOUNT, "to its owner");
        _refuses(_order(AMOUNT, AMOUNT + 1), _insufficient(AMOUNT + 1, AMOUNT));
    }

    function test_valueIsWhatIsSold() external {
        bytes memory data = abi.encodeCall(gateway.swapByOrder, (_order(AMOUNT, 1), _route()));
        bytes memory reason = abi.encodeWithSignature("WrongValue(uint256,uint256)", 0, 1);
        _refusedCall(taker, address(gateway), 1, data, reason);
        Order memory order = _nativeOrder();
        data = abi.encodeCall(gateway.swapByOrder, (order, _route()));
        reason = abi.encodeWithSignature("WrongValue(uint256,uint256)", AMOUNT, AMOUNT - 1);
        _refusedCall(taker, address(gateway), AMOUNT - 1, data, reason);
        order.balanceShare = 1;
        _refuses(order, abi.encodeWithSignature("InvalidShare(uint256)", 1));
    }

    /// Each fee is floor(gross * rate / 10^6) of what came, whatever the others are.
    function testFuzz_feesOfTheBoughtToken(uint256 amount, uint256 first, uint256 second, bool native) external {
        amount = within(amount, 1_000, 1e24);
        Order memory order = _order(amount, 1);
        first = within(first, 1, 99_999);
        order.fees = _twoFees(first, within(second, 1, 100_000 - first));
        if (native) order.buyToken = NATIVE_TOKEN;
        bytes memory route = native ? _single(CURVE_POOL, 2, address(venue), "") : _route();
        uint256 fee1 = amount * order.fees[0].ratePpm / 1e6;
        uint256 fee2 = amount * order.fees[1].ratePpm / 1e6;
        order.minBuyAmount = amount - fee1 - fee2;
        vm.assertEq(_swapOrder(order, route), amount - fee1 - fee2, "what is said");
        vm.assertEq(_balance(order.buyToken, other), amount - fee1 - fee2, "the rest");
        vm.assertEq(_balance(order.buyToken, address(0xfee1)), fee1, "the first fee");
        vm.assertEq(_balance(order.buyToken, address(0xfee2)), fee2, "the second fee");
        _nothingIsLeft();
    }

    /// Fees and what is sold are together exactly what was agreed.
    function testFuzz_feesOfTheSoldToken(uint256 amount, uint256 first, uint256 second, bool native) external {
        amount = within(amount, 1_000, 1e24);
        Order memory order = _order(amount, 1);
        if (native) (order.sellToken, order.buyToken) = (NATIVE_TOKEN, address(weth));
        first = within(first, 1, 99_999);
        order.fees = _twoFees(first, within(second, 1, 100_000 - first));
        order.feesFromSold = true;
        uint256 fee1 = amount * order.fees[0].ratePpm / 1e6;
        uint256 fee2 = amount * order.fees[1].ratePpm / 1e6;
        uint256 before = _balance(order.sellToken, taker);
        bytes memory route = native ? _single(WRAPPED_NATIVE, 0, address(0), "") : _route();
        vm.assertEq(_swapOrder(order, route), amount - fee1 - fee2, "what is left of it is sold");
        vm.assertEq(before - _balance(order.sellToken, taker), amount, "exactly what was agreed");
        vm.assertEq(_balance(order.sellToken, address(0xfee1)), fee1, "the first fee");
        vm.assertEq(_balance(order.sellToken, address(0xfee2)), fee2, "the second fee");
        _nothingIsLeft();
    }

    /// Where a part is sold, as by an exact output, fees on the sold token are that part of themselves.
    function testFuzz_feesOfWhatWasSold(uint256 most, uint256 wanted, uint256 rate) external {
        most = within(most, 1_000_000, 1e24);
        wanted = within(wanted, 1, most / 2);
        Order memory order = _order(most, wanted);
        (order.fees, order.feesFromSold) = (_one(address(0xfee1), within(rate, 1, 100_000)), true);
        bytes memory fill = fillOf(SOLIDLY_POOL, 0, 0, 1, WHOLE, 0, address(venue));
        uint256 before = tokenA.balanceOf(taker);
        uint256 atVenue = tokenA.balanceOf(address(venue));
        _swapOrder(order, exactOut(wanted, none(), fill));
        uint256 sold = tokenA.balanceOf(address(venue)) - atVenue;
        uint256 whole = most * order.fees[0].ratePpm / 1e6;
        uint256 fee = whole * sold / (most - whole);
        vm.assertEq(tokenA.balanceOf(address(0xfee1)), fee, "the fee's part");
        vm.assertEq(before - tokenA.balanceOf(taker), sold + fee, "what was sold, and the fee");
        vm.assertLe(fee, (sold + fee) * order.fees[0].ratePpm / 1e6 + 1, "the fee is its rate of what left");
        _nothingIsLeft();
    }

    function testFuzz_unsoldNativeTokenGoesBack(uint256 most, uint256 wanted, uint256 rate) external {
        most = within(most, 1_000_000, 1e24);
        wanted = within(wanted, 1, most / 2);
        Order memory order = _order(most, wanted);
        (order.sellToken, order.buyToken) = (NATIVE_TOKEN, address(weth));
        (order.fees, order.feesFromSold) = (_one(address(0xfee1), within(rate, 1, 100_000)), true);
        uint256 before = taker.balance;
        bytes memory fill = fillOf(WRAPPED_NATIVE, 0, 0, 1, WHOLE, 0, address(0));
        vm.assertEq(_swapOrder(order, exactOut(wanted, none(), fill)), wanted, "exactly");
        uint256 whole = most * order.fees[0].ratePpm / 1e6;
        uint256 fee = whole * wanted / (most - whole);
        vm.assertEq(address(0xfee1).balance, fee, "the fee's part");
        vm.assertEq(before - taker.balance, wanted + fee, "the rest came back");
        _nothingIsLeft();
    }

    /// A share of the balance, never above the maximum; the minimum shrinks with it, rounded up.
    function testFuzz_aShareOfTheBalance(uint256 held, uint256 share, uint256 most, uint256 least) external {
        held = within(held, 1, 1e24);
        uint256 all = tokenA.balanceOf(taker);
        vm.prank(taker);
        tokenA.transfer(address(0xdead), all - held);
        most = within(most, 1, 1e24);
        Order memory order = _order(most, within(least, 1, most));
        order.balanceShare = within(share, 1, 1_000_000_000);
        uint256 part = held * order.balanceShare / 1_000_000_000;
        if (part > most) part = most;
        if (part == 0) {
            _refuses(order, abi.encodeWithSignature("NothingToSell()"));
            return;
        }
        uint256 minimum = (order.minBuyAmount * part + most - 1) / most;
        venue.lie(0, 0, -int256(part - minimum), 0);
        vm.assertEq(_swapOrder(order, _route()), minimum, "at the scaled minimum");
        vm.assertEq(held - tokenA.balanceOf(taker), part, "of the balance");
        if (minimum == 1) return;
        venue.lie(0, 0, -int256(part - minimum + 1), 0);
        tokenA.mint(taker, held - tokenA.balanceOf(taker));
        _refuses(order, _insufficient(minimum, minimum - 1));
    }

    /// Without a fee, what comes to the recipient anyway counts for nothing.
    function test_whatIsOwedAnywayIsNoOutput() external {
        Debtor debtor = new Debtor(tokenB, other);
        tokenB.mint(address(debtor), AMOUNT);
        Plan[] memory plans = new Plan[](1);
        plans[0] = Plan(address(debtor), 0, abi.encodeCall(debtor.pay, ()));
        venue.plan(plans);
        _refuses(_order(AMOUNT, AMOUNT + 1), _insufficient(AMOUNT + 1, AMOUNT));
        vm.assertEq(_swapOrder(_order(AMOUNT, AMOUNT), _route()), AMOUNT, "what the swap brought");
    }

    // --------------------------------------------------------------------------------------------------- EIP-2612

    function test_approvalByPermit() external {
        (PermitToken token, Order memory order) = _permitOrder();
        bytes memory permit = _permit(token, AMOUNT, order.deadline);
        vm.prank(taker);
        vm.assertEq(gateway.swapOrderWithApproval(order, permit, _route()), AMOUNT, "by the permit");
        vm.assertEq(token.allowance(taker, address(gateway)), 0, "which is used up");
    }

    /// Somebody who has seen a permit and brings it first changes nothing.
    function test_aPermitThatWasBroughtBefore() external {
        (PermitToken token, Order memory order) = _permitOrder();
        bytes memory permit = _permit(token, AMOUNT, order.deadline);
        (bytes32 r, bytes32 s, uint8 v) = _partsOf(permit);
        token.permit(taker, address(gateway), AMOUNT, order.deadline, v, r, s);
        vm.prank(taker);
        vm.assertEq(gateway.swapOrderWithApproval(order, permit, _route()), AMOUNT, "by the allowance that stands");
    }

    /// A permit that did nothing proves nothing (rule C12): another's approval is not reached by it either.
    function test_aPermitThatDoesNothing() external {
        (PermitToken token, Order memory order) = _permitOrder();
        token.beIdle();
        address victim = address(0x71c1);
        token.mint(victim, RICH);
        vm.prank(victim);
        token.approve(address(gateway), RICH);
        bytes memory data = abi.encodeCall(gateway.swapOrderWithApproval, (order, new bytes(65), _route()));
        _refusedCall(taker, address(gateway), 0, data, abi.encodeWithSignature("Error(string)", "allowance too small"));
        vm.assertEq(token.balanceOf(victim), RICH, "the victim's tokens are there");
    }

    /// DAI's permit has the holder's present nonce, and allows all until it is taken back.
    function test_approvalByDaisPermit() external {
        (DaiToken token, Order memory order) = _daiOrder();
        bytes memory later = _daiPermit(token, 1, order.deadline);
        bytes memory data = abi.encodeCall(gateway.swapOrderWithApproval, (order, later, _route()));
        _refusedCall(taker, address(gateway), 0, data, abi.encodeWithSignature("Error(string)", "allowance too small"));
        bytes memory permit = _daiPermit(token, 0, order.deadline);
        vm.prank(taker);
        vm.assertEq(gateway.swapOrderWithApproval(order, permit, _route()), AMOUNT, "by the permit");
        vm.assertEq(token.allowance(taker, address(gateway)), type(uint256).max, "all");
        vm.prank(taker);
        token.approve(address(gateway), 0);
        vm.prank(taker);
        vm.assertEq(gateway.swapOrderWithApproval(order, later, _route()), AMOUNT, "by the next nonce");
        vm.assertEq(token.nonces(taker), 2, "each once");
    }

    function test_aPermitOfDaisThatWasBroughtBefore() external {
        (DaiToken token, Order memory order) = _daiOrder();
        bytes memory permit = _daiPermit(token, 0, order.deadline);
        (bytes32 r, bytes32 s, uint8 v) = _partsOf(permit);
        token.permit(taker, address(gateway), 0, order.deadline, true, v, r, s);
        vm.prank(taker);
        vm.assertEq(gateway.swapOrderWithApproval(order, permit, _route()), AMOUNT, "by the allowance that stands");
    }

    /// The permit of another holder opens nothing, whoever brings it: only the caller's tokens are drawn.
    function test_aPermitOfDaisIsItsHolders() external {
        (DaiToken token, Order memory order) = _daiOrder();
        bytes memory permit = _daiPermit(token, 0, order.deadline);
        address thief = address(0x7e1f);
        order.recipient = thief;
        bytes memory data = abi.encodeCall(gateway.swapOrderWithApproval, (order, permit, _route()));
        _refusedCall(thief, address(gateway), 0, data, abi.encodeWithSignature("Error(string)", "allowance too small"));
        order.deadline += 1;
        data = abi.encodeCall(gateway.swapOrderWithApproval, (order, permit, _route()));
        _refusedCall(taker, address(gateway), 0, data, abi.encodeWithSignature("Error(string)", "allowance too small"));
        vm.assertEq(token.balanceOf(taker), RICH, "nothing has moved");
    }

    // ---------------------------------------------------------------------------------------------------- Permit2

    /// Anybody may bring what the owner signed, and it happens as it was signed.
    function testFuzz_aSignedOrderByAnybody(uint256 amount, uint256 rate, bool fromSold, bool isExactOut) external {
        amount = within(amount, 1_000, 1e24);
        Order memory order = _order(amount, 1);
        (order.fees, order.feesFromSold) = (_one(address(0xfee1), within(rate, 1, 100_000)), fromSold);
        order.recipient = address(0);
        bytes memory fill = fillOf(SOLIDLY_POOL, 0, 0, 1, WHOLE, 0, address(venue));
        bytes memory payload = isExactOut ? exactOut(amount / 4, none(), fill) : _route();
        Permit2Transfer memory permit = _signed(order, payload, 7, TAKER_KEY);
        vm.prank(RELAYER);
        uint256 bought = gateway.swapSignedOrder(order, permit, payload);
        vm.assertEq(tokenB.balanceOf(taker) - RICH, bought, "came to the owner");
        vm.assertLe(RICH - tokenA.balanceOf(taker), amount, "at most what was signed");
        vm.assertEq(tokenA.balanceOf(RELAYER) + tokenB.balanceOf(RELAYER), 0, "the relayer has nothing");
        _nothingIsLeft();
        vm.prank(RELAYER);
        (bool again,) = address(gateway).call(abi.encodeCall(gateway.swapSignedOrder, (order, permit, payload)));
        vm.assertFalse(again, "it happens once");
    }

    /// Whatever is changed of it, the signature is none any more.
    function testFuzz_allOfASignedOrderIsSigned(uint256 field, uint256 change) external {
        Order memory order = _order(AMOUNT, AMOUNT / 2);
        order.fees = _twoFees(1_000, 2_000);
        bytes memory payload = _route();
        Permit2Transfer memory permit = _signed(order, payload, 7, TAKER_KEY);
        uint256 by = within(change, 1, 1_000);
        field %= 13;
        if (field == 0) order.executor = address(hostile);
        if (field == 1) order.sellToken = address(weth);
        if (field == 2) order.maxSellAmount += by;
        if (field == 3) order.buyToken = address(venue);
        if (field == 4) order.minBuyAmount -= by;
        if (field == 5) order.recipient = RELAYER;
        if (field == 6) order.deadline += by;
        if (field == 7) order.fees[0].recipient = RELAYER;
        if (field == 8) order.fees[1].ratePpm += by;
        if (field == 9) order.feesFromSold = true;
        if (field == 10) order.balanceShare = by;
        if (field == 11) payload = bytes.concat(payload, hex"00");
        if (field == 12) permit.nonce += by;
        vm.prank(RELAYER);
        (bool done,) = address(gateway).call(abi.encodeCall(gateway.swapSignedOrder, (order, permit, payload)));
        vm.assertFalse(done, "another order than was signed");
        vm.assertEq(tokenA.balanceOf(taker), RICH, "nothing moved");
    }

    function test_onlyTheOwnersSignatureCounts() external {
        Order memory order = _order(AMOUNT, 1);
        Permit2Transfer memory permit = _signed(order, _route(), 7, 0xbad);
        vm.prank(RELAYER);
        (bool done,) = address(gateway).call(abi.encodeCall(gateway.swapSignedOrder, (order, permit, _route())));
        vm.assertFalse(done, "somebody else has signed");
    }

    /// A hostile executor draws what is held for it up to the most, and the rest goes back to the owner.
    function testFuzz_aHostileExecutorOfASignedOrder(uint256 taken, uint256 give) external {
        Order memory order = _order(AMOUNT, 1_000);
        order.executor = address(hostile);
        Plan[] memory plans = new Plan[](1);
        taken = within(taken, 0, 2 * AMOUNT);
        plans[0] = Plan(address(gateway), 0, abi.encodeCall(gateway.pull, (RELAYER, taken)));
        hostile.plan(plans);
        give = within(give, 0, 2_000);
        Permit2Transfer memory permit = _signed(order, abi.encode(give), 7, TAKER_KEY);
        vm.prank(RELAYER);
        (bool done,) =
            address(gateway).call(abi.encodeCall(gateway.swapSignedOrder, (order, permit, abi.encode(give))));
        vm.assertTrue(done == (give >= 1_000), "the minimum alone decides");
        uint256 expected = done && taken <= AMOUNT ? taken : 0;
        vm.assertEq(RICH - tokenA.balanceOf(taker), expected, "what was taken");
        _nothingIsLeft();
        bytes memory reason = abi.encodeWithSignature("NotTheExecutor(address)", address(hostile));
        _refusedCall(address(hostile), address(gateway), 0, abi.encodeCall(gateway.pull, (RELAYER, 0)), reason);
    }

    function test_nobodyElseDrawsWhatIsHeld() external {
        Plan[] memory plans = new Plan[](1);
        plans[0] = Plan(address(gateway), 0, abi.encodeCall(gateway.pull, (RELAYER, 1)));
        venue.plan(plans);
        Order memory order = _order(AMOUNT, AMOUNT);
        gateway.swapSignedOrder(order, _signed(order, _route(), 7, TAKER_KEY), _route());
        vm.assertEq(venue.succeeded(), 0, "a venue drew by itself");
        plans[0] = Plan(address(gateway), 0, abi.encodeCall(gateway.swapByOrder, (_order(1, 1), _route())));
        venue.plan(plans);
        _swapOrder(_order(AMOUNT, AMOUNT), _route());
        vm.assertEq(venue.succeeded(), 0, "a swap within a swap");
    }

    function _partsOf(bytes memory signature) private pure returns (bytes32 r, bytes32 s, uint8 v) {
        assembly ("memory-safe") {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
    }

    function _permitOrder() private returns (PermitToken token, Order memory order) {
        token = new PermitToken();
        token.mint(taker, RICH);
        order = _order(AMOUNT, AMOUNT);
        order.sellToken = address(token);
    }

    function _daiOrder() private returns (DaiToken token, Order memory order) {
        token = new DaiToken();
        token.mint(taker, RICH);
        order = _order(AMOUNT, AMOUNT);
        order.sellToken = address(token);
    }

    function _nativeOrder() private view returns (Order memory order) {
        order = _order(AMOUNT, 1);
        (order.sellToken, order.buyToken) = (NATIVE_TOKEN, address(weth));
    }

    function _one(address recipient, uint256 rate) private pure returns (Fee[] memory fees) {
        fees = new Fee[](1);
        fees[0] = Fee(recipient, rate);
    }

    function _route() private view returns (bytes memory) {
        return _single(SOLIDLY_POOL, 0, address(venue), "");
    }

    function _insufficient(uint256 least, uint256 actual) private pure returns (bytes memory) {
        return abi.encodeWithSignature("InsufficientOutput(uint256,uint256)", least, actual);
    }

    function _refuses(Order memory order, bytes memory reason) private {
        _refusedOrder(order, _route(), reason);
    }

    function _refusesFees(Fee[] memory fees, uint256 rate, address recipient) private {
        Order memory order = _order(AMOUNT, 1);
        order.fees = fees;
        _refuses(order, abi.encodeWithSignature("InvalidFee(uint256,address)", rate, recipient));
    }
}
