// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Fee, Order, Permit2Transfer} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {CURVE_POOL, SOLIDLY_POOL} from "../../src/VenueCodes.sol";
import {NativeReceiver} from "../../test/NativeReceiver.sol";
import {OddToken} from "../../test/OddToken.sol";
import {HookToken, Payee} from "../src/Actors.sol";
import {vm, within} from "../src/Cheats.sol";
import {GatewayWorld} from "../src/GatewayWorld.sol";
import {Plan} from "../src/Mischief.sol";
import {WHOLE, exactOut, fillOf, none} from "../src/Routes.sol";

/// A share of surplus: only of what comes beyond the quoted amount, at most half of it, and never from below.
contract SurplusTest is GatewayWorld {
    uint256 private constant AMOUNT = 1_000_000;
    address private constant SHARER = address(0x5a12);

    function setUp() external {
        _makeGateway();
    }

    function test_sharesThatTheOwnerCouldLoseByAreRefused() external {
        _refuses(_sharing(AMOUNT, AMOUNT, 500_001, SHARER));
        Order memory below = _sharing(AMOUNT, AMOUNT - 1, 1, SHARER);
        below.minBuyAmount = AMOUNT;
        _refuses(below);
        _refuses(_sharing(AMOUNT, AMOUNT, 1, address(0)));
        _refuses(_sharing(AMOUNT, AMOUNT, 1, address(gateway)));
        _refuses(_sharing(AMOUNT, AMOUNT, 1, address(executor)));
        _refuses(_sharing(AMOUNT, AMOUNT, 0, address(0)));
        _refuses(_sharing(AMOUNT, 0, 0, SHARER));
        vm.assertEq(_swapOrder(_sharing(AMOUNT, AMOUNT, 500_000, SHARER), _route()), AMOUNT, "half is let in");
    }

    /// Of what fees leave, the part beyond the quoted amount is shared, whichever side fees are on.
    function testFuzz_onlyWhatIsBeyondIsShared(
        uint256 amount,
        uint256 quoted,
        uint256 rate,
        uint256 feeRate,
        bool fromSold,
        bool native
    ) external {
        amount = within(amount, 1_000, 1e24);
        Order memory order = _sharing(amount, within(quoted, 1, 2 * amount), within(rate, 1, 500_000), SHARER);
        feeRate = within(feeRate, 0, 100_000);
        if (feeRate != 0) order.fees = _one(address(0xfee1), feeRate);
        order.feesFromSold = fromSold;
        if (native) order.buyToken = NATIVE_TOKEN;
        order.minBuyAmount = 1;
        uint256 fee = amount * feeRate / 1e6;
        uint256 rest = amount - fee;
        uint256 surplus = rest > order.quotedBuyAmount ? rest - order.quotedBuyAmount : 0;
        uint256 share = surplus * order.surplusPpm / 1e6;
        vm.assertEq(_swapOrder(order, native ? _nativeRoute() : _route()), rest - share, "what is said");
        vm.assertEq(_balance(order.buyToken, other), rest - share, "the recipient's");
        vm.assertEq(_balance(order.buyToken, SHARER), share, "the share");
        vm.assertEq(_balance(fromSold ? order.sellToken : order.buyToken, address(0xfee1)), fee, "the fee");
        _nothingIsLeft();
    }

    function test_withoutSurplusNothingIsShared() external {
        Order memory order = _sharing(AMOUNT, AMOUNT, 500_000, SHARER);
        order.minBuyAmount = AMOUNT - 10;
        venue.lie(0, 0, -10, 0);
        vm.assertEq(_swapOrder(order, _route()), AMOUNT - 10, "all of it, at the minimum");
        vm.assertEq(tokenB.balanceOf(SHARER), 0, "below what was quoted");
        venue.lie(0, 0, -11, 0);
        _refusedOrder(order, _route(), _insufficient(AMOUNT - 10, AMOUNT - 11));
        venue.lie(0, 0, 1, 0);
        vm.assertEq(_swapOrder(order, _route()), AMOUNT + 1, "half of one rounds down");
        venue.lie(0, 0, 2, 0);
        vm.assertEq(_swapOrder(order, _route()), AMOUNT + 1, "half of two");
        vm.assertEq(tokenB.balanceOf(SHARER), 1, "the other half");
    }

    /// The quoted amount is for the maximum, as the minimum is, and shrinks with it, rounded up.
    function testFuzz_aShareOfTheBalanceQuotesAsMuchLess(uint256 held, uint256 quoted, uint256 rate) external {
        held = within(held, 1, AMOUNT);
        uint256 all = tokenA.balanceOf(taker);
        vm.prank(taker);
        tokenA.transfer(address(0xdead), all - held);
        Order memory order = _sharing(AMOUNT, within(quoted, 1, AMOUNT), within(rate, 1, 500_000), SHARER);
        (order.balanceShare, order.minBuyAmount) = (1_000_000_000, 1);
        uint256 scaled = (order.quotedBuyAmount * held + AMOUNT - 1) / AMOUNT;
        uint256 share = (held - scaled) * order.surplusPpm / 1e6;
        vm.assertEq(_swapOrder(order, _route()), held - share, "the recipient's");
        vm.assertEq(tokenB.balanceOf(SHARER), share, "the share");
    }

    /// Amounts beyond all numbers share nothing, or revert: they never wrap around.
    function test_noAmountWrapsAround() external {
        Order memory order = _sharing(AMOUNT, type(uint256).max, 500_000, SHARER);
        order.minBuyAmount = 1;
        vm.assertEq(_swapOrder(order, _route()), AMOUNT, "nothing is beyond");
        order.balanceShare = 1;
        (order.maxSellAmount, order.quotedBuyAmount) = (type(uint256).max, type(uint256).max);
        _refusedOrder(order, _route(), abi.encodeWithSignature("Panic(uint256)", 0x11));
        order = _sharing(AMOUNT, AMOUNT, type(uint256).max, SHARER);
        _refuses(order);
        vm.assertEq(tokenB.balanceOf(SHARER), 0, "nothing was shared");
    }

    /// Whatever an executor brings, the recipient has the minimum, and all that was quoted before anything is shared.
    function testFuzz_aHostileExecutorSharesOnlySurplus(uint256 give, uint256 quoted, uint256 rate) external {
        Order memory order = _sharing(AMOUNT, within(quoted, 1_000, AMOUNT), within(rate, 1, 500_000), SHARER);
        (order.executor, order.minBuyAmount) = (address(hostile), 1_000);
        give = within(give, 0, 2 * AMOUNT);
        vm.prank(taker);
        (bool done,) = address(gateway).call(abi.encodeCall(gateway.swapByOrder, (order, abi.encode(give))));
        vm.assertTrue(done == (give >= 1_000), "the minimum alone decides");
        uint256 share = tokenB.balanceOf(SHARER);
        uint256 got = tokenB.balanceOf(other);
        if (share != 0) vm.assertGe(got, order.quotedBuyAmount + share, "shared before the owner had its quote");
        vm.assertEq(got + share, done ? give : 0, "all that came");
        _nothingIsLeft();
    }

    /// A bought token that calls others while it moves, and a sharer that does: no door is open to either.
    function test_nobodySwapsWhileSurplusIsPaid() external {
        HookToken hook = new HookToken();
        hook.mint(address(venue), RICH);
        Payee sharer = new Payee();
        Plan[] memory plans = new Plan[](3);
        plans[0] = Plan(address(gateway), 0, abi.encodeCall(gateway.pull, (address(sharer), 1)));
        plans[1] = Plan(address(gateway), 0, abi.encodeCall(gateway.swapByOrder, (_order(1, 1), _route())));
        bytes memory plain = abi.encodeCall(gateway.swap, (_terms(address(tokenA), 1, address(tokenB), 1), _route()));
        plans[2] = Plan(address(gateway), 0, plain);
        sharer.plan(plans);
        hook.plan(plans);
        Order memory order = _sharing(AMOUNT, AMOUNT / 2, 500_000, address(sharer));
        order.buyToken = NATIVE_TOKEN;
        vm.assertEq(_swapOrder(order, _nativeRoute()), AMOUNT * 3 / 4, "in native token");
        vm.assertEq(address(sharer).balance, AMOUNT / 4, "the sharer has its share");
        vm.assertEq(sharer.succeeded(), 0, "the sharer came in");
        hook.mint(address(hostile), RICH);
        (order.buyToken, order.executor) = (address(hook), address(hostile));
        vm.assertEq(_swapOrder(order, abi.encode(AMOUNT)), AMOUNT * 3 / 4, "in a token that calls");
        vm.assertEq(hook.succeeded(), 0, "the token came in");
        _nothingIsLeft();
    }

    /// A share that comes to the recipient itself counts for nothing of its minimum.
    function test_theRecipientMayBeTheSharer() external {
        Order memory order = _sharing(AMOUNT, AMOUNT / 2, 500_000, other);
        vm.assertEq(_swapOrder(order, _route()), AMOUNT * 3 / 4, "by the payment of the rest");
        vm.assertEq(tokenB.balanceOf(other), AMOUNT, "all of it in the end");
    }

    function test_aSharerThatRefusesNativeTokenFailsTheSwap() external {
        NativeReceiver sharer = new NativeReceiver();
        sharer.feel(NativeReceiver.Mood.Refuse);
        Order memory order = _sharing(AMOUNT, AMOUNT / 2, 500_000, address(sharer));
        order.buyToken = NATIVE_TOKEN;
        bytes memory reason = abi.encodeWithSignature("NativeTransferFailed(address)", address(sharer));
        _refusedOrder(order, _nativeRoute(), reason);
        order.quotedBuyAmount = AMOUNT;
        vm.assertEq(_swapOrder(order, _nativeRoute()), AMOUNT, "without surplus it is not asked");
    }

    /// A token that keeps a part of transfers: nothing is shared of what the recipient does not see.
    function testFuzz_whatATokenKeepsIsNoSurplus(uint256 kept, uint256 quoted, uint256 rate) external {
        OddToken odd = new OddToken();
        odd.mint(address(hostile), RICH);
        odd.keep(within(kept, 0, 1_000_000));
        Order memory order = _sharing(AMOUNT, within(quoted, 1, AMOUNT), within(rate, 1, 500_000), SHARER);
        (order.buyToken, order.executor, order.minBuyAmount) = (address(odd), address(hostile), 1);
        bytes memory data = abi.encodeCall(gateway.swapByOrder, (order, abi.encode(AMOUNT)));
        vm.prank(taker);
        (bool done,) = address(gateway).call(data);
        bool isShared = odd.balanceOf(SHARER) != 0;
        if (isShared) vm.assertGe(odd.balanceOf(other), order.quotedBuyAmount, "shared below what was quoted");
        if (!done) vm.assertEq(odd.balanceOf(other), 0, "what failed has moved something");
    }

    /// Of 1,105 the gateway gets 1,050, and of the 1,000 or 1,001 that it sends on arrive 950 or 951.
    function test_whatWasQuotedHasToArrive() external {
        OddToken odd = new OddToken();
        odd.mint(address(hostile), RICH);
        odd.keep(50_000);
        Order memory order = _sharing(AMOUNT, 952, 500_000, SHARER);
        (order.buyToken, order.executor, order.minBuyAmount) = (address(odd), address(hostile), 1);
        _refusedOrder(order, abi.encode(1_105), _insufficient(952, 951));
        order.quotedBuyAmount = 950;
        vm.assertEq(_swapOrder(order, abi.encode(1_105)), 950, "exactly what was quoted");
        vm.assertEq(odd.balanceOf(SHARER), 48, "of 50 that were sent");
    }

    /// Sold tokens that an exact output leaves are the owner's, all of them.
    function test_unspentTokensAreNoSurplus() external {
        Order memory order = _sharing(AMOUNT, AMOUNT / 4, 500_000, SHARER);
        bytes memory fill = fillOf(SOLIDLY_POOL, 0, 0, 1, WHOLE, 0, address(venue));
        uint256 before = tokenA.balanceOf(taker);
        vm.assertEq(_swapOrder(order, exactOut(AMOUNT / 4, none(), fill)), AMOUNT / 4, "what was asked for");
        vm.assertLe(before - tokenA.balanceOf(taker), AMOUNT / 2, "the rest stays");
        vm.assertEq(tokenA.balanceOf(SHARER) + tokenB.balanceOf(SHARER), 0, "nothing is shared");
    }

    /// What is signed for Permit2 is the share as well: no other rate, recipient or quoted amount is let in.
    function testFuzz_theShareIsSigned(uint256 field, uint256 change) external {
        Order memory order = _sharing(AMOUNT, AMOUNT / 2, 1_000, SHARER);
        order.minBuyAmount = 1;
        Permit2Transfer memory permit = _signed(order, _route(), 7, TAKER_KEY);
        uint256 by = within(change, 1, 1_000);
        field %= 4;
        if (field == 0) order.quotedBuyAmount -= by;
        if (field == 1) order.surplusPpm += by;
        if (field == 2) order.surplusRecipient = address(0xbad);
        if (field == 3) (order.quotedBuyAmount, order.surplusPpm, order.surplusRecipient) = (0, 0, address(0));
        bytes memory data = abi.encodeCall(gateway.swapSignedOrder, (order, permit, _route()));
        (bool done,) = address(gateway).call(data);
        vm.assertFalse(done, "another share than was signed");
    }

    function test_aSignedShareByAnybody() external {
        Order memory order = _sharing(AMOUNT, AMOUNT / 2, 500_000, SHARER);
        Permit2Transfer memory permit = _signed(order, _route(), 7, TAKER_KEY);
        vm.assertEq(gateway.swapSignedOrder(order, permit, _route()), AMOUNT * 3 / 4, "as it was signed");
        vm.assertEq(tokenB.balanceOf(SHARER), AMOUNT / 4, "the share");
        _nothingIsLeft();
    }

    function _sharing(uint256 amount, uint256 quoted, uint256 rate, address sharer)
        private
        view
        returns (Order memory order)
    {
        order = _order(amount, quoted == 0 ? 1 : quoted);
        (order.quotedBuyAmount, order.surplusPpm, order.surplusRecipient) = (quoted, rate, sharer);
    }

    function _one(address recipient, uint256 rate) private pure returns (Fee[] memory fees) {
        fees = new Fee[](1);
        fees[0] = Fee(recipient, rate);
    }

    function _route() private view returns (bytes memory) {
        return _single(SOLIDLY_POOL, 0, address(venue), "");
    }

    function _nativeRoute() private view returns (bytes memory) {
        return _single(CURVE_POOL, 2, address(venue), "");
    }

    function _insufficient(uint256 least, uint256 actual) private pure returns (bytes memory) {
        return abi.encodeWithSignature("InsufficientOutput(uint256,uint256)", least, actual);
    }

    function _refuses(Order memory order) private {
        bytes memory reason = abi.encodeWithSignature(
            "InvalidSurplusShare(uint256,uint256,address)",
            order.quotedBuyAmount,
            order.surplusPpm,
            order.surplusRecipient
        );
        _refusedOrder(order, _route(), reason);
    }
}
