// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Order, Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {Wallet} from "./Actors.sol";
import {vm, within} from "./Cheats.sol";
import {Kind} from "./Kinds.sol";
import {Plan} from "./Mischief.sol";
import {TO_PAYEE, WHOLE, exactIn, exactOut, none} from "./Routes.sol";
import {Watch} from "./Watch.sol";

/// What forge calls in any order, each call a transaction of its own: swaps over hostile routes, swaps by a hostile
/// executor, calls from outside. After each one it is looked at whose tokens have moved, and honest swaps, in the same
/// transaction, have to work as if nothing had been.
contract SwapHandler is Watch {
    uint256 public swapsDone;
    uint256 public swapsRefused;

    constructor() {
        _makeGateway();
        _makeActors();
        _watchAll();
    }

    receive() external payable {}

    // -------------------------------------------------------------------------------------------------- what happens

    /// A taker swaps over a venue of any kind that lies and makes calls of its own.
    function swapOverHostileVenue(uint256 who, uint256 index, bool buys, uint256 seed, int256[4] calldata lies)
        external
    {
        Kind memory kind = _kind(within(index, 0, KINDS - 1));
        bool isHonest = seed & 1 == 0;
        if (!isHonest) venue.lie(lies[0] % 1e20, lies[1] % 1e20, lies[2] % 1e20, lies[3] % 1e20);
        uint256 amount = within(seed >> 8, 1_000, 1e22);
        Terms memory terms =
            _randomTerms(seed, kind.sold, buys && kind.exactOut ? 2 * amount : amount, kind.bought);
        bytes memory fill = _fill(kind, buys && kind.exactOut ? 0 : TO_PAYEE, 0, 1, WHOLE);
        bytes memory payload =
            buys && kind.exactOut ? exactOut(amount, none(), fill) : exactIn(none(), fill);
        _plan(seed);
        _swapAndLook(who, terms, payload, isHonest);
        venue.lie(0, 0, 0, 0);
    }

    /// A taker swaps by fills of any kind in any order, most of which make no sense.
    function swapByAnyFills(uint256 who, uint256 seed, uint256[4] calldata fills) external {
        bytes memory all;
        for (uint256 i = 0; i < 1 + seed % 4; ++i) {
            Kind memory kind = _kind(fills[i] % KINDS);
            kind.pool = _anyPool(fills[i] >> 8, kind.pool);
            uint32 share = fills[i] & 65536 == 0 ? WHOLE : uint32(fills[i] >> 20);
            all = bytes.concat(
                all, _fill(kind, uint8(fills[i] >> 60) % 4, uint8(fills[i] >> 70) % 4, uint8(fills[i] >> 80) % 4, share)
            );
        }
        uint256 amount = within(seed >> 8, 1_000, 1e22);
        address[] memory between = new address[](seed % 3);
        for (uint256 i = 0; i < between.length; ++i) between[i] = _anyToken(seed >> (128 + 8 * i));
        Terms memory terms = _randomTerms(seed, _anyToken(seed >> 100), amount, _anyToken(seed >> 110));
        _plan(seed);
        _swapAndLook(who, terms, seed & 2 == 0 ? exactIn(between, all) : exactOut(amount, between, all), false);
    }

    /// A taker orders with fees of either side and a share of its balance, over a venue that makes calls of its own; or it
    /// signs that for Permit2, and somebody else brings it.
    function swapByOrder(uint256 who, uint256 index, uint256 seed, bool isSigned) external {
        Kind memory kind = _kind(within(index, 0, KINDS - 1));
        if (kind.sold == NATIVE_TOKEN) isSigned = false;
        if (isSigned) who = 0;
        uint256 amount = within(seed >> 8, 1_000, 1e22);
        Order memory order = _randomOrder(seed, kind.sold, amount, kind.bought);
        bytes memory payload = exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE));
        _plan(seed);
        Terms memory terms = _terms(order.sellToken, amount, order.buyToken, order.minBuyAmount);
        terms.recipient = order.recipient;
        Look memory look = _before(takers[who % takers.length], terms);
        bytes memory call_ = isSigned
            ? abi.encodeCall(gateway.swapSignedOrder, (order, _signed(order, payload, seed, TAKER_KEY), payload))
            : abi.encodeCall(gateway.swapByOrder, (order, payload));
        vm.prank(isSigned ? attacker : look.caller);
        (look.done,) = address(gateway).call{value: kind.sold == NATIVE_TOKEN ? amount : 0}(call_);
        if (look.done) ++swapsDone;
        else ++swapsRefused;
        _lookAtSurplus(look, order);
        // A share has a share of the minimum.
        if (order.balanceShare != 0) terms.minBuyAmount = 1;
        _lookAtSwap(look, terms);
        _nothingIsLeft();
        _swapHonestly();
    }

    /// A taker names an executor that is not ours.
    function swapByHostileExecutor(uint256 who, uint256 seed, uint256 give) external {
        uint256 amount = within(seed >> 8, 1_000, 1e22);
        address sold = _plainToken(seed >> 100);
        Terms memory terms = _randomTerms(seed, sold, amount, sold == address(tokenA) ? address(tokenB) : address(tokenA));
        terms.executor = address(hostile);
        Plan[] memory plans = new Plan[](3);
        plans[0] = _call(address(gateway), abi.encodeCall(gateway.pull, (attacker, amount / (1 + seed % 3))));
        plans[1] = _attack(seed >> 3);
        plans[2] = _attack(seed >> 5);
        hostile.plan(plans);
        _swapAndLook(who, terms, abi.encode(within(give, 0, 1e22)), true);
    }

    /// Somebody calls any door, between swaps.
    function callFromOutside(uint256 seed) external {
        Plan memory attack = _attack(seed);
        Balances memory before = _balances();
        vm.prank(attacker);
        (bool done,) = attack.target.call{value: attack.value}(attack.data);
        if (attack.target == address(executor)) vm.assertFalse(done, "the executor has let somebody in");
        _lookAtOthers(before, address(0));
        _nothingIsLeft();
        _swapHonestly();
    }

    /// A smart wallet, or an account that has delegated to one, swaps over a hostile venue and honestly in one transaction.
    function walletSwapsTwice(bool isDelegated, uint256 index, uint256 seed) external {
        address account = isDelegated ? delegated : address(wallet);
        Kind memory kind = _kind(within(index, 0, KINDS - 1));
        uint256 amount = within(seed >> 8, 1_000, 1e22);
        _plan(seed);
        Plan[] memory plans = new Plan[](2);
        Terms memory terms = _terms(kind.sold, amount, kind.bought, 1);
        bytes memory payload = exactIn(none(), _fill(kind, TO_PAYEE, 0, 1, WHOLE));
        plans[0] = _call(address(gateway), abi.encodeCall(gateway.swap, (terms, payload)));
        if (kind.sold == NATIVE_TOKEN) plans[0].value = amount;
        terms = _terms(address(tokenA), amount, address(tokenB), 1);
        plans[1] = _call(address(gateway), abi.encodeCall(gateway.swap, (terms, _honestPayload())));
        Balances memory before = _balances();
        if (isDelegated) vm.prank(account);
        (bool done,) = account.call(abi.encodeCall(Wallet.run, (plans)));
        if (done) ++swapsDone;
        else ++swapsRefused;
        _lookAtOthers(before, done ? account : address(0));
        _nothingIsLeft();
        _swapHonestly();
    }

    function _swapAndLook(uint256 who, Terms memory terms, bytes memory payload, bool leavesNothing) private {
        Look memory look = _before(takers[who % takers.length], terms);
        uint256 value = terms.sellToken == NATIVE_TOKEN ? terms.maxSellAmount : 0;
        vm.prank(look.caller);
        (look.done,) = address(gateway).call{value: value}(abi.encodeCall(gateway.swap, (terms, payload)));
        if (look.done) ++swapsDone;
        else ++swapsRefused;
        _lookAtSwap(look, terms);
        if (leavesNothing) _lookAtFee(look, terms);
        if (leavesNothing) _nothingIsLeft();
        else _sweep();
        _swapHonestly();
    }

    // ---------------------------------------------------------------------------------------------------------- made up

    function _randomTerms(uint256 seed, address sellToken, uint256 amount, address buyToken)
        private
        view
        returns (Terms memory terms)
    {
        terms = _terms(sellToken, amount, buyToken, 1 + (seed >> 32) % amount);
        terms.recipient = [address(0), other, address(payee), victims[0]][(seed >> 2) % 4];
        if ((seed >> 4) % 2 == 0) return terms;
        terms.feeRatePpm = 1 + (seed >> 40) % 100_000;
        terms.feeRecipient = seed & 32 == 0 ? address(0xfee) : address(hostile);
    }

    function _randomOrder(uint256 seed, address sellToken, uint256 amount, address buyToken)
        private
        view
        returns (Order memory order)
    {
        order = _order(amount, 1 + (seed >> 32) % amount);
        (order.sellToken, order.buyToken) = (sellToken, buyToken);
        order.recipient = [address(0), other, address(payee), victims[0]][(seed >> 2) % 4];
        order.feesFromSold = (seed >> 4) % 2 == 0;
        if ((seed >> 90) % 2 == 0) {
            (order.surplusPpm, order.surplusRecipient) = (1 + (seed >> 91) % 500_000, SHARER);
            order.quotedBuyAmount = order.minBuyAmount + (seed >> 111) % amount;
        }
        if ((seed >> 5) % 2 == 0) order.fees = _twoFees(1 + (seed >> 40) % 50_000, 1 + (seed >> 60) % 50_000);
        // Of balances of 10^30: below the amount and above it.
        if (sellToken != NATIVE_TOKEN && (seed >> 6) % 4 == 0) order.balanceShare = 1 + (seed >> 80) % 3;
    }

    function _plan(uint256 seed) private {
        venue.plan(_attacks(seed >> 16));
        hookToken.plan(_attacks(seed >> 24));
        payee.plan(_attacks(seed >> 32));
        hostile.plan(_attacks(seed >> 40));
    }

    function _anyToken(uint256 seed) private view returns (address) {
        return [
            address(tokenA), address(tokenB), address(weth), NATIVE_TOKEN, address(hookToken), address(venue), address(0)
        ][seed % 7];
    }

    function _anyPool(uint256 seed, address otherwise) private view returns (address) {
        if (seed % 2 == 0) return otherwise;
        address[8] memory pools = [
            address(pair), address(weth), address(tokenA), address(hookToken), victims[0], address(executor),
            address(gateway), address(orders)
        ];
        return pools[(seed >> 1) % pools.length];
    }

    function checkAtRest() external view {
        _nothingIsLeft();
    }
}
