// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {MakerOrder} from "../../src/MakerOrder.sol";
import {Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {
    CURVE_POOL,
    INFINITY_CL_POOL,
    KURU_MARKET,
    LB_PAIR,
    PROP_AMM,
    PSM,
    SOLIDLY_POOL,
    V2_PAIR,
    V3_POOL,
    V4_POOL,
    WRAPPED_NATIVE
} from "../../src/VenueCodes.sol";
import {PlainToken} from "../../test/PlainToken.sol";
import {AnyVenue} from "../src/AnyVenue.sol";
import {vm} from "../src/Cheats.sol";
import {Kind} from "../src/Kinds.sol";
import {Plan} from "../src/Mischief.sol";
import {OrderWorld} from "../src/OrderWorld.sol";
import {TO_EXECUTOR, TO_NEXT, TO_PAYEE, WHOLE, exactIn, exactOut, fillOf, none, one} from
    "../src/Routes.sol";

/// What the executor refuses, and by which reason.
contract ExecutorTest is OrderWorld {
    bytes private constant INVALID = abi.encodeWithSignature("InvalidPayload()");
    uint256 private constant AMOUNT = 1_000_000;

    function setUp() external {
        _makeKinds();
        _makeMakers();
    }

    function test_onlyTheGatewayRunsRoutes() external {
        bytes memory data =
            abi.encodeCall(executor.execute, (address(tokenA), 1, address(tokenB), taker, _honestPayload()));
        _refusedCall(taker, address(executor), 0, data, abi.encodeWithSignature("NotTheGateway(address)", taker));
    }

    function test_nobodySendsNativeToken() external {
        _refusedCall(taker, address(executor), 1, "", abi.encodeWithSignature("UnexpectedNative(address)", taker));
    }

    function test_payloadsHaveOneForm() external {
        bytes memory fill = _curve(TO_PAYEE, 0, 1, WHOLE);
        _refuses(bytes.concat(hex"02", hex"00", fill), INVALID);
        _refuses(bytes.concat(exactIn(none(), fill), hex"00"), INVALID);
        _refuses(exactIn(one(address(weth)), _curve(TO_PAYEE, 0, 2, WHOLE)), INVALID);
        _refuses(exactIn(none(), _curve(3, 0, 1, WHOLE)), INVALID);
        for (uint256 kind = LB_PAIR + 1; kind < 64; ++kind) {
            if (kind == PROP_AMM || kind >= INFINITY_CL_POOL && kind <= KURU_MARKET) continue;
            _refuses(exactIn(none(), fillOf(kind, TO_PAYEE, 0, 1, WHOLE, 0, address(venue))), INVALID);
        }
        _refuses(exactIn(none(), bytes.concat(_curve(TO_NEXT, 0, 1, WHOLE), _curve(TO_PAYEE, 1, 0, WHOLE))), INVALID);
        _refuses(exactIn(none(), fillOf(WRAPPED_NATIVE, TO_PAYEE, 0, 1, WHOLE, 0, address(0))), INVALID);
        // Only pairs are paid ahead.
        bytes memory ahead = bytes.concat(
            fillOf(SOLIDLY_POOL, TO_NEXT, 0, 2, WHOLE, 0, address(venue)),
            fillOf(V3_POOL, TO_PAYEE, 2, 1, WHOLE, 0, address(venue))
        );
        _refuses(exactIn(one(address(weth)), ahead), INVALID);
        _refuses(exactIn(none(), fillOf(CURVE_POOL, TO_PAYEE, 0, 1, WHOLE, 0x060001, address(venue))), INVALID);
        _refuses(exactIn(none(), fillOf(CURVE_POOL, TO_PAYEE, 0, 1, WHOLE, 0x030005, address(venue))), INVALID);
        _refuses(exactIn(none(), fillOf(PROP_AMM, TO_PAYEE, 0, 1, WHOLE, 2, address(venue))), INVALID);
    }

    function test_purchasesHaveOneForm() external {
        _refuses(exactOut(AMOUNT, none(), fillOf(V2_PAIR, 0, 1, 0, WHOLE, 0, address(venue))), INVALID);
        _refuses(exactOut(AMOUNT, none(), fillOf(V2_PAIR, 0, 0, 0, WHOLE, 0, address(venue))), INVALID);
        _refuses(exactOut(AMOUNT, none(), fillOf(V2_PAIR, 0, 2, 1, WHOLE, 0, address(venue))), INVALID);
        _refuses(exactOut(AMOUNT, none(), fillOf(V2_PAIR, 1, 0, 1, WHOLE, 0, address(venue))), INVALID);
        _refuses(exactOut(AMOUNT, none(), fillOf(V2_PAIR, 2, 0, 1, WHOLE, 0, address(venue))), INVALID);
        address[] memory between = one(address(weth));
        _refuses(exactOut(AMOUNT, between, fillOf(WRAPPED_NATIVE, 1, 2, 1, WHOLE, 0, address(0))), INVALID);
        _refuses(exactOut(AMOUNT, between, fillOf(V2_PAIR, 2, 2, 1, WHOLE, 0, address(venue))), INVALID);
    }

    function test_allIsSpentAndAllIsMade() external {
        bytes memory half = _curve(TO_PAYEE, 0, 1, WHOLE / 2);
        bytes memory reason = abi.encodeWithSignature("Unspent(address,uint256)", address(tokenA), AMOUNT / 2);
        _refuses(exactIn(none(), half), reason);
        reason = abi.encodeWithSignature("Unmade(address,uint256)", address(tokenB), AMOUNT / 2);
        _refuses(exactOut(AMOUNT, none(), fillOf(V2_PAIR, 0, 0, 1, WHOLE / 2, 0, address(venue))), reason);
        bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 0x11);
        _refuses(exactIn(none(), _curve(TO_PAYEE, 0, 1, 2 * WHOLE)), panic);
        _refuses(exactOut(AMOUNT, none(), fillOf(V2_PAIR, 0, 0, 1, 2 * WHOLE, 0, address(venue))), panic);
    }

    function test_aMissingPartIsToldFromOneThatIsThere() external {
        vm.etch(parts[0], "");
        _refuses(
            exactIn(none(), _curve(TO_PAYEE, 0, 1, WHOLE)), abi.encodeWithSignature("PartMissing(address)", parts[0])
        );
    }

    function test_pairsGiveLessThanAllTheyHave() external {
        uint256 all = type(uint112).max / 2;
        bytes memory fill = fillOf(V2_PAIR, 0, 0, 1, WHOLE, 0, address(venue));
        Terms memory terms = _terms(address(tokenA), RICH, address(tokenB), 1);
        bytes memory reason = abi.encodeWithSignature("InsufficientLiquidity(address)", address(venue));
        _refused(terms, exactOut(all, none(), fill), reason);
    }

    function test_amountsFitTheVenuesSigns() external {
        uint256 amount = 1 << 255;
        tokenA.mint(taker, amount);
        bytes memory reason = abi.encodeWithSignature("AmountTooLarge(uint256)", amount);
        _refused(
            _terms(address(tokenA), amount, address(tokenB), 1),
            exactIn(none(), fillOf(V3_POOL, TO_PAYEE, 0, 1, WHOLE, 0, address(venue))),
            reason
        );
    }

    // ------------------------------------------------------------------------------------- what a pool may ask for

    /// The limit holds for what the executor pays too: its second half is there, and a pool that asks for one more of it
    /// than it is sold does not get it.
    function test_aPoolAsksTheExecutorForNoMoreThanItIsSold() external {
        _kind(2);
        AnyVenue greedy = _newVenue();
        greedy.speak(executor.uniswapV3SwapCallback.selector, false);
        greedy.lie(1, 0, 0, 0);
        bytes memory fills = bytes.concat(
            fillOf(V3_POOL, TO_EXECUTOR, 0, 2, WHOLE, 0, address(venue)),
            fillOf(V3_POOL, TO_PAYEE, 2, 1, WHOLE / 2, 0, address(greedy)),
            fillOf(V3_POOL, TO_PAYEE, 2, 1, WHOLE, 0, address(venue))
        );
        Terms memory terms = _terms(address(tokenA), AMOUNT, address(weth), 1);
        bytes memory reason = abi.encodeWithSignature("ExcessivePayment(uint256,uint256)", AMOUNT / 2, AMOUNT / 2 + 1);
        _refused(terms, exactIn(one(address(tokenB)), fills), reason);
    }

    function test_aPoolAsksTheSellerForNoMoreThanItIsSold() external {
        _kind(2);
        venue.lie(1, 0, 0, 0);
        bytes memory reason = abi.encodeWithSignature("ExcessivePayment(uint256,uint256)", AMOUNT, AMOUNT + 1);
        _refuses(exactIn(none(), fillOf(V3_POOL, TO_PAYEE, 0, 1, WHOLE, 0, address(venue))), reason);
    }

    function test_aManagerAsksForNoMoreThanItIsSold() external {
        Kind memory kind = _kind(5);
        venue.lie(1, 0, 0, 0);
        bytes memory reason = abi.encodeWithSignature("ExcessivePayment(uint256,uint256)", AMOUNT, AMOUNT + 1);
        _refuses(exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE)), reason);
        venue.lie(-1, 0, 0, 0);
        reason = abi.encodeWithSignature("PartialFill(address)", address(venue));
        _refuses(exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE)), reason);
    }

    function test_aPoolHasToCallBackAndNobodyElse() external {
        _kind(2);
        venue.speak(0, false);
        bytes memory reason = abi.encodeWithSignature("CallbackMissing(address)", address(venue));
        bytes memory fill = fillOf(V3_POOL, TO_PAYEE, 0, 1, WHOLE, 0, address(venue));
        _refuses(exactIn(none(), fill), reason);
        _refuses(exactOut(AMOUNT / 2, none(), fillOf(V3_POOL, 0, 0, 1, WHOLE, 0, address(venue))), reason);
        venue.speak(executor.pancakeV3SwapCallback.selector, false);
        reason = abi.encodeWithSignature("UnexpectedCallback(address)", address(venue));
        _refuses(exactIn(none(), fill), reason);
    }

    // -------------------------------------------------------------------------------------- who may send native token

    /// Only a pool of Curve's, only while it pays out native token.
    function test_aPoolThatPaysATokenSendsNoNativeToken() external {
        _sendsNative();
        _swap(_terms(address(tokenA), AMOUNT, address(tokenB), 1), exactIn(none(), _curve(TO_PAYEE, 0, 1, WHOLE)));
        vm.assertEq(venue.succeeded(), 0, "a pool sent native token while it paid another one");
        vm.assertEq(address(executor).balance, 0, "native token is here");
        bytes memory fill = fillOf(CURVE_POOL, TO_PAYEE, 0, 1, WHOLE, 0x000002, address(venue));
        _swap(_terms(address(tokenA), AMOUNT, NATIVE_TOKEN, AMOUNT), exactIn(none(), fill));
        vm.assertEq(venue.succeeded(), 1, "a pool that pays native token sends it");
    }

    function test_noOtherVenueSendsNativeToken() external {
        _sendsNative();
        bytes memory fills = bytes.concat(
            fillOf(PSM, TO_EXECUTOR, 0, 2, WHOLE / 2, 1, address(venue)), _curve(TO_PAYEE, 0, 1, WHOLE)
        );
        _swap(_terms(address(tokenA), AMOUNT, address(tokenB), 1), exactIn(one(NATIVE_TOKEN), fills));
        vm.assertEq(venue.succeeded(), 0, "a venue of another kind sent native token");
    }

    function test_nativeTokenThatIsNotThereIsNotSpent() external {
        Kind memory kind = _kind(6);
        venue.lie(0, -1, 0, 0);
        bytes memory fills = bytes.concat(
            fillOf(V4_POOL, TO_EXECUTOR, 0, 2, WHOLE, kind.detail, kind.pool),
            kind.more,
            fillOf(WRAPPED_NATIVE, TO_PAYEE, 2, 1, WHOLE, 0, address(0))
        );
        bytes memory reason = abi.encodeWithSignature("ExcessivePayment(uint256,uint256)", AMOUNT - 1, AMOUNT);
        Terms memory terms = _terms(address(tokenA), AMOUNT, address(weth), 1);
        _refused(terms, exactIn(one(NATIVE_TOKEN), fills), reason);
        venue.lie(0, 0, 0, 0);
        vm.assertEq(_swap(terms, exactIn(one(NATIVE_TOKEN), fills)), AMOUNT, "what is there is");
        bytes memory twice = bytes.concat(
            fillOf(V4_POOL, TO_EXECUTOR, 0, 2, WHOLE, kind.detail, kind.pool),
            kind.more,
            fillOf(V4_POOL, TO_PAYEE, 2, 1, WHOLE, kind.detail, kind.pool),
            kind.more
        );
        venue.lie(0, -1, 0, 0);
        _refused(_terms(address(tokenA), AMOUNT, address(tokenB), 1), exactIn(one(NATIVE_TOKEN), twice), reason);
    }

    function test_unspentNativeTokenGoesBack() external {
        uint256 before = taker.balance;
        bytes memory fill = fillOf(WRAPPED_NATIVE, 0, 0, 1, WHOLE, 0, address(0));
        uint256 bought = _swap(_terms(NATIVE_TOKEN, 10, address(weth), 7), exactOut(7, none(), fill));
        vm.assertEq(bought, 7, "what was asked for");
        vm.assertEq(before - taker.balance, 7, "and no more was spent");
        vm.assertEq(_swap(_terms(NATIVE_TOKEN, 7, address(weth), 7), exactOut(7, none(), fill)), 7, "all of it was spent");
        vm.assertEq(before - taker.balance, 14, "exactly");
    }

    /// The wrapper takes native token for wrapped and the other way round, for the next fill or for the payee.
    /// Of a token that is sold nothing lies here, and native token that does is no part of the swap.
    function test_nativeTokenGoesBackOnlyWhereItIsSold() external {
        vm.deal(address(executor), 5);
        bytes memory fills = fillOf(V2_PAIR, 0, 0, 1, WHOLE, 3_000, address(pair));
        _swap(_terms(address(tokenA), AMOUNT, address(tokenB), 1), exactOut(1_000, none(), fills));
        vm.assertEq(address(executor).balance, 5, "stays where it lies");
    }

    function test_theWrapperTradesItsTwoTokensOnly() external {
        bytes memory fill = fillOf(WRAPPED_NATIVE, TO_PAYEE, 0, 1, WHOLE, 0, address(0));
        _refused(_terms(NATIVE_TOKEN, AMOUNT, address(tokenB), 1), exactIn(none(), fill), INVALID);
        _refused(_terms(address(weth), AMOUNT, address(tokenB), 1), exactIn(none(), fill), INVALID);
        bytes memory fills = bytes.concat(
            fillOf(WRAPPED_NATIVE, TO_EXECUTOR, 0, 2, WHOLE, 0, address(0)),
            fillOf(SOLIDLY_POOL, TO_PAYEE, 2, 1, WHOLE, 0, address(venue))
        );
        uint256 bought = _swap(_terms(NATIVE_TOKEN, AMOUNT, address(tokenA), 1), exactIn(one(address(weth)), fills));
        vm.assertEq(bought, AMOUNT, "wrapped for the next fill");
        _nothingIsLeft();
    }

    /// A pool that is bought from, and paid by the fills after its own, makes all of it: either way that its tokens lie.
    function test_aPoolInTheMiddleMakesAllOfIt() external {
        PlainToken between = new PlainToken();
        for (uint256 i = 0; i < 2; ++i) {
            while ((address(between) < address(tokenB)) == (i == 0)) between = new PlainToken();
            (address low, address high) = i == 0 ? (address(tokenB), address(between)) : (address(between), address(tokenB));
            AnyVenue last = new AnyVenue(low, high);
            tokenB.mint(address(last), RICH);
            between.mint(address(venue), RICH);
            last.speak(executor.uniswapV3SwapCallback.selector, false);
            bytes memory fills = bytes.concat(
                fillOf(V3_POOL, 0, 2, 1, WHOLE, 0, address(last)), fillOf(V4_POOL, 0, 0, 2, WHOLE, 500, address(venue))
            );
            fills = bytes.concat(fills, _kind(5).more);
            Terms memory terms = _terms(address(tokenA), 2 * AMOUNT, address(tokenB), AMOUNT);
            bytes memory payload = exactOut(AMOUNT, one(address(between)), fills);
            vm.assertEq(_swap(terms, payload), AMOUNT, "all of it");
            last.lie(0, 0, -1, 0);
            _refused(terms, payload, abi.encodeWithSignature("PartialFill(address)", address(last)));
        }
    }

    // ---------------------------------------------------------------------------------------------- makers' orders

    /// What a maker does not take is the seller's, or is for the fill after it.
    function test_aMakerIsGivenNoMoreThanItTakes() external {
        MakerOrder memory order = _order();
        order.taker = address(executor);
        bytes memory signature = _sign(MAKER_KEY, order);
        uint256 before = tokenA.balanceOf(taker);
        _swap(_terms(address(tokenA), 2_500, address(tokenB), 1_000), exactIn(none(), _orderFill(order, signature, TO_PAYEE, 0, 1)));
        vm.assertEq(before - tokenA.balanceOf(taker), 2_000, "the rest was not drawn");
        order.nonce = 6;
        (order.takerToken, order.makerToken) = (address(tokenB), address(weth));
        signature = _sign(MAKER_KEY, order);
        before = tokenB.balanceOf(taker);
        bytes memory fills = bytes.concat(_curve(TO_EXECUTOR, 0, 2, WHOLE), _orderFill(order, signature, TO_PAYEE, 2, 1));
        _swap(_terms(address(tokenA), 2_500, address(weth), 1_000), exactIn(one(address(tokenB)), fills));
        vm.assertEq(tokenB.balanceOf(taker) - before, 500, "the rest is the seller's");
        _nothingIsLeft();
    }

    /// A part that is at most what a maker takes is all sold to it; of a part above, the rest stays for the fills after it.
    function test_aMakerIsGivenAPart() external {
        MakerOrder memory order = _order();
        order.taker = address(executor);
        bytes memory signature = _sign(MAKER_KEY, order);
        Terms memory terms = _terms(address(tokenA), 1_000, address(tokenB), 500);
        vm.assertEq(_swap(terms, exactIn(none(), _orderFill(order, signature, TO_PAYEE, 0, 1))), 500, "less than all");
        order.nonce = 6;
        bytes memory first = _orderFill(order, _sign(MAKER_KEY, order), TO_PAYEE, 0, 1);
        uint32 share = WHOLE / 2;
        assembly ("memory-safe") {
            // Its share stands behind its venue and its tokens.
            mstore(add(first, 35), or(and(mload(add(first, 35)), not(shl(224, 0xffffffff))), shl(224, share)))
        }
        terms.maxSellAmount = 5_000;
        uint256 before = tokenA.balanceOf(taker);
        uint256 bought = _swap(terms, exactIn(none(), bytes.concat(first, _curve(TO_PAYEE, 0, 1, WHOLE))));
        vm.assertEq(bought, 1_000 + 3_000, "the rest was sold to the next");
        vm.assertEq(before - tokenA.balanceOf(taker), 5_000, "all of it");
    }

    function test_aMakerMakesExactly() external {
        MakerOrder memory order = _order();
        order.taker = address(executor);
        bytes memory signature = _sign(MAKER_KEY, order);
        uint256 before = tokenA.balanceOf(taker);
        bytes memory payload = exactOut(333, none(), _orderFill(order, signature, 0, 0, 1));
        vm.assertEq(_swap(_terms(address(tokenA), 2_500, address(tokenB), 333), payload), 333, "exactly");
        vm.assertEq(before - tokenA.balanceOf(taker), 666, "at the maker's rate");
        order.nonce = 6;
        (order.takerToken, order.makerToken) = (address(tokenB), address(weth));
        signature = _sign(MAKER_KEY, order);
        for (uint8 straight = 0; straight < 2; ++straight) {
            order.nonce = 6 + straight;
            signature = _sign(MAKER_KEY, order);
            bytes memory fills = bytes.concat(
                _orderFill(order, signature, straight, 2, 1), fillOf(SOLIDLY_POOL, 0, 0, 2, WHOLE, 0, address(venue))
            );
            _swap(_terms(address(tokenA), 2_500, address(weth), 333), exactOut(333, one(address(tokenB)), fills));
            _nothingIsLeft();
        }
    }

    function _curve(uint8 destination, uint8 sold, uint8 bought, uint32 share) private view returns (bytes memory) {
        return fillOf(CURVE_POOL, destination, sold, bought, share, 1, address(venue));
    }

    function _refuses(bytes memory payload, bytes memory reason) private {
        _refused(_terms(address(tokenA), AMOUNT, address(tokenB), 1), payload, reason);
    }

    function _sendsNative() private {
        Plan[] memory plans = new Plan[](1);
        plans[0] = Plan(address(executor), 1, "");
        venue.plan(plans);
    }
}
