// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Order, Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {SOLIDLY_POOL, V2_PAIR, WRAPPED_NATIVE} from "../../src/VenueCodes.sol";
import {vm} from "../src/Cheats.sol";
import {GatewayWorld} from "../src/GatewayWorld.sol";
import {TO_NEXT, TO_PAYEE, WHOLE, exactIn, exactOut, fillOf, none, one} from "../src/Routes.sol";

/// Gas of one call each, in foundry/snapshots/Gas.json: what moved is seen in a diff. The table for readers, against venues'
/// own routers, is that of bench/settlement.
contract GasTest is GatewayWorld {
    uint256 private constant AMOUNT = 1e18;

    function setUp() external {
        _makeGateway();
        // What is measured is a pair in use, and people who hold something already.
        _swap(_terms(address(tokenA), AMOUNT, address(tokenB), 1), _honestPayload());
        tokenB.mint(other, 1);
        tokenB.mint(address(0xfee1), 1);
        tokenB.mint(address(0xfee2), 1);
        vm.warp(block.timestamp + 12);
    }

    function test_pair() external {
        _swap(_terms(address(tokenA), AMOUNT, address(tokenB), 1), _honestPayload());
        vm.snapshotGasLastCall("Gas", "one V2 pair");
    }

    function test_pairWithAFee() external {
        Terms memory terms = _terms(address(tokenA), AMOUNT, address(tokenB), 1);
        (terms.feeRatePpm, terms.feeRecipient) = (1_000, address(0xfee1));
        _swap(terms, _honestPayload());
        vm.snapshotGasLastCall("Gas", "one V2 pair, with a fee");
    }

    function test_pairBought() external {
        bytes memory fill = fillOf(V2_PAIR, 0, 0, 1, WHOLE, 3_000, address(pair));
        _swap(_terms(address(tokenA), 2 * AMOUNT, address(tokenB), 1), exactOut(AMOUNT, none(), fill));
        vm.snapshotGasLastCall("Gas", "one V2 pair, exact output");
    }

    function test_pairByOrder() external {
        _swapOrder(_order(AMOUNT, 1), _honestPayload());
        vm.snapshotGasLastCall("Gas", "one V2 pair, by an order");
    }

    function test_pairByOrderWithTwoFees() external {
        Order memory order = _order(AMOUNT, 1);
        order.fees = _twoFees(1_000, 2_000);
        _swapOrder(order, _honestPayload());
        vm.snapshotGasLastCall("Gas", "one V2 pair, by an order with two fees");
    }

    function test_pairByASignedOrder() external {
        Order memory order = _order(AMOUNT, 1);
        gateway.swapSignedOrder(order, _signed(order, _honestPayload(), 7, TAKER_KEY), _honestPayload());
        vm.snapshotGasLastCall("Gas", "one V2 pair, by an order for Permit2");
    }

    function test_nativeIn() external {
        bytes memory fills = bytes.concat(
            fillOf(WRAPPED_NATIVE, TO_NEXT, 0, 2, WHOLE, 0, address(0)),
            fillOf(SOLIDLY_POOL, TO_PAYEE, 2, 1, WHOLE, 0, address(venue))
        );
        _swap(_terms(NATIVE_TOKEN, AMOUNT, address(tokenB), 1), exactIn(one(address(weth)), fills));
        vm.snapshotGasLastCall("Gas", "native in, wrapped, over a venue that does nothing else");
    }
}
