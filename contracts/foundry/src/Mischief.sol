// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// A call that somebody makes in the middle of another's.
struct Plan {
    address target;
    uint256 value;
    bytes data;
}

/// Whoever is called in the middle of a swap and makes calls of its own there: their failures stay with it.
abstract contract Mischief {
    Plan[] private plans;
    /// How many of the calls did not fail.
    uint256 public succeeded;
    bool private running;

    function plan(Plan[] calldata plans_) external {
        delete plans;
        for (uint256 i = 0; i < plans_.length; ++i) plans.push(plans_[i]);
    }

    function _makeMischief() internal {
        // What it calls may call it: once is enough.
        if (running) return;
        running = true;
        for (uint256 i = 0; i < plans.length; ++i) {
            Plan memory next = plans[i];
            (bool done,) = next.target.call{value: next.value, gas: gasleft() / 2}(next.data);
            if (done) ++succeeded;
        }
        running = false;
    }
}
