// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A token that is plain until somebody, anybody, tells it to be otherwise: it then keeps a part of what is sent, of all or
/// only of what goes to one receiver, pays nobody but receivers on a list, bars an account, or returns false instead of
/// moving anything.
contract MisfitToken is ERC20 {
    uint8 private immutable _decimals;

    uint256 public keptPpm;
    address public taxedReceiver;
    bool public listedOnly;
    bool public refuses;
    mapping(address => bool) public listed;
    mapping(address => bool) public barred;

    constructor(string memory symbol_, uint8 decimals_, address holder, uint256 supply) ERC20(symbol_, symbol_) {
        _decimals = decimals_;
        _mint(holder, supply);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    /// Of transfers to `receiver`, the zero address for all, `ppm` parts per million are burnt.
    function keep(uint256 ppm, address receiver) external {
        (keptPpm, taxedReceiver) = (ppm, receiver);
    }

    /// From now on, or not any more, only `receivers` are paid.
    function payOnly(bool only, address[] calldata receivers) external {
        listedOnly = only;
        for (uint256 i; i < receivers.length; i++) listed[receivers[i]] = true;
    }

    function bar(address account, bool on) external {
        barred[account] = on;
    }

    function refuse(bool on) external {
        refuses = on;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        return !refuses && super.transfer(to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        return !refuses && super.transferFrom(from, to, amount);
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(!barred[from] && !barred[to], "an account is barred");
        require(!listedOnly || listed[to], "the receiver is not listed");
        bool taxed = taxedReceiver == address(0) || taxedReceiver == to;
        uint256 kept = taxed && to != address(0) ? amount * keptPpm / 1_000_000 : 0;
        if (kept > 0) super._update(from, address(0), kept);
        super._update(from, to, amount - kept);
    }
}
