// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {FLUID_POOL, SOLIDLY_POOL} from "../../src/VenueCodes.sol";
import {AnyVenue} from "../src/AnyVenue.sol";
import {vm} from "../src/Cheats.sol";
import {Kinds} from "../src/Kinds.sol";
import {Plan} from "../src/Mischief.sol";
import {TO_EXECUTOR, TO_PAYEE, WHOLE, exactIn, exactOut, fillOf, moreBytes, none, one} from "../src/Routes.sol";

/// A pool that does not revert with what it costs, or not in the one form.
contract OddPool {
    error FluidDexSwapResult(uint256 amount);
    error AnotherResult(uint256 amount);

    uint256 private immutable form;

    constructor(uint256 form_) {
        form = form_;
    }

    /// For somebody it has another reason than for nobody.
    function swapOut(bool, uint256 amount, uint256, address to) external payable returns (uint256) {
        require(to == address(0xdEaD), "a cost was made of it");
        if (form == 1) revert AnotherResult(amount);
        if (form == 2) {
            bytes memory longer = bytes.concat(abi.encodeWithSelector(FluidDexSwapResult.selector, amount), hex"00");
            assembly ("memory-safe") {
                revert(add(longer, 32), mload(longer))
            }
        }
        return amount;
    }
}

/// Pools of Fluid's DEX: native token from their layer, what they cost, and what their last unit of twelve decimals brings.
contract FluidTest is Kinds {
    uint256 private constant AMOUNT = 1_000_000;
    /// Sells token 0.
    uint24 private constant SELLS_0 = 0x010000;
    /// Sells token 0 for a token of 18 decimals, of which six are more than the pool counts.
    uint24 private constant SIX_DIGITS = SELLS_0 | 6;

    function setUp() external {
        _makeKinds();
    }

    function _fluid(uint8 destination, uint8 sold, uint8 bought, uint24 detail, address pool)
        private
        pure
        returns (bytes memory)
    {
        bytes memory fill = fillOf(FLUID_POOL, destination, sold, bought, WHOLE, detail, pool);
        return bytes.concat(fill, moreBytes(abi.encodePacked(pool)));
    }

    /// The layer sends it, to the payee or to the executor, which takes none from it afterwards.
    function test_nativeTokenComesFromTheLayer() external {
        AnyVenue layer = new AnyVenue(address(tokenA), NATIVE_TOKEN);
        vm.deal(address(layer), RICH);
        Terms memory terms = _terms(address(tokenA), AMOUNT, NATIVE_TOKEN, AMOUNT);
        uint256 before = taker.balance;
        vm.assertEq(_swap(terms, exactIn(none(), _fluid(TO_PAYEE, 0, 1, SELLS_0, address(layer)))), AMOUNT, "sold");
        vm.assertEq(_swap(terms, exactOut(AMOUNT, none(), _fluid(0, 0, 1, SELLS_0, address(layer)))), AMOUNT, "bought");
        vm.assertEq(taker.balance - before, 2 * AMOUNT, "both arrived");

        // Over the executor, where it is wrapped.
        bytes memory wraps = bytes.concat(
            _fluid(TO_EXECUTOR, 0, 2, SELLS_0, address(layer)), _fill(_kind(27), TO_PAYEE, 2, 1, WHOLE)
        );
        Terms memory wrapped = _terms(address(tokenA), AMOUNT, address(weth), AMOUNT);
        vm.assertEq(_swap(wrapped, exactIn(one(NATIVE_TOKEN), wraps)), AMOUNT, "wrapped");
        bytes memory reason = abi.encodeWithSignature("UnexpectedNative(address)", address(layer));
        _refusedCall(address(layer), address(executor), 1, "", reason);
        _nothingIsLeft();
    }

    /// The layer sends it for an exact output as well, no other one while another token is bought, and none afterwards.
    function test_nativeTokenOfAnExactOutputComesFromTheLayer() external {
        AnyVenue layer = new AnyVenue(address(tokenA), NATIVE_TOKEN);
        vm.deal(address(layer), RICH);
        Terms memory terms = _terms(address(tokenA), 2 * AMOUNT, NATIVE_TOKEN, AMOUNT + 1);
        uint256 before = taker.balance;
        vm.assertEq(
            _swap(terms, exactOut(AMOUNT + 1, none(), _fluid(0, 0, 1, SIX_DIGITS, address(layer)))), AMOUNT + 1, "bought"
        );
        vm.assertEq(taker.balance - before, 2 * AMOUNT, "with the rest of the last unit");
        bytes memory reason = abi.encodeWithSignature("UnexpectedNative(address)", address(layer));
        _refusedCall(address(layer), address(executor), 1, "", reason);

        Plan[] memory plans = new Plan[](1);
        plans[0] = Plan(address(executor), 1, "");
        venue.plan(plans);
        terms = _terms(address(tokenA), AMOUNT, address(tokenB), AMOUNT);
        _swap(terms, exactOut(AMOUNT, none(), _fluid(0, 0, 1, SELLS_0, address(venue))));
        vm.assertEq(venue.succeeded(), 0, "a layer that pays a token has sent native token");
    }

    /// Which token is sold is said by the first byte alone.
    function test_digitsSayNothingOfTheDirection() external {
        Terms memory terms = _terms(address(tokenB), AMOUNT, address(tokenA), AMOUNT);
        vm.assertEq(_swap(terms, exactIn(none(), _fluid(TO_PAYEE, 0, 1, 6, address(venue)))), AMOUNT, "token 1 is sold");
    }

    /// A cost is what the pool reverts with, in one form; all else is told as it is.
    function test_aCostHasOneForm() external {
        Terms memory terms = _terms(address(tokenA), 2 * AMOUNT, address(tokenB), AMOUNT);
        bytes4 result = OddPool.FluidDexSwapResult.selector;
        for (uint256 form = 0; form < 3; ++form) {
            address pool = address(new OddPool(form));
            bytes memory reason = form == 0
                ? abi.encodeWithSignature("CostUntold(address)", pool)
                : form == 1
                    ? abi.encodeWithSelector(OddPool.AnotherResult.selector, AMOUNT)
                    : bytes.concat(abi.encodeWithSelector(result, AMOUNT), hex"00");
            _refused(terms, exactOut(AMOUNT, none(), _fluid(0, 0, 1, SELLS_0, pool)), reason);
        }
    }

    /// What the last whole unit brings beyond the amount is the seller's, wherever the amount goes.
    function test_theRestOfTheLastUnitIsTheSellers() external {
        Terms memory terms = _terms(address(tokenA), 2 * AMOUNT, address(tokenB), AMOUNT + 1);
        terms.recipient = other;
        (uint256 sold, uint256 rest) = (tokenA.balanceOf(taker), tokenB.balanceOf(taker));
        bytes memory fill = _fluid(0, 0, 1, SIX_DIGITS, address(venue));
        vm.assertEq(_swap(terms, exactOut(AMOUNT + 1, none(), fill)), AMOUNT + 1, "exactly");
        vm.assertEq(sold - tokenA.balanceOf(taker), 2 * AMOUNT, "two units are paid");
        vm.assertEq(tokenB.balanceOf(other), AMOUNT + 1, "the recipient has the amount");
        vm.assertEq(tokenB.balanceOf(taker) - rest, AMOUNT - 1, "the seller the rest");

        // In the middle of a route the amount stays for the fill after it.
        AnyVenue last = address(tokenB) < address(weth)
            ? new AnyVenue(address(tokenB), address(weth))
            : new AnyVenue(address(weth), address(tokenB));
        vm.prank(taker);
        weth.transfer(address(last), 1e24);
        bytes memory fills = bytes.concat(
            fillOf(SOLIDLY_POOL, 0, 2, 1, WHOLE, 0, address(last)), _fluid(0, 0, 2, SIX_DIGITS, address(venue))
        );
        rest = tokenB.balanceOf(taker);
        Terms memory through = _terms(address(tokenA), 2 * AMOUNT, address(weth), AMOUNT + 1);
        vm.assertEq(_swap(through, exactOut(AMOUNT + 1, one(address(tokenB)), fills)), AMOUNT + 1, "through");
        // The pool behind asks for one more than it pays.
        vm.assertEq(tokenB.balanceOf(taker) - rest, AMOUNT - 2, "the rest of the middle");
        _nothingIsLeft();
    }

    /// A pool that brings less than the amount is refused, also where somebody has left the executor what is missing.
    function test_lessThanTheAmountIsRefused() external {
        tokenB.mint(address(executor), 1);
        venue.lie(0, -int256(AMOUNT), 0, 0);
        Terms memory terms = _terms(address(tokenA), 2 * AMOUNT, address(tokenB), AMOUNT + 1);
        bytes memory fill = _fluid(0, 0, 1, SIX_DIGITS, address(venue));
        _refused(terms, exactOut(AMOUNT + 1, none(), fill), abi.encodeWithSignature("Panic(uint256)", 0x11));
    }
}
