// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Fill} from "../../src/Payload.sol";
import {Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {
    BALANCER_V2_POOL,
    BALANCER_V3_BUFFER,
    BALANCER_V3_POOL,
    CURVE_POOL,
    ERC4626_VAULT,
    PSM,
    RATE_TOKEN,
    SOLIDLY_POOL,
    V3_POOL,
    V4_POOL
} from "../../src/VenueCodes.sol";
import {LockedPart, Trade, VenuePart} from "../../src/VenuePart.sol";
import {LockedSwap} from "../../src/venues/UniswapV4.sol";
import {AnyVenue} from "../src/AnyVenue.sol";
import {vm, within} from "../src/Cheats.sol";
import {Kind, Kinds} from "../src/Kinds.sol";
import {TO_EXECUTOR, TO_PAYEE, WHOLE, exactIn, exactOut, fillOf, none, one} from "../src/Routes.sol";

/// The executor's parts: nobody runs them but the executor, and what a venue leaves undrawn is seen.
contract PartsTest is Kinds {
    bytes private constant INVALID = abi.encodeWithSignature("InvalidPayload()");
    uint256 private constant AMOUNT = 1_000_000;

    function setUp() external {
        _makeKinds();
    }

    function test_nobodyCallsAPartDirectly() external {
        bytes memory reason = abi.encodeWithSignature("CalledDirectly()");
        Trade memory trade;
        LockedSwap memory swap;
        for (uint256 i = 0; i < parts.length; ++i) {
            bool isLocked = i == 4;
            bytes[3] memory calls = isLocked
                ? [abi.encodeCall(LockedPart.open, (swap)), abi.encodeCall(LockedPart.close, (swap, 0, 0)), bytes("")]
                : [
                    abi.encodeCall(VenuePart.sell, (trade, "")),
                    abi.encodeCall(VenuePart.costOf, (trade, "")),
                    abi.encodeCall(VenuePart.buy, (trade, "", 0))
                ];
            for (uint256 j = 0; j < (isLocked ? 2 : 3); ++j) {
                _refusedCall(attackerOfParts, parts[i], 0, calls[j], reason);
            }
        }
    }

    /// Both halves of an exact output are refused by themselves where a venue has none.
    function test_aPartWithoutExactOutputsHasNeitherHalf() external {
        Trade memory trade;
        uint256[3] memory without = [uint256(0), 7, 8];
        for (uint256 i = 0; i < without.length; ++i) {
            (bool done, bytes memory reason) =
                parts[without[i]].delegatecall(abi.encodeCall(VenuePart.costOf, (trade, "")));
            vm.assertTrue(!done && keccak256(reason) == keccak256(INVALID), "what it costs");
            (done, reason) = parts[without[i]].delegatecall(abi.encodeCall(VenuePart.buy, (trade, "", 1)));
            vm.assertTrue(!done && keccak256(reason) == keccak256(INVALID), "to buy");
        }
    }

    /// A pair of bins has what it is asked for, and what it brings beyond that is the seller's.
    function test_pairsOfBinsHaveWhatIsAskedFor() external {
        Kind memory kind = _kind(31);
        bytes memory fill = _fill(kind, 0, 0, 1, WHOLE);
        uint256[2] memory tooMuch = [uint256(1) << 128, 2 * RICH];
        bytes memory reason = abi.encodeWithSignature("InsufficientLiquidity(address)", address(venue));
        for (uint256 i = 0; i < 2; ++i) {
            _refused(_terms(kind.sold, RICH, kind.bought, 1), exactOut(tooMuch[i], none(), fill), reason);
        }
        uint256 largest = type(uint128).max;
        tokenA.mint(taker, largest);
        tokenB.mint(address(venue), largest);
        kind = _kind(31);
        _swap(_terms(kind.sold, largest, kind.bought, largest), exactOut(largest, none(), fill));
        venue.lie(0, 0, 0, 3);
        Terms memory terms = _terms(kind.sold, 2 * AMOUNT, kind.bought, AMOUNT);
        terms.recipient = other;
        (uint256 sold, uint256 bought) = (tokenA.balanceOf(taker), tokenB.balanceOf(taker));
        vm.assertEq(_swap(terms, exactOut(AMOUNT, none(), fill)), AMOUNT, "exactly");
        vm.assertEq(sold - tokenA.balanceOf(taker), AMOUNT + 3, "for what the pair asks");
        vm.assertEq(tokenB.balanceOf(taker) - bought, 3, "the rest");
        _nothingIsLeft();
    }

    /// Bought in the middle of a route, it stays for the fill after it; sold there, exactly what it costs leaves no rest.
    function test_partsTradeInTheMiddle() external {
        AnyVenue last = address(tokenB) < address(weth)
            ? new AnyVenue(address(tokenB), address(weth))
            : new AnyVenue(address(weth), address(tokenB));
        vm.prank(taker);
        weth.transfer(address(last), 1e24);
        uint256[2] memory kinds = [uint256(25), 31];
        for (uint256 i = 0; i < 2; ++i) {
            Kind memory kind = _kind(kinds[i]);
            bytes memory fills =
                bytes.concat(fillOf(SOLIDLY_POOL, 0, 2, 1, WHOLE, 0, address(last)), _fill(kind, 0, 0, 2, WHOLE));
            Terms memory terms = _terms(address(tokenA), 2 * AMOUNT, address(weth), AMOUNT);
            vm.assertEq(_swap(terms, exactOut(AMOUNT, one(address(tokenB)), fills)), AMOUNT, "exactly");
            _nothingIsLeft();
        }
        bytes memory sells = bytes.concat(
            _fill(_kind(5), TO_EXECUTOR, 0, 2, WHOLE), fillOf(PSM, TO_PAYEE, 2, 1, WHOLE, 0, address(venue))
        );
        Terms memory whole = _terms(address(weth), AMOUNT, address(tokenA), AMOUNT);
        vm.assertEq(_swap(whole, exactIn(one(address(tokenB)), sells)), AMOUNT, "no rest");
    }

    address private constant attackerOfParts = address(0xa77ac);

    /// Every venue that draws what it was approved: one that leaves a unit of it is refused.
    function test_whatIsApprovedIsDrawn() external {
        uint256[15] memory drawing = [uint256(10), 11, 12, 13, 14, 15, 16, 17, 18, 21, 23, 25, 26, 30, 35];
        bytes memory reason = abi.encodeWithSignature("PartialFill(address)", address(venue));
        for (uint256 i = 0; i < drawing.length; ++i) {
            Kind memory kind = _kind(drawing[i]);
            venue.lie(-1, 0, 0, 0);
            Terms memory terms = _terms(kind.sold, AMOUNT, kind.bought, 1);
            _refused(terms, exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE)), reason);
            if (!kind.exactOut) continue;
            terms.maxSellAmount = 2 * AMOUNT;
            bytes memory payload = exactOut(AMOUNT, none(), _fill(kind, 0, 0, 1, WHOLE));
            _refused(terms, payload, reason);
        }
    }

    /// An exact output costs what was said before it was paid.
    function test_whatWasPreviewedIsWhatIsAsked() external {
        uint256[3] memory kinds = [uint256(10), 22, 35];
        bytes memory reason = abi.encodeWithSignature("PartialFill(address)", address(venue));
        for (uint256 i = 0; i < kinds.length; ++i) {
            Kind memory kind = _kind(kinds[i]);
            venue.lie(0, 0, 0, 1);
            Terms memory terms = _terms(kind.sold, 2 * AMOUNT, kind.bought, 1);
            _refused(terms, exactOut(AMOUNT, none(), _fill(kind, 0, 0, 1, WHOLE)), reason);
        }
        Kind memory negative = _kind(10);
        venue.lie(0, 0, 0, type(int256).max);
        Terms memory all = _terms(negative.sold, 2 * AMOUNT, negative.bought, 1);
        _refused(all, exactOut(AMOUNT, none(), _fill(negative, 0, 0, 1, WHOLE)), reason);
    }

    /// A cost of nothing is one that the vault itself has to take.
    function test_aCostOfNothingIsTheVaults() external {
        Kind memory kind = _kind(10);
        venue.lie(0, 0, 0, -int256(AMOUNT));
        Terms memory terms = _terms(kind.sold, AMOUNT, kind.bought, 1);
        bytes memory reason = abi.encodeWithSignature("Error(string)", "allowance too small");
        _refused(terms, exactOut(AMOUNT, none(), _fill(kind, 0, 0, 1, WHOLE)), reason);
    }

    /// A pool's own share token allows its vault everything: nothing is approved then, and what is asked is still checked.
    function test_aVaultThatIsAllowedAnyway() external {
        vm.prank(address(executor));
        tokenA.approve(address(venue), type(uint256).max);
        Kind memory kind = _kind(10);
        Terms memory terms = _terms(kind.sold, 2 * AMOUNT, kind.bought, AMOUNT);
        bytes memory payload = exactOut(AMOUNT, none(), _fill(kind, 0, 0, 1, WHOLE));
        vm.assertEq(_swap(terms, payload), AMOUNT, "bought");
        vm.assertEq(tokenA.allowance(address(executor), address(venue)), type(uint256).max, "as it was");
        venue.lie(0, 0, -1, 0);
        _refused(terms, payload, abi.encodeWithSignature("PartialFill(address)", address(venue)));
        venue.lie(0, 0, 0, 0);
        terms.maxSellAmount = AMOUNT;
        vm.assertEq(_swap(terms, exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE))), AMOUNT, "sold");
        venue.lie(0, -5, -5, 0);
        terms.minBuyAmount = AMOUNT - 5;
        vm.assertEq(_swap(terms, exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE))), AMOUNT - 5, "at another price");
    }

    /// What a pool says of its failure reaches the taker, also where it is called by a selector that is worked out.
    function test_aPoolsReasonIsPassedOn() external {
        Kind memory kind = _kind(14);
        venue.lie(1, 0, 0, 0);
        Terms memory terms = _terms(kind.sold, AMOUNT, kind.bought, 1);
        bytes memory payload = exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE));
        _refused(terms, payload, abi.encodeWithSignature("Error(string)", "allowance too small"));
    }

    /// Who makes an exact output makes all of it.
    function test_whatIsBoughtIsAllThere() external {
        uint256[5] memory kinds = [uint256(2), 3, 4, 5, 7];
        bytes memory reason = abi.encodeWithSignature("PartialFill(address)", address(venue));
        for (uint256 i = 0; i < kinds.length; ++i) {
            Kind memory kind = _kind(kinds[i]);
            venue.lie(0, 0, -1, 0);
            Terms memory terms = _terms(kind.sold, 2 * AMOUNT, kind.bought, 1);
            _refused(terms, exactOut(AMOUNT, none(), _fill(kind, 0, 0, 1, WHOLE)), reason);
        }
        Kind memory buffer = _kind(8);
        venue.lie(0, 0, -1, 0);
        Terms memory most = _terms(buffer.sold, 2 * AMOUNT, buffer.bought, 1);
        _refused(most, exactOut(AMOUNT, none(), _fill(buffer, 0, 0, 1, WHOLE)), reason);
    }

    function test_aManagerThatOwesOrAsksForNothingIsRefused() external {
        Kind memory kind = _kind(5);
        venue.lie(-int256(AMOUNT), 0, 0, 0);
        bytes memory reason = abi.encodeWithSignature("UnexpectedCallback(address)", address(venue));
        Terms memory terms = _terms(kind.sold, AMOUNT, kind.bought, 1);
        _refused(terms, exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE)), reason);
    }

    /// What names a vault, a token at a rate or a module in a fill is one side of the trade.
    function test_venuesOfSharesTradeTheirShares() external {
        bytes memory vault = fillOf(ERC4626_VAULT, TO_PAYEE, 0, 1, WHOLE, 0, address(venue));
        Terms memory terms = _terms(address(tokenA), AMOUNT, address(tokenB), 1);
        _refused(terms, exactIn(none(), vault), INVALID);
        _refused(terms, exactOut(AMOUNT, none(), fillOf(ERC4626_VAULT, 0, 0, 1, WHOLE, 0, address(venue))), INVALID);
        _refused(terms, exactIn(none(), fillOf(RATE_TOKEN, TO_PAYEE, 0, 1, WHOLE, 0, address(venue))), INVALID);
    }

    function test_modulesCountToTheUnit() external {
        (Kind memory sells, Kind memory buys) = (_kind(25), _kind(26));
        venue.charge(0, 0, 1);
        vm.assertEq(_costOf(sells, 1e24), 1e24, "without a fee");
        venue.charge(0, 1e17, 1);
        vm.assertEq(_costOf(buys, 1e24), 1.1e24, "with one of ten percent");
        bytes memory payload = exactIn(none(), _fill(buys, TO_PAYEE, 0, 1, WHOLE));
        vm.assertEq(_swap(_terms(buys.sold, 1.1e24, buys.bought, 1), payload), 1e24, "all that it pays for");
        venue.charge(0, 1, 1);
        uint256 amount = 1e18 - 1;
        vm.assertEq(_swap(_terms(buys.sold, amount, buys.bought, 1), payload), amount, "a fee that is rounded to none");
    }

    /// What an exact output costs the taker.
    function _costOf(Kind memory kind, uint256 amount) private returns (uint256 cost) {
        cost = _balance(kind.sold, taker);
        _swap(_terms(kind.sold, 2 * amount, kind.bought, amount), exactOut(amount, none(), _fill(kind, 0, 0, 1, WHOLE)));
        cost -= _balance(kind.sold, taker);
    }

    /// A module's fees, and units that are whole: the rest is the seller's, and nobody pays above what was agreed.
    function testFuzz_modulesChargeTheirFees(uint256 tin, uint256 tout, uint256 unit, uint256 amount, bool sellsGem)
        external
    {
        venue.charge(within(tin, 0, 1e17), within(tout, 0, 1e17), 10 ** within(unit, 0, 12));
        uint256 scale = venue.to18ConversionFactor();
        amount = within(amount, 1, 1e9) * scale;
        Kind memory kind = _kind(sellsGem ? 25 : 26);
        uint256 sold = sellsGem ? amount / scale : amount + amount / 9;
        Terms memory terms = _terms(kind.sold, sold, kind.bought, 1);
        bytes memory payload = exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE));
        uint256 before = _balance(kind.sold, taker);
        uint256 bought = _swap(terms, payload);
        uint256 spent = before - _balance(kind.sold, taker);
        vm.assertLe(spent, sold, "at most what was agreed");
        if (!sellsGem) {
            uint256 gross = bought * scale;
            vm.assertEq(spent, gross + gross * venue.tout() / 1e18, "what the gem costs");
            uint256 further = (bought + 1) * scale;
            vm.assertLe(sold, further + further * venue.tout() / 1e18 - 1, "all the gem that it pays for");
        }
        terms.maxSellAmount = RICH;
        payload = exactOut(bought, none(), _fill(kind, 0, 0, 1, WHOLE));
        before = _balance(kind.bought, taker);
        vm.assertEq(_swap(terms, payload), bought, "an exact output");
        vm.assertGe(_balance(kind.bought, taker) - before, bought, "came");
        _nothingIsLeft();
    }

    /// Behind another fill, what is too little for a further unit of gem goes back to the seller.
    function testFuzz_whatBuysNoGemIsTheSellers(uint256 amount, uint256 tout) external {
        Kind memory first = _kind(5);
        venue.charge(0, within(tout, 0, 1e17), 1e6);
        amount = within(amount, 2e6, 1e24);
        bytes memory fills = bytes.concat(
            _fill(first, TO_EXECUTOR, 0, 2, WHOLE), fillOf(PSM, TO_PAYEE, 2, 1, WHOLE, 0, address(venue))
        );
        uint256 before = tokenB.balanceOf(taker);
        uint256 gem = _swap(_terms(address(weth), amount, address(tokenA), 1), exactIn(one(address(tokenB)), fills));
        uint256 cost = gem * 1e6 + gem * 1e6 * venue.tout() / 1e18;
        vm.assertEq(tokenB.balanceOf(taker) - before, amount - cost, "the rest");
        _nothingIsLeft();
    }

    /// What the last unit of gem brings beyond an exact output is the seller's.
    function testFuzz_whatTheLastGemBringsIsTheSellers(uint256 amount, uint256 tin) external {
        Kind memory kind = _kind(25);
        venue.charge(within(tin, 0, 1e17), 0, 1e6);
        amount = within(amount, 1, 1e24);
        Terms memory terms = _terms(kind.sold, RICH, kind.bought, amount);
        terms.recipient = other;
        (uint256 sold, uint256 before) = (tokenA.balanceOf(taker), tokenB.balanceOf(taker));
        vm.assertEq(_swap(terms, exactOut(amount, none(), _fill(kind, 0, 0, 1, WHOLE))), amount, "exactly");
        uint256 gross = (sold - tokenA.balanceOf(taker)) * 1e6;
        uint256 brought = gross - gross * venue.tin() / 1e18;
        vm.assertEq(tokenB.balanceOf(taker) - before, brought - amount, "the rest");
        gross -= 1e6;
        vm.assertLe(gross - gross * venue.tin() / 1e18, amount - 1, "one unit less would not do");
        _nothingIsLeft();
    }
}
