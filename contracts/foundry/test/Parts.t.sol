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
    V3_POOL,
    V4_POOL
} from "../../src/VenueCodes.sol";
import {LockedPart, Trade, VenuePart} from "../../src/VenuePart.sol";
import {LockedSwap} from "../../src/venues/UniswapV4.sol";
import {vm, within} from "../src/Cheats.sol";
import {Kind, Kinds} from "../src/Kinds.sol";
import {TO_PAYEE, WHOLE, exactIn, exactOut, fillOf, none} from "../src/Routes.sol";

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

    address private constant attackerOfParts = address(0xa77ac);

    /// Every venue that draws what it was approved: one that leaves a unit of it is refused.
    function test_whatIsApprovedIsDrawn() external {
        uint256[13] memory drawing = [uint256(10), 11, 12, 13, 14, 15, 16, 17, 18, 21, 23, 25, 26];
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
        uint256[2] memory kinds = [uint256(10), 22];
        bytes memory reason = abi.encodeWithSignature("PartialFill(address)", address(venue));
        for (uint256 i = 0; i < kinds.length; ++i) {
            Kind memory kind = _kind(kinds[i]);
            venue.lie(0, 0, 0, 1);
            Terms memory terms = _terms(kind.sold, 2 * AMOUNT, kind.bought, 1);
            _refused(terms, exactOut(AMOUNT, none(), _fill(kind, 0, 0, 1, WHOLE)), reason);
        }
        Kind memory negative = _kind(10);
        venue.lie(0, 0, 0, type(int256).min);
        Terms memory all = _terms(negative.sold, 2 * AMOUNT, negative.bought, 1);
        vm.assertFalse(_try(all, exactOut(AMOUNT, none(), _fill(negative, 0, 0, 1, WHOLE))), "costs nothing");
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
}
