// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {PlainToken} from "./PlainToken.sol";

/// A token that misbehaves as it is told: keeps a part of each transfer, returns false, or calls somebody during a
/// transfer and remembers what came of it.
contract OddToken is PlainToken {
    uint256 public keptPpm;
    bool public refuses;
    address public callee;
    bytes public callData;
    bool public called;
    bool public succeeded;
    bytes public answer;

    function keep(uint256 ppm) external {
        keptPpm = ppm;
    }

    function refuse() external {
        refuses = true;
    }

    /// During every transfer `to` is called with `data`; a failure is remembered and goes no further.
    function callDuringTransfer(address to, bytes calldata data) external {
        callee = to;
        callData = data;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        return !refuses && super.transfer(to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        return !refuses && super.transferFrom(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 kept = amount * keptPpm / 1_000_000;
        super._move(from, to, amount - kept);
        if (callee == address(0)) return;
        called = true;
        (succeeded, answer) = callee.call(callData);
    }
}
