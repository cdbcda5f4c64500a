// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Order, Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {CURVE_POOL, PROP_AMM, SOLIDLY_POOL} from "../../src/VenueCodes.sol";
import {NativeReceiver} from "../../test/NativeReceiver.sol";
import {OddToken} from "../../test/OddToken.sol";
import {PlainToken} from "../../test/PlainToken.sol";
import {ReturnlessToken} from "../../test/ReturnlessToken.sol";
import {SayingToken} from "../../test/SayingToken.sol";
import {vm, within} from "../src/Cheats.sol";
import {IToken} from "../src/Doors.sol";
import {Kinds} from "../src/Kinds.sol";
import {PayingVenue} from "../src/PayingVenue.sol";
import {TO_EXECUTOR, TO_PAYEE, WHOLE, exactIn, exactOut, fillOf, none, one} from "../src/Routes.sol";

/// A token that looks at the length of what it is called with.
contract StrictToken {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    modifier ofLength(uint256 length) {
        require(msg.data.length == length, "another length");
        _;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external ofLength(68) returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external ofLength(68) returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external ofLength(100) returns (bool) {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

/// A token that says yes to two transfers, and to a third 31 bytes of nothing.
contract FadingToken is PlainToken {
    uint256 private moved;

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (++moved < 3) return;
        assembly ("memory-safe") {
            mstore(0, 0)
            return(0, 31)
        }
    }
}

/// A token with both forms of a permit, which takes any signature.
contract BothPermits is PlainToken {
    mapping(address => uint256) public nonces;

    function permit(address owner, address spender, uint256 value, uint256, uint8, bytes32, bytes32) external {
        allowance[owner][spender] = value;
    }

    function permit(address holder, address spender, uint256, uint256, bool, uint8, bytes32, bytes32) external {
        allowance[holder][spender] = type(uint256).max;
    }
}

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
        uint256[3] memory lengths = [uint256(1_024), 1_025, 2_000];
        for (uint256 i = 0; i < lengths.length; ++i) {
            bytes memory reason = new bytes(lengths[i]);
            for (uint256 j = 0; j < reason.length; ++j) reason[j] = bytes1(uint8(j));
            token.say(reason, true, 0);
            assembly ("memory-safe") {
                mstore(reason, 1024)
            }
            _refused(_sale(), _route(), reason);
        }
    }

    function test_whatHasNoCodeIsNoToken() external {
        Terms memory terms = _sale();
        terms.sellToken = address(0xc0de);
        _refused(terms, _route(), abi.encodeWithSignature("TransferFailed(address)", address(0xc0de)));
    }

    /// Calls have the standard's length, as tokens ask for that look at it.
    function test_callsHaveTheirLength() external {
        StrictToken strict = new StrictToken();
        _hold(address(strict));
        Terms memory terms = _sale();
        terms.sellToken = address(strict);
        vm.assertEq(_swap(terms, _single(PROP_AMM, 1, address(venue), "")), 1_000, "drawn, approved");
        PayingVenue pays = new PayingVenue(IToken(address(strict)));
        strict.mint(address(pays), RICH);
        terms = _terms(address(tokenA), 1_000, address(strict), 900);
        (terms.feeRatePpm, terms.feeRecipient) = (100_000, address(0xfee));
        vm.assertEq(_swap(terms, _single(SOLIDLY_POOL, 0, address(pays), "")), 900, "sent");
    }

    /// An answer of 31 bytes is none, also after one that was a yes.
    function test_aShortAnswerAfterAYesIsNone() external {
        FadingToken fading = new FadingToken();
        PayingVenue pays = new PayingVenue(IToken(address(fading)));
        fading.mint(address(pays), RICH);
        Terms memory terms = _terms(address(tokenA), 1_000, address(fading), 900);
        (terms.feeRatePpm, terms.feeRecipient) = (100_000, address(0xfee));
        bytes memory reason = abi.encodeWithSignature("TransferFailed(address)", address(fading));
        _refused(terms, _single(SOLIDLY_POOL, 0, address(pays), ""), reason);
    }

    /// A permit that a token has taken is not asked for in DAI's form as well, which allows everything.
    function test_aPermitThatWasTakenIsTheOnlyOne() external {
        BothPermits both = new BothPermits();
        both.mint(taker, RICH);
        Order memory order;
        (order.executor, order.sellToken, order.maxSellAmount) = (address(executor), address(both), 1_000);
        (order.buyToken, order.minBuyAmount, order.deadline) = (address(tokenB), 1, block.timestamp);
        PayingVenue pays = new PayingVenue(IToken(address(tokenB)));
        tokenB.mint(address(pays), RICH);
        vm.prank(taker);
        gateway.swapOrderWithApproval(order, new bytes(65), _single(SOLIDLY_POOL, 0, address(pays), ""));
        vm.assertEq(both.allowance(taker, address(gateway)), 0, "all that was allowed was sold");
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
