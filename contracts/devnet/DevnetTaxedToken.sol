// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A token that keeps a part of every transfer, for a treasury. The part is always the same, or another one in each block.
contract DevnetTaxedToken is ERC20 {
    uint256 private constant PPM = 1_000_000;
    /// How far the part goes up and down where it changes.
    uint256 private constant STEPS = 16;
    uint256 private constant STEP_PPM = 1_000;

    uint256 public immutable taxPpm;
    bool public immutable changes;
    address public immutable treasury;

    constructor(string memory name_, string memory symbol_, address holder, uint256 supply, uint256 taxPpm_, bool changes_)
        ERC20(name_, symbol_)
    {
        (taxPpm, changes, treasury) = (taxPpm_, changes_, holder);
        _mint(holder, supply);
    }

    /// The part that is kept in this block, in parts per million.
    function currentTaxPpm() public view returns (uint256) {
        return changes ? taxPpm + block.timestamp / 12 % STEPS * STEP_PPM : taxPpm;
    }

    /// Whoever holds the treasury pays no tax: pools are filled from there.
    function _update(address from, address to, uint256 amount) internal override {
        uint256 kept = from == treasury || from == address(0) ? 0 : amount * currentTaxPpm() / PPM;
        if (kept != 0) super._update(from, treasury, kept);
        super._update(from, to, amount - kept);
    }
}
