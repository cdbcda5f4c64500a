// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {MakerOrder} from "../../src/MakerOrder.sol";
import {OrderSettlement} from "../../src/OrderSettlement.sol";
import {MakerWallet} from "../../test/MakerWallet.sol";
import {OddToken} from "../../test/OddToken.sol";
import {Vm, vm, within} from "../src/Cheats.sol";
import {OrderWorld} from "../src/OrderWorld.sol";

/// Makers' orders: what is refused, by which reason, and what a fill moves.
contract OrdersTest is OrderWorld {
    function setUp() external {
        _makeKinds();
        _makeMakers();
    }

    function test_fillMovesBothTokensAndNothingElse() external {
        MakerOrder memory order = _order();
        _bring(500);
        orders.fill(order, _sign(MAKER_KEY, order), 500, 250, other);
        vm.assertEq(tokenB.balanceOf(other), 250, "the recipient has the maker's token");
        vm.assertEq(tokenB.balanceOf(maker), RICH - 250, "the maker gave that");
        vm.assertEq(tokenA.balanceOf(maker), RICH + 500, "and has the payment");
        vm.assertEq(orders.usedNonces(maker, 0), 1 << 5, "its nonce is used");
        vm.assertEq(orders.filled(orders.hashOf(order)), 0, "only refillable orders are counted");
        _nothingIsLeft();
    }

    function test_onlyTheTakerFills() external {
        MakerOrder memory order = _order();
        order.taker = address(executor);
        _refusedFill(order, _sign(MAKER_KEY, order), 500, 250, abi.encodeWithSelector(OrderSettlement.NotTheTaker.selector, this));
    }

    function test_theLastSecondIsTheLast() external {
        MakerOrder memory order = _order();
        bytes memory signature = _sign(MAKER_KEY, order);
        vm.warp(block.timestamp + 1);
        _refusedFill(order, signature, 500, 250, abi.encodeWithSelector(OrderSettlement.OrderExpired.selector, order.expiry));
        vm.warp(order.expiry);
        _fills(order, signature, 500, 250);
    }

    function test_amountsHaveBounds() external {
        MakerOrder memory order = _order();
        bytes memory signature = _sign(MAKER_KEY, order);
        _refusedFill(order, signature, 9, 1, abi.encodeWithSelector(OrderSettlement.BelowMinimum.selector, 10, 9));
        _refusedFill(order, signature, 2_001, 1, abi.encodeWithSelector(OrderSettlement.Overfilled.selector, 2_000, 2_001));
        _refusedFill(order, signature, 501, 251, abi.encodeWithSelector(OrderSettlement.WorseThanSigned.selector));
        order.minTakerAmount = 0;
        signature = _sign(MAKER_KEY, order);
        _refusedFill(order, signature, 0, 0, abi.encodeWithSelector(OrderSettlement.BelowMinimum.selector, 0, 0));
        _fills(order, signature, 2_000, 1_000);
    }

    /// A part brings at most its part, to the unit, and exactly that is let through.
    function testFuzz_aPartBringsAtMostItsPart(uint128 makerAmount, uint128 takerAmount, uint256 part, uint256 wanted)
        external
    {
        MakerOrder memory order = _order();
        order.makerAmount = uint128(within(makerAmount, 1, 1e27));
        order.takerAmount = uint128(within(takerAmount, 1, 1e27));
        (order.minTakerAmount, part) = (0, within(part, 1, order.takerAmount));
        uint256 due = uint256(order.makerAmount) * part / order.takerAmount;
        wanted = within(wanted, 0, 2 * due + 1);
        bytes memory signature = _sign(MAKER_KEY, order);
        if (wanted <= due) _fills(order, signature, part, wanted);
        else _refusedFill(order, signature, part, wanted, abi.encodeWithSelector(OrderSettlement.WorseThanSigned.selector));
    }

    function test_signatureHasOneForm() external {
        MakerOrder memory order = _order();
        bytes memory reason = abi.encodeWithSelector(OrderSettlement.InvalidSignature.selector, maker);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(MAKER_KEY, orders.hashOf(order));
        _refusedFill(order, abi.encodePacked(r, s), 500, 250, reason);
        _refusedFill(order, abi.encodePacked(r, s, v, v), 500, 250, reason);
        _refusedFill(order, abi.encodePacked(r, s, v - 27), 500, 250, reason);
        uint256 n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
        _refusedFill(order, abi.encodePacked(r, n - uint256(s), v == 27 ? 28 : 27), 500, 250, reason);
        _refusedFill(order, _sign(SIGNER_KEY, order), 500, 250, reason);
        _fills(order, abi.encodePacked(r, s, v), 500, 250);
    }

    /// Of two signatures that are each other's mirror image the lower one counts, up to exactly half of the order.
    function test_theLowerHalfEndsAtHalfTheOrder() external {
        MakerOrder memory order = _order();
        uint256 half = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;
        bytes32 digest = orders.hashOf(order);
        // A point of the curve and any number are somebody's signature.
        bytes32 r = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798;
        for (uint256 i = 0; i < 2; ++i) {
            bytes32 s = bytes32(half + i);
            address signer = ecrecover(digest, 27, r, s);
            vm.prank(maker);
            orders.setSigner(signer, true);
            bytes memory reason = abi.encodeWithSelector(OrderSettlement.InvalidSignature.selector, maker);
            if (i == 1) _refusedFill(order, abi.encodePacked(r, s, uint8(27)), 500, 250, reason);
            else _fills(order, abi.encodePacked(r, s, uint8(27)), 500, 250);
        }
    }

    /// A maker's contract is given 200,000 gas, no less and no more.
    function test_aMakersContractHasItsGas() external {
        MakerOrder memory order = _order();
        order.maker = address(makerWallet);
        // Says yes where its first look at its gas, which costs two, tells 199,998.
        vm.etch(order.maker, hex"5a62030d3e14631626ba7e0260e01b60005260206000f3");
        _fills(order, "", 500, 250);
    }

    /// Whatever is changed of an order, the signature is none any more.
    function testFuzz_everyFieldIsSigned(uint256 field, uint256 bit) external {
        MakerOrder memory order = _order();
        bytes memory signature = _sign(MAKER_KEY, order);
        uint256 place = field % 11;
        uint256 most = place < 5 ? 160 : place < 8 ? 128 : place == 8 ? 64 : place == 9 ? 256 : 1;
        bytes32 before = orders.hashOf(order);
        assembly ("memory-safe") {
            let word := add(order, mul(32, place))
            mstore(word, xor(mload(word), shl(mod(bit, most), 1)))
        }
        vm.assertFalse(before == orders.hashOf(order), "another order has another digest");
        _bring(500);
        (bool done,) = address(orders).call(abi.encodeCall(orders.fill, (order, signature, 500, 250, other)));
        vm.assertFalse(done, "a changed order was filled");
    }

    function test_signersAreTheMakersOwn() external {
        MakerOrder memory order = _order();
        address signer = vm.addr(SIGNER_KEY);
        orders.setSigner(signer, true);
        bytes memory signature = _sign(SIGNER_KEY, order);
        bytes memory reason = abi.encodeWithSelector(OrderSettlement.InvalidSignature.selector, maker);
        _refusedFill(order, signature, 500, 250, reason);
        vm.prank(maker);
        orders.setSigner(signer, true);
        _fills(order, signature, 500, 250);
        vm.prank(maker);
        orders.setSigner(signer, false);
        order.nonce = 6;
        _refusedFill(order, _sign(SIGNER_KEY, order), 500, 250, reason);
        vm.prank(maker);
        orders.setSigner(address(0), true);
        _refusedFill(order, "", 500, 250, reason);
    }

    function test_contractsJudgeByErc1271() external {
        MakerOrder memory order = _order();
        order.maker = address(makerWallet);
        bytes memory reason = abi.encodeWithSelector(OrderSettlement.InvalidSignature.selector, order.maker);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(MAKER_KEY, orders.hashOf(order));
        _refusedFill(order, abi.encode(r, s, v == 27 ? 28 : 27), 500, 250, reason);
        MakerWallet.Mood[6] memory refusing = [
            MakerWallet.Mood.SayNo, MakerWallet.Mood.SayYesInShort, MakerWallet.Mood.SayYesDirtily,
            MakerWallet.Mood.BurnGas, MakerWallet.Mood.Revert, MakerWallet.Mood.CallBack
        ];
        makerWallet.plan(address(orders), abi.encodeCall(orders.raiseLeastNonce, (1)));
        for (uint256 i = 0; i < refusing.length; ++i) {
            makerWallet.feel(refusing[i]);
            _refusedFill(order, "", 500, 250, reason);
        }
        vm.assertEq(orders.leastNonce(order.maker), 0, "who judges may only look");
        makerWallet.feel(MakerWallet.Mood.AskTheOwner);
        _fills(order, abi.encode(r, s, v), 500, 250);
        makerWallet.feel(MakerWallet.Mood.SayYesAndMore);
        order.nonce = 6;
        _fills(order, "", 500, 250);
    }

    function test_nonceIsUsedOnce() external {
        MakerOrder memory order = _order();
        bytes memory signature = _sign(MAKER_KEY, order);
        _fills(order, signature, 500, 250);
        bytes memory reason = abi.encodeWithSelector(OrderSettlement.NonceUsed.selector, 5);
        _refusedFill(order, signature, 500, 250, reason);
        order.refillable = true;
        _refusedFill(order, _sign(MAKER_KEY, order), 500, 250, reason);
        order.nonce = 5 + 256;
        _fills(order, _sign(MAKER_KEY, order), 500, 250);
    }

    function test_refillableIsFilledUpToItsAmount() external {
        MakerOrder memory order = _order();
        order.refillable = true;
        bytes memory signature = _sign(MAKER_KEY, order);
        _fills(order, signature, 1_500, 750);
        _refusedFill(order, signature, 501, 250, abi.encodeWithSelector(OrderSettlement.Overfilled.selector, 500, 501));
        _fills(order, signature, 500, 250);
        vm.assertEq(orders.filled(orders.hashOf(order)), 2_000, "all of it");
        _refusedFill(order, signature, 10, 5, abi.encodeWithSelector(OrderSettlement.Overfilled.selector, 0, 10));
    }

    function test_makersTakeOrdersBack() external {
        MakerOrder memory order = _order();
        order.refillable = true;
        bytes memory signature = _sign(MAKER_KEY, order);
        _fills(order, signature, 500, 250);
        vm.prank(maker);
        orders.cancelNonces(0, 1 << 5);
        vm.prank(maker);
        orders.cancelNonces(0, 1 << 7);
        vm.assertEq(orders.cancelledNonces(maker, 0), 1 << 5 | 1 << 7, "cancelled");
        vm.assertEq(orders.usedNonces(maker, 0), 1 << 5 | 1 << 7, "and used");
        _refusedFill(order, signature, 500, 250, abi.encodeWithSelector(OrderSettlement.NonceUsed.selector, 5));
        order.nonce = 7;
        _refusedFill(order, _sign(MAKER_KEY, order), 500, 250, abi.encodeWithSelector(OrderSettlement.NonceUsed.selector, 7));
        order.nonce = 8;
        vm.prank(maker);
        orders.raiseLeastNonce(9);
        bytes memory reason = abi.encodeWithSelector(OrderSettlement.NonceTooLow.selector, 9, 8);
        _refusedFill(order, _sign(MAKER_KEY, order), 500, 250, reason);
        reason = abi.encodeWithSelector(OrderSettlement.NonceTooLow.selector, 9, 9);
        _refusedCall(maker, address(orders), 0, abi.encodeCall(orders.raiseLeastNonce, (9)), reason);
        reason = abi.encodeWithSelector(OrderSettlement.NonceTooLow.selector, 9, 8);
        _refusedCall(maker, address(orders), 0, abi.encodeCall(orders.raiseLeastNonce, (8)), reason);
        order.nonce = 9;
        _fills(order, _sign(MAKER_KEY, order), 500, 250);
    }

    /// Servers follow orders by what is told of them.
    function test_everyChangeIsTold() external {
        MakerOrder memory order = _order();
        bytes memory signature = _sign(MAKER_KEY, order);
        _bring(500);
        vm.recordLogs();
        orders.fill(order, signature, 500, 250, other);
        bytes32 who = bytes32(uint256(uint160(maker)));
        _told(OrderSettlement.OrderFilled.selector, who, orders.hashOf(order), abi.encode(500, 250));
        orders.cancelNonces(3, 5);
        who = bytes32(uint256(uint160(address(this))));
        _told(OrderSettlement.NoncesCancelled.selector, who, 0, abi.encode(3, 5));
        orders.raiseLeastNonce(9);
        _told(OrderSettlement.LeastNonceRaised.selector, who, 0, abi.encode(9));
        orders.setSigner(other, true);
        _told(OrderSettlement.SignerSet.selector, who, bytes32(uint256(uint160(other))), abi.encode(true));
    }

    /// The newest event is this one; zero where it has no second topic.
    function _told(bytes32 name, bytes32 first, bytes32 second, bytes memory data) private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory last = logs[logs.length - 1];
        vm.assertTrue(last.emitter == address(orders) && last.topics[0] == name && last.topics[1] == first, "told");
        vm.assertTrue(second == 0 ? last.topics.length == 2 : last.topics[2] == second, "with what else is indexed");
        vm.assertEq(last.data, data, "and with these words");
    }

    function test_whoFillsHasToPay() external {
        MakerOrder memory order = _order();
        bytes memory signature = _sign(MAKER_KEY, order);
        _bring(499);
        (bool done,) = address(orders).call(abi.encodeCall(orders.fill, (order, signature, 500, 250, other)));
        vm.assertFalse(done, "an order was filled for less");
        OddToken odd = new OddToken();
        odd.mint(address(orders), 500);
        odd.mint(maker, 500);
        odd.keep(10_000);
        order.takerToken = address(odd);
        bytes memory reason = abi.encodeWithSelector(OrderSettlement.PaymentTooSmall.selector, 500, 495);
        signature = _sign(MAKER_KEY, order);
        _refusedCall(
            address(this), address(orders), 0, abi.encodeCall(orders.fill, (order, signature, 500, 250, other)), reason
        );
    }

    function test_noFillWithinAFill() external {
        OddToken odd = new OddToken();
        odd.mint(address(orders), 500);
        MakerOrder memory order = _order();
        order.takerToken = address(odd);
        bytes memory signature = _sign(MAKER_KEY, order);
        odd.callDuringTransfer(address(orders), abi.encodeCall(orders.fill, (order, signature, 500, 250, other)));
        orders.fill(order, signature, 500, 250, other);
        vm.assertTrue(odd.called(), "it was tried");
        vm.assertEq(odd.answer(), abi.encodeWithSelector(OrderSettlement.Reentered.selector), "and refused");
        order.nonce = 6;
        order.takerToken = address(tokenA);
        _fills(order, _sign(MAKER_KEY, order), 500, 250);
    }

    function _bring(uint256 amount) private {
        tokenA.mint(address(orders), amount);
    }

    function _fills(MakerOrder memory order, bytes memory signature, uint256 takerAmount, uint256 makerAmount) private {
        _bring(takerAmount);
        uint256 before = tokenB.balanceOf(other);
        orders.fill(order, signature, takerAmount, makerAmount, other);
        vm.assertEq(tokenB.balanceOf(other) - before, makerAmount, "the recipient has the maker's token");
    }

    function _refusedFill(
        MakerOrder memory order,
        bytes memory signature,
        uint256 takerAmount,
        uint256 makerAmount,
        bytes memory reason
    ) private {
        _bring(takerAmount);
        bytes memory data = abi.encodeCall(orders.fill, (order, signature, takerAmount, makerAmount, other));
        _refusedCall(address(this), address(orders), 0, data, reason);
        vm.prank(address(orders));
        tokenA.transfer(address(0xdead), takerAmount);
    }
}
