// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {V2_PAIR} from "../../src/VenueCodes.sol";
import {PlainToken} from "../../test/PlainToken.sol";
import {AnyVenue} from "./AnyVenue.sol";
import {vm} from "./Cheats.sol";
import {IToken} from "./Doors.sol";
import {TO_PAYEE, WHOLE, exactIn, fillOf, none} from "./Routes.sol";
import {Settlement} from "./Settlement.sol";

interface IPairFactory {
    function createPair(address tokenA, address tokenB) external returns (address);
}

interface IPair {
    function mint(address to) external returns (uint256);
    function getReserves() external view returns (uint112, uint112, uint32);
}

/// Two plain tokens, an honest pair of Uniswap V2 between them, a venue of every kind, and people who have approved all
/// that there is to approve.
abstract contract World is Settlement {
    uint256 internal constant UNIT = 1e18;
    uint256 internal constant RICH = 1e30;

    PlainToken internal tokenA;
    PlainToken internal tokenB;
    IPair internal pair;
    AnyVenue internal venue;
    address internal taker;
    address internal other = address(0x07e5);

    function _makeWorld() internal {
        _deploySettlement();
        (PlainToken first, PlainToken second) = (new PlainToken(), new PlainToken());
        (tokenA, tokenB) = address(first) < address(second) ? (first, second) : (second, first);
        bytes memory code = bytes.concat(vm.getCode("bundle/UniswapV2Factory.json"), abi.encode(address(this)));
        pair = IPair(IPairFactory(_create(code)).createPair(address(tokenA), address(tokenB)));
        tokenA.mint(address(pair), 1e24);
        tokenB.mint(address(pair), 1e24);
        pair.mint(address(this));
        venue = _newVenue();
        taker = vm.addr(0x7a4e);
        _enrich(taker);
    }

    function _newVenue() internal returns (AnyVenue made) {
        made = _makeVenue();
        tokenA.mint(address(made), RICH);
        tokenB.mint(address(made), RICH);
        vm.deal(address(made), RICH);
    }

    function _makeVenue() internal virtual returns (AnyVenue) {
        return new AnyVenue(address(tokenA), address(tokenB));
    }

    /// Somebody who holds of everything, and has approved gateway, executor, order settlement and Permit2.
    function _enrich(address account) internal {
        vm.deal(account, RICH);
        tokenA.mint(account, RICH);
        tokenB.mint(account, RICH);
        vm.prank(account);
        weth.deposit{value: RICH / 2}();
        _approveAll(account, IToken(address(tokenA)));
        _approveAll(account, IToken(address(tokenB)));
        _approveAll(account, weth);
    }

    function _approveAll(address account, IToken token) internal {
        vm.prank(account);
        token.approve(address(gateway), type(uint256).max);
        vm.prank(account);
        token.approve(address(executor), type(uint256).max);
        vm.prank(account);
        token.approve(address(orders), type(uint256).max);
        vm.prank(account);
        token.approve(PERMIT2, type(uint256).max);
    }

    function _terms(address sellToken, uint256 amount, address buyToken, uint256 least)
        internal
        view
        returns (Terms memory terms)
    {
        terms.executor = address(executor);
        (terms.sellToken, terms.maxSellAmount) = (sellToken, amount);
        (terms.buyToken, terms.minBuyAmount) = (buyToken, least);
        terms.deadline = block.timestamp;
    }

    function _swap(Terms memory terms, bytes memory payload) internal returns (uint256) {
        uint256 value = terms.sellToken == NATIVE_TOKEN ? terms.maxSellAmount : 0;
        vm.prank(taker);
        return gateway.swap{value: value}(terms, payload);
    }

    /// Whether a swap is let through.
    function _try(Terms memory terms, bytes memory payload) internal returns (bool done) {
        uint256 value = terms.sellToken == NATIVE_TOKEN ? terms.maxSellAmount : 0;
        vm.prank(taker);
        (done,) = address(gateway).call{value: value}(abi.encodeCall(gateway.swap, (terms, payload)));
    }

    /// A swap by the taker that is refused for this reason.
    function _refused(Terms memory terms, bytes memory payload, bytes memory reason) internal {
        uint256 value = terms.sellToken == NATIVE_TOKEN ? terms.maxSellAmount : 0;
        _refusedCall(taker, address(gateway), value, abi.encodeCall(gateway.swap, (terms, payload)), reason);
    }

    function _refusedCall(address caller, address target, uint256 value, bytes memory data, bytes memory reason)
        internal
    {
        vm.prank(caller);
        (bool done, bytes memory answer) = target.call{value: value}(data);
        vm.assertFalse(done, "let through");
        vm.assertEq(answer, reason, "refused for another reason");
    }

    /// One fill from the sold to the bought token, all of it, straight to the payee.
    function _single(uint256 kind, uint24 detail, address pool, bytes memory more)
        internal
        pure
        returns (bytes memory)
    {
        return exactIn(none(), bytes.concat(fillOf(kind, TO_PAYEE, 0, 1, WHOLE, detail, pool), more));
    }

    /// Sells token A over the honest pair.
    function _honestPayload() internal view returns (bytes memory) {
        return _single(V2_PAIR, 3_000, address(pair), "");
    }

    /// What the honest pair gives.
    function _honestOutput(uint256 amount) internal view returns (uint256) {
        (uint256 reserve0, uint256 reserve1,) = pair.getReserves();
        uint256 afterFee = amount * 997_000;
        return afterFee * reserve1 / (reserve0 * 1_000_000 + afterFee);
    }

    function _nothingIsLeft() internal view {
        _holdsNothing(address(gateway), "the gateway");
        _holdsNothing(address(executor), "the executor");
        _holdsNothing(address(orders), "the order settlement");
        _allowsNothing(address(tokenA));
        _allowsNothing(address(tokenB));
        _allowsNothing(address(weth));
    }

    function _holdsNothing(address account, string memory name) internal view {
        uint256 held = tokenA.balanceOf(account) + tokenB.balanceOf(account) + weth.balanceOf(account);
        held += venue.balanceOf(account) + account.balance;
        if (held != 0) revert(string.concat(name, " holds something"));
    }

    function _allowsNothing(address token) internal view {
        address[5] memory spenders = [address(venue), address(pair), address(gateway), address(orders), taker];
        for (uint256 i = 0; i < spenders.length; ++i) {
            uint256 open = IToken(token).allowance(address(executor), spenders[i]);
            require(open == 0, "the executor has left an approval");
        }
    }
}
