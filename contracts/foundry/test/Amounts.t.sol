// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {MakerOrder} from "../../src/MakerOrder.sol";
import {Terms} from "../../src/Terms.sol";
import {CURVE_POOL, SOLIDLY_POOL, V2_PAIR, V3_POOL, WRAPPED_NATIVE} from "../../src/VenueCodes.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {PlainToken} from "../../test/PlainToken.sol";
import {AnyVenue} from "../src/AnyVenue.sol";
import {vm} from "../src/Cheats.sol";
import {IToken} from "../src/Doors.sol";
import {Kind} from "../src/Kinds.sol";
import {Plan} from "../src/Mischief.sol";
import {OrderWorld} from "../src/OrderWorld.sol";
import {TO_EXECUTOR, TO_NEXT, TO_PAYEE, WHOLE, exactIn, exactOut, fillOf, moreBytes, none, one} from "../src/Routes.sol";

/// A share token that its pool burns.
contract Burning is PlainToken {
    function burn(address owner, uint256 amount) external {
        _move(owner, address(0xdead), amount);
    }
}

/// A pool of Curve's kind whose shares are a token of their own.
contract SharedPool {
    Burning public immutable shares = new Burning();
    PlainToken private immutable coin;

    constructor(PlainToken coin_) {
        coin = coin_;
    }

    function remove_liquidity_one_coin(uint256 amount, int128, uint256) external {
        shares.burn(msg.sender, amount);
        coin.transfer(msg.sender, amount);
    }
}

/// What the executor does with single units: shares, sums over several fills, rests, and slots that a later swap finds.
contract AmountsTest is OrderWorld {
    uint256 private constant AMOUNT = 1_000_000;

    /// Token B for wrapped native token.
    AnyVenue private last;

    function setUp() external {
        _makeKinds();
        _makeMakers();
        last = address(tokenB) < address(weth)
            ? new AnyVenue(address(tokenB), address(weth))
            : new AnyVenue(address(weth), address(tokenB));
        vm.prank(taker);
        weth.transfer(address(last), 1e24);
    }

    /// Two fills bring a token that a third one sells, all of it.
    function test_whatTwoFillsBringIsSoldTogether() external {
        bytes memory fills = bytes.concat(
            _solidly(venue, TO_EXECUTOR, 0, 2, WHOLE / 2),
            _solidly(venue, TO_EXECUTOR, 0, 2, WHOLE),
            _solidly(last, TO_PAYEE, 2, 1, WHOLE)
        );
        vm.assertEq(_swap(_sale(address(weth)), exactIn(one(address(tokenB)), fills)), AMOUNT, "all of it");
        _nothingIsLeft();
    }

    /// A token that the next pair takes whole is paid straight into it, once.
    function test_theNextPairIsPaidStraight() external {
        uint256 held = tokenB.balanceOf(address(last));
        bytes memory fills = bytes.concat(_solidly(venue, TO_NEXT, 0, 2, WHOLE), _solidly(last, TO_PAYEE, 2, 1, WHOLE));
        vm.assertEq(_swap(_sale(address(weth)), exactIn(one(address(tokenB)), fills)), AMOUNT, "all of it");
        vm.assertEq(tokenB.balanceOf(address(last)) - held, AMOUNT, "the pair is paid");
        _nothingIsLeft();
    }

    /// What two fills need of a token is made by a third one, all of it.
    function test_whatTwoFillsNeedIsMadeTogether() external {
        bytes memory fills = bytes.concat(
            _solidly(last, 0, 2, 1, WHOLE / 2), _solidly(last, 0, 2, 1, WHOLE), _solidly(venue, 0, 0, 2, WHOLE)
        );
        Terms memory terms = _sale(address(weth));
        terms.maxSellAmount = 2 * AMOUNT;
        vm.assertEq(_swap(terms, exactOut(AMOUNT, one(address(tokenB)), fills)), AMOUNT, "all of it");
        _nothingIsLeft();
    }

    /// A share of what is needed is rounded up, exactly.
    function test_aShareOfAnExactOutputIsRoundedUp() external {
        Terms memory terms = _sale(address(tokenB));
        vm.assertEq(_swap(terms, exactOut(1, none(), _solidly(venue, 0, 0, 1, 1))), 1, "a billionth of one is one");
        (uint256 amount, bytes memory half) = (1e24, _solidly(venue, 0, 0, 1, WHOLE / 2));
        terms.maxSellAmount = 2 * amount;
        bytes memory reason = abi.encodeWithSignature("Unmade(address,uint256)", address(tokenB), amount / 2);
        _refused(terms, exactOut(amount, none(), half), reason);
        reason = abi.encodeWithSignature("Unmade(address,uint256)", address(tokenB), 3);
        _refused(terms, exactOut(7, none(), half), reason);
    }

    /// Amounts of 255 bits fit a signed word, and no share is taken of them; one more does not.
    function test_theLargestAmount() external {
        uint256 most = uint256(type(int256).max);
        tokenA.mint(taker, most);
        tokenB.mint(address(venue), most);
        _kind(2);
        Terms memory terms = _terms(address(tokenA), most, address(tokenB), most);
        vm.assertEq(_swap(terms, exactIn(none(), fillOf(V3_POOL, 1, 0, 1, WHOLE, 0, address(venue)))), most, "all");
        bytes memory buys = exactOut(most + 1, none(), fillOf(V3_POOL, 0, 0, 1, WHOLE, 0, address(venue)));
        _refused(terms, buys, abi.encodeWithSignature("AmountTooLarge(uint256)", most + 1));
    }

    /// Where a token went in one exact output says nothing of the next one in the same transaction.
    function test_anExactOutputLeavesNoReceiver() external {
        bytes memory straight = bytes.concat(_solidly(last, 1, 2, 1, WHOLE), _solidly(venue, 0, 0, 2, WHOLE));
        bytes memory plain = bytes.concat(_solidly(last, 0, 2, 1, WHOLE), _solidly(venue, 0, 0, 2, WHOLE));
        Terms memory terms = _sale(address(weth));
        terms.maxSellAmount = 2 * AMOUNT;
        uint256 paid = tokenB.balanceOf(address(last));
        _swap(terms, exactOut(AMOUNT, one(address(tokenB)), straight));
        _swap(terms, exactOut(AMOUNT, one(address(tokenB)), plain));
        vm.assertLe(tokenB.balanceOf(address(last)) - paid, 2 * AMOUNT + 4, "each is paid once");
        _nothingIsLeft();
    }

    /// One unit of native token that is not spent goes back too.
    function test_aSingleUnspentUnitGoesBack() external {
        uint256 before = taker.balance;
        bytes memory fill = fillOf(WRAPPED_NATIVE, 0, 0, 1, WHOLE, 0, address(0));
        _swap(_terms(NATIVE_TOKEN, 8, address(weth), 7), exactOut(7, none(), fill));
        vm.assertEq(before - taker.balance, 7, "seven were spent");
    }

    function test_routesAreReadToTheByte() external {
        Terms memory terms = _sale(address(tokenB));
        bytes memory reason = abi.encodeWithSignature("Unspent(address,uint256)", address(tokenA), AMOUNT);
        _refused(terms, exactIn(one(address(weth)), ""), reason);
        // Nothing takes what is bought.
        bytes memory fill = fillOf(V2_PAIR, 0, 1, 2, WHOLE, 0, address(venue));
        reason = abi.encodeWithSignature("InvalidPayload()");
        _refused(terms, exactOut(AMOUNT, one(address(weth)), fill), reason);
        // Curve's pools have six functions.
        fill = fillOf(CURVE_POOL, TO_PAYEE, 0, 1, WHOLE, 0x060002, address(venue));
        _refused(terms, exactIn(none(), fill), reason);
    }

    /// The wrapper takes native token for its own, and its own for native token.
    function test_theWrapperTakesNoOtherToken() external {
        bytes memory payload = exactIn(none(), fillOf(WRAPPED_NATIVE, TO_PAYEE, 0, 1, WHOLE, 0, address(0)));
        bytes memory reason = abi.encodeWithSignature("InvalidPayload()");
        _refused(_sale(address(weth)), payload, reason);
        _refused(_sale(NATIVE_TOKEN), payload, reason);
    }

    /// A vault that pays out native token to the payee sends none to the executor beside that.
    function test_noVaultSendsNativeTokenBesideAnExactOutput() external {
        AnyVenue vault = new AnyVenue(address(tokenA), NATIVE_TOKEN);
        vm.deal(address(vault), RICH);
        Plan[] memory plans = new Plan[](1);
        plans[0] = Plan(address(executor), 1, "");
        vault.plan(plans);
        Kind memory kind = _kind(10);
        (kind.pool, kind.more) = (address(vault), moreBytes(abi.encodePacked(address(vault), uint72(9))));
        vm.assertEq(_swap(_sale(NATIVE_TOKEN), exactOut(AMOUNT, none(), _fill(kind, 0, 0, 1, WHOLE))), AMOUNT, "bought");
        vm.assertEq(vault.succeeded(), 0, "native token was sent beside that");
    }

    /// A refillable order, whose cost of one unit is rounded up.
    function test_aMakersOrderIsReadToTheByte() external {
        MakerOrder memory order = _order();
        (order.taker, order.refillable) = (address(executor), true);
        (order.takerAmount, order.minTakerAmount) = (2_001, 0);
        bytes memory fill = _orderFill(order, _sign(MAKER_KEY, order), 0, 0, 1);
        uint256 before = tokenA.balanceOf(taker);
        for (uint256 i = 1; i < 3; ++i) {
            vm.assertEq(_swap(_sale(address(tokenB)), exactOut(1, none(), fill)), 1, "one unit");
            vm.assertEq(before - tokenA.balanceOf(taker), 3 * i, "for three");
        }
    }

    // ------------------------------------------------------------------------------------- parts in a route's middle

    /// What a part answers is what the fill after it has, whatever lies in the executor beside it.
    function test_whatAPartBringsIsSoldOn() external {
        uint256[20] memory kinds =
            [uint256(10), 11, 12, 18, 21, 22, 23, 24, 25, 29, 30, 31, 35, 40, 41, 42, 43, 44, 45, 46];
        for (uint256 i = 0; i < kinds.length; ++i) {
            Kind memory kind = _kind(kinds[i]);
            AnyVenue next = _between(kind.bought);
            venue.mint(address(executor), 3);
            tokenA.mint(address(executor), 3);
            tokenB.mint(address(executor), 3);
            bytes memory fills = bytes.concat(_fill(kind, TO_EXECUTOR, 0, 2, WHOLE), _solidly(next, TO_PAYEE, 2, 1, WHOLE));
            Terms memory terms = _terms(kind.sold, AMOUNT, address(weth), AMOUNT);
            vm.assertEq(_swap(terms, exactIn(one(kind.bought), fills)), AMOUNT, "all of it");
            vm.assertEq(_balance(kind.bought, address(executor)), 3 * (i + 1), "what lay there stays");
        }
    }

    /// A part that sells what is here pays it from here.
    function test_aPartSellsWhatIsHere() external {
        uint256[13] memory kinds = [uint256(10), 11, 21, 23, 25, 29, 30, 31, 35, 40, 41, 43, 45];
        for (uint256 i = 0; i < kinds.length; ++i) {
            Kind memory kind = _kind(kinds[i]);
            AnyVenue first = _between(kind.sold);
            tokenA.mint(address(first), AMOUNT);
            bytes memory fills = bytes.concat(_solidly(first, TO_EXECUTOR, 0, 2, WHOLE), _fill(kind, TO_PAYEE, 2, 1, WHOLE));
            Terms memory terms = _terms(address(weth), AMOUNT, kind.bought, AMOUNT);
            vm.assertEq(_swap(terms, exactIn(one(kind.sold), fills)), AMOUNT, "all of it");
            _nothingIsLeft();
        }
    }

    /// Shares that are a token of their own are burnt there; a list of coins is as long as it has to be.
    function test_curvesSharesAndLists() external {
        SharedPool pool = new SharedPool(tokenA);
        tokenA.mint(address(pool), AMOUNT);
        PlainToken shares = pool.shares();
        shares.mint(taker, AMOUNT);
        _approveAll(taker, IToken(address(shares)));
        bytes memory fill = fillOf(CURVE_POOL, TO_PAYEE, 0, 1, WHOLE, 0x050000, address(pool));
        Terms memory terms = _terms(address(shares), AMOUNT, address(tokenA), AMOUNT);
        vm.assertEq(_swap(terms, exactIn(none(), fill)), AMOUNT, "taken out");
        fill = fillOf(CURVE_POOL, TO_PAYEE, 0, 1, WHOLE, 0x040005, address(venue));
        vm.assertEq(_swap(_sale(address(venue)), exactIn(none(), fill)), AMOUNT, "one of five coins");
    }

    /// A pool of a token and wrapped native token.
    function _between(address token) private returns (AnyVenue made) {
        made = token < address(weth) ? new AnyVenue(token, address(weth)) : new AnyVenue(address(weth), token);
        vm.prank(taker);
        weth.transfer(address(made), AMOUNT);
    }

    function _sale(address bought) private view returns (Terms memory) {
        return _terms(address(tokenA), AMOUNT, bought, 1);
    }

    function _solidly(AnyVenue at, uint8 destination, uint8 sold, uint8 bought, uint32 share)
        private
        pure
        returns (bytes memory)
    {
        return fillOf(SOLIDLY_POOL, destination, sold, bought, share, 0, address(at));
    }
}
