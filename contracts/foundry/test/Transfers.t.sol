// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {CURVE_POOL, SOLIDLY_POOL} from "../../src/VenueCodes.sol";
import {NativeReceiver} from "../../test/NativeReceiver.sol";
import {OddToken} from "../../test/OddToken.sol";
import {ReturnlessToken} from "../../test/ReturnlessToken.sol";
import {SayingToken} from "../../test/SayingToken.sol";
import {vm, within} from "../src/Cheats.sol";
import {IToken} from "../src/Doors.sol";
import {Kinds} from "../src/Kinds.sol";
import {TO_EXECUTOR, TO_PAYEE, WHOLE, exactIn, exactOut, fillOf, none, one} from "../src/Routes.sol";

/// Tokens that answer in other ways than the standard has it, keep a part, or are none; and receivers of native token.
contract TransfersTest is Kinds {
    SayingToken private token;

    function setUp() external {
        _makeKinds();
        token = new SayingToken();
        _hold(address(token));
    }

    function test_onlyTrueOrNothingIsAYes() external {
        bytes memory failed = abi.encodeWithSignature("TransferFailed(address)", address(token));
        token.say(abi.encode(1), false, 0);
        vm.assertEq(_swap(_sale(), _route()), 1_000, "true");
        token.say("", false, 0);
        vm.assertEq(_swap(_sale(), _route()), 1_000, "nothing");
        token.say(abi.encode(1, 2), false, 0);
        vm.assertEq(_swap(_sale(), _route()), 1_000, "true and more");
        token.say(abi.encode(0), false, 0);
        _refused(_sale(), _route(), failed);
        token.say(abi.encode(2), false, 0);
        _refused(_sale(), _route(), failed);
        token.say(hex"01", false, 0);
        _refused(_sale(), _route(), failed);
        token.say(bytes.concat(bytes31(0), hex"01"), true, 0);
        _refused(_sale(), _route(), abi.encode(1));
        token.say("", true, 0);
        _refused(_sale(), _route(), failed);
    }

    function testFuzz_aReasonIsPassedOnUpToABound(bytes calldata reason) external {
        vm.assume(reason.length != 0);
        token.say(reason, true, 0);
        _refused(_sale(), _route(), reason.length > 1_024 ? reason[:1_024] : reason);
    }

    function test_aReasonIsCutAt1024Bytes() external {
        bytes memory reason = new bytes(2_000);
        for (uint256 i = 0; i < reason.length; ++i) reason[i] = bytes1(uint8(i));
        token.say(reason, true, 0);
        assembly ("memory-safe") {
            mstore(reason, 1024)
        }
        _refused(_sale(), _route(), reason);
    }

    function test_whatHasNoCodeIsNoToken() external {
        Terms memory terms = _sale();
        terms.sellToken = address(0xc0de);
        _refused(terms, _route(), abi.encodeWithSignature("TransferFailed(address)", address(0xc0de)));
    }

    function test_tokensThatReturnNothingTrade() external {
        ReturnlessToken mute = new ReturnlessToken();
        mute.mint(taker, RICH);
        vm.prank(taker);
        mute.approve(address(gateway), RICH);
        Terms memory terms = _sale();
        terms.sellToken = address(mute);
        vm.assertEq(_swap(terms, _route()), 1_000, "sold");
    }

    /// A token that keeps a part cannot undercut the minimum, with and without a fee.
    function testFuzz_whatATokenKeepsIsMissed(uint256 kept, uint256 least, uint256 rate) external {
        OddToken odd = new OddToken();
        _hold(address(odd));
        odd.keep(within(kept, 0, 1_000_000));
        Terms memory terms = _terms(address(tokenA), 1_000_000, address(odd), within(least, 1, 1_000_001));
        terms.recipient = other;
        terms.feeRatePpm = within(rate, 0, 100_000);
        if (terms.feeRatePpm != 0) terms.feeRecipient = address(0xfee);
        bool done = _try(terms, _single(SOLIDLY_POOL, 0, address(_oddVenue(address(odd))), ""));
        if (done) vm.assertGe(odd.balanceOf(other), terms.minBuyAmount, "less than the minimum came");
        else vm.assertEq(odd.balanceOf(other), 0, "what failed has moved something");
        if (done && kept == 0) vm.assertLe(odd.balanceOf(address(0xfee)), 100_000, "the fee is above ten percent");
    }

    function test_nativeTokenThatIsRefusedFailsTheSwap() external {
        NativeReceiver receiver = new NativeReceiver();
        receiver.feel(NativeReceiver.Mood.Refuse);
        Terms memory terms = _terms(address(tokenA), 1_000, NATIVE_TOKEN, 1);
        terms.recipient = address(receiver);
        bytes memory payload = _single(CURVE_POOL, 2, address(venue), "");
        _refused(terms, payload, abi.encodeWithSignature("NativeTransferFailed(address)", address(receiver)));
        receiver.feel(NativeReceiver.Mood.AnswerAtLength);
        vm.assertEq(_swap(terms, payload), 1_000, "what it answers is not looked at");
    }

    function _sale() private view returns (Terms memory) {
        return _terms(address(token), 1_000, address(tokenB), 1);
    }

    function _route() private view returns (bytes memory) {
        return _single(SOLIDLY_POOL, 0, address(venue), "");
    }

    /// Held by the taker, who has approved the gateway, and by the venue.
    function _hold(address held) private {
        IToken(held).mint(taker, RICH);
        IToken(held).mint(address(venue), RICH);
        vm.prank(taker);
        IToken(held).approve(address(gateway), type(uint256).max);
    }

    /// A venue that pays this token, whichever way it is asked.
    function _oddVenue(address odd) private returns (PayingVenue made) {
        made = new PayingVenue(IToken(odd));
        IToken(odd).mint(address(made), RICH);
    }
}

/// A Solidly pool that pays one token for anything.
contract PayingVenue {
    IToken private immutable pays;

    constructor(IToken pays_) {
        pays = pays_;
    }

    function getAmountOut(uint256 amountIn, address) external pure returns (uint256) {
        return amountIn;
    }

    function swap(uint256 amount0, uint256 amount1, address to, bytes calldata) external {
        pays.transfer(to, amount0 + amount1);
    }
}
