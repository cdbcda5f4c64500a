// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {vm} from "../src/Cheats.sol";
import {InvariantTest} from "../src/InvariantTest.sol";
import {SwapHandler} from "../src/SwapHandler.sol";

/// What holds after any sequence of what SwapHandler does, which itself looks after every single call.
contract SwapsInvariantTest is InvariantTest {
    SwapHandler private handler;

    function setUp() external {
        handler = new SwapHandler();
        target = address(handler);
        called.push(SwapHandler.swapOverHostileVenue.selector);
        called.push(SwapHandler.swapByAnyFills.selector);
        called.push(SwapHandler.swapByHostileExecutor.selector);
        called.push(SwapHandler.swapByOrder.selector);
        called.push(SwapHandler.callFromOutside.selector);
        called.push(SwapHandler.walletSwapsTwice.selector);
    }

    function invariant_nothingIsLeftInTheContracts() external view {
        handler.checkAtRest();
    }

    /// A run in which everything is refused would show nothing. Forge also comes here with the few calls that it shrinks to.
    function afterInvariant() external view {
        require(handler.swapsDone() != 0 || handler.swapsRefused() < 20, "no swap was let through");
    }
}
