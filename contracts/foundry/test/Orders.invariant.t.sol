// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {InvariantTest} from "../src/InvariantTest.sol";
import {OrderHandler} from "../src/OrderHandler.sol";

/// What holds after any sequence of what OrderHandler does, which itself looks after every single fill.
contract OrdersInvariantTest is InvariantTest {
    OrderHandler private handler;

    function setUp() external {
        handler = new OrderHandler();
        target = address(handler);
        called.push(OrderHandler.cancel.selector);
        called.push(OrderHandler.raiseLeast.selector);
        called.push(OrderHandler.setSigner.selector);
        called.push(OrderHandler.feel.selector);
        // Fills come as often as all else together.
        for (uint256 i = 0; i < 3; ++i) called.push(OrderHandler.fill.selector);
        called.push(OrderHandler.fillForOthers.selector);
        called.push(OrderHandler.fillSoundly.selector);
    }

    function invariant_everyFillIsOneThatItsMakerHasSigned() external view {
        handler.fillsDone();
    }

    /// A run in which everything is refused would show nothing. Forge also comes here with the few calls that it shrinks to.
    function afterInvariant() external view {
        require(handler.fillsDone() != 0 || handler.fillsTried() < 20, "no order was filled");
    }
}
