// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Order, Permit2Transfer, Terms} from "../../src/Terms.sol";
import {MakerOrder} from "../../src/MakerOrder.sol";
import {Fill} from "../../src/Payload.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {Trade, VenuePart} from "../../src/VenuePart.sol";
import {HookToken, Payee, PublicKeeper, Wallet} from "./Actors.sol";
import {AnyVenue} from "./AnyVenue.sol";
import {vm} from "./Cheats.sol";
import {IToken} from "./Doors.sol";
import {GatewayWorld} from "./GatewayWorld.sol";
import {Plan} from "./Mischief.sol";

/// What somebody tries who wants others' tokens: calls to every door that there is, with arguments that would pay.
abstract contract Attacks is GatewayWorld {
    uint256 private constant WAYS = 16;

    address internal attacker = address(0xa77ac);
    address[] internal victims;
    address[] internal takers;
    HookToken internal hookToken;
    Payee internal payee;
    PublicKeeper internal keeper;
    Wallet internal wallet;
    address internal delegated;

    function _makeActors() internal {
        hookToken = new HookToken();
        payee = new Payee();
        keeper = new PublicKeeper(gateway);
        wallet = new Wallet();
        // EIP-7702: this is what the account's code is once it has delegated to the wallet's.
        delegated = vm.addr(0x7702);
        vm.etch(delegated, abi.encodePacked(hex"ef0100", address(wallet)));
        takers.push(taker);
        takers.push(delegated);
        takers.push(address(wallet));
        victims.push(address(0x71c1));
        victims.push(address(0x71c2));
        _enrich(delegated);
        _enrich(address(wallet));
        _enrich(address(keeper));
        for (uint256 i = 0; i < victims.length; ++i) _enrich(victims[i]);
        address[6] memory holders =
            [taker, delegated, address(wallet), address(hostile), attacker, address(venue)];
        for (uint256 i = 0; i < holders.length; ++i) {
            hookToken.mint(holders[i], RICH);
            if (i < 3) _approveAll(holders[i], IToken(address(hookToken)));
            if (i == 0 || i > 2) continue;
            venue.mint(holders[i], RICH);
            _approveAll(holders[i], IToken(address(venue)));
        }
        vm.deal(attacker, RICH);
        Terms memory terms = _terms(address(tokenA), 1e6, address(tokenB), 1);
        terms.deadline = type(uint256).max;
        keeper.prepare(terms, _honestPayload());
    }

    function _attacks(uint256 seed) internal view returns (Plan[] memory plans) {
        plans = new Plan[](seed % 4);
        for (uint256 i = 0; i < plans.length; ++i) plans[i] = _attack(uint256(keccak256(abi.encode(seed, i))));
    }

    /// One call; who makes it is whoever is called in the middle of a swap, or anybody between two.
    function _attack(uint256 seed) internal view returns (Plan memory) {
        uint256 way = seed % WAYS;
        uint256 amount = (seed >> 8) % 4 == 0 ? (seed >> 16) % RICH : (seed >> 16) % 1e7;
        address token = _plainToken(seed >> 120);
        if (way == 0) return _call(address(gateway), abi.encodeCall(gateway.pull, (attacker, amount)));
        if (way == 1) return _call(address(gateway), _swapOfOthers(seed, token, amount));
        if (way == 2) {
            bytes memory fill = _honestPayload();
            return _call(
                address(executor),
                abi.encodeCall(executor.execute, (token, amount, address(tokenB), attacker, fill))
            );
        }
        if (way <= 5) return _call(address(executor), _callback(way, seed, amount));
        if (way == 6) return _call(address(executor), abi.encodeCall(executor.unlockCallback, (_data(seed, amount))));
        if (way == 7) return _call(parts[(seed >> 128) % parts.length], _partCall(seed, token, amount));
        if (way == 8) return _call(address(orders), _forgedOrder(seed, token, amount));
        if (way == 9) {
            return _call(token, abi.encodeCall(IToken.transferFrom, (_victim(seed), attacker, amount)));
        }
        if (way == 10) return _call(address(keeper), abi.encodeCall(keeper.work, ()));
        // Nothing is sent: who may send, as a pool that pays out, would only give it away.
        if (way == 11) return _call(seed & 256 == 0 ? address(executor) : address(gateway), "");
        if (way == 12) {
            Plan[] memory theirs = new Plan[](1);
            theirs[0] = _call(token, abi.encodeCall(IToken.transfer, (attacker, amount)));
            return _call(seed & 256 == 0 ? delegated : address(wallet), abi.encodeCall(Wallet.run, (theirs)));
        }
        if (way >= 14) return _call(address(gateway), _orderOfOthers(way, seed, token, amount));
        return _call(address(orders), abi.encodeCall(orders.raiseLeastNonce, (amount)));
    }

    function _call(address target, bytes memory data) internal pure returns (Plan memory) {
        return Plan(target, 0, data);
    }

    function _plainToken(uint256 seed) internal view returns (address) {
        return [address(tokenA), address(tokenB), address(weth)][seed % 3];
    }

    function _victim(uint256 seed) private view returns (address) {
        return victims[(seed >> 200) % victims.length];
    }

    /// Another swap, within the one that runs or not, by who makes the call.
    function _swapOfOthers(uint256 seed, address token, uint256 amount) private view returns (bytes memory) {
        Terms memory terms = _terms(token, amount, address(tokenB), 1);
        terms.executor = seed & 512 == 0 ? address(executor) : address(hostile);
        terms.recipient = attacker;
        return abi.encodeCall(gateway.swap, (terms, seed & 512 == 0 ? _honestPayload() : abi.encode(uint256(1))));
    }

    /// An order of a victim, signed by nobody or by another; or one of whoever calls, with a permit that is none.
    function _orderOfOthers(uint256 way, uint256 seed, address token, uint256 amount)
        private
        view
        returns (bytes memory)
    {
        Order memory order = _order(amount, 1);
        (order.sellToken, order.recipient) = (token, attacker);
        if (token == address(tokenB)) order.buyToken = address(tokenA);
        if (seed & 512 == 0) order.executor = address(hostile);
        bytes memory payload = seed & 512 == 0 ? abi.encode(uint256(1)) : _honestPayload();
        if (way == 14) {
            bytes memory signature = abi.encodePacked(bytes32(seed), bytes32(seed >> 1), uint8(27));
            return abi.encodeCall(gateway.swapOrderWithApproval, (order, signature, payload));
        }
        Permit2Transfer memory transfer = _signed(order, payload, seed, 0xbad);
        transfer.owner = _victim(seed);
        return abi.encodeCall(gateway.swapSignedOrder, (order, transfer, payload));
    }

    function _callback(uint256 way, uint256 seed, uint256 amount) private view returns (bytes memory) {
        bytes4 name = way == 3
            ? executor.uniswapV3SwapCallback.selector
            : way == 4
                ? executor.pancakeV3SwapCallback.selector
                : seed & 512 == 0 ? executor.algebraSwapCallback.selector : executor.pangolinv3SwapCallback.selector;
        (int256 amount0, int256 amount1) =
            seed & 1024 == 0 ? (int256(amount), -int256(amount)) : (-int256(amount), int256(amount));
        return abi.encodeWithSelector(name, amount0, amount1, seed & 2048 == 0 ? bytes("") : _data(seed, amount));
    }

    /// What a callback might take for the rest of an exact-out, or for a swap under a lock.
    function _data(uint256 seed, uint256 amount) private view returns (bytes memory) {
        bytes memory fills = bytes.concat(bytes32(seed), bytes32(amount));
        if (seed & 4096 == 0) return abi.encodePacked(uint8(1), uint8(0), address(tokenA), address(tokenB), fills);
        return abi.encode(10, address(venue), fills, attacker);
    }

    function _partCall(uint256 seed, address token, uint256 amount) private view returns (bytes memory) {
        Fill fill = Fill.wrap(uint256(uint160(address(venue))) << 16);
        Trade memory trade = Trade(fill, token, address(tokenB), amount, attacker, address(gateway), seed & 512 == 0);
        if (seed & 1024 == 0) return abi.encodeCall(VenuePart.sell, (trade, ""));
        return abi.encodeCall(VenuePart.buy, (trade, "", amount));
    }

    /// An order of a victim, who has signed none.
    function _forgedOrder(uint256 seed, address token, uint256 amount) private view returns (bytes memory) {
        MakerOrder memory order;
        (order.maker, order.taker, order.trader) = (_victim(seed), address(venue), attacker);
        (order.makerToken, order.takerToken) = (token, address(tokenB));
        (order.makerAmount, order.takerAmount) = (uint128(amount), 1);
        order.expiry = type(uint64).max;
        bytes memory signature = abi.encodePacked(bytes32(seed), bytes32(seed >> 2), uint8(27 + seed % 2));
        return abi.encodeCall(orders.fill, (order, signature, 1, amount, attacker));
    }
}
