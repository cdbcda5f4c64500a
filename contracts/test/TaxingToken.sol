// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A token that keeps parts of transfers, by rules that anybody sets: from and to pools, between accounts, rounded up or down,
/// more above an amount, and more where gas costs something, which it does in no simulation.
contract TaxingToken is ERC20 {
    uint256 private constant PPM = 1_000_000;

    mapping(address => bool) public isPool;
    uint256 public buyPpm;
    uint256 public sellPpm;
    uint256 public transferPpm;
    bool public roundsUp;
    uint256 public threshold;
    uint256 public abovePpm;
    uint256 public outsidePpm;

    constructor(string memory symbol_, address holder, uint256 supply) ERC20(symbol_, symbol_) {
        _mint(holder, supply);
    }

    function setPool(address pool, bool on) external {
        isPool[pool] = on;
    }

    function setTax(uint256 buy, uint256 sell, uint256 between, bool up) external {
        (buyPpm, sellPpm, transferPpm, roundsUp) = (buy, sell, between, up);
    }

    /// Transfers of more than `amount` pay `ppm` instead.
    function setAbove(uint256 amount, uint256 ppm) external {
        (threshold, abovePpm) = (amount, ppm);
    }

    /// In blocks whose gas costs something `ppm` is kept instead.
    function setOutside(uint256 ppm) external {
        outsidePpm = ppm;
    }

    function _update(address from, address to, uint256 amount) internal override {
        uint256 ppm = isPool[from] ? buyPpm : isPool[to] ? sellPpm : transferPpm;
        if (threshold != 0 && amount > threshold) ppm = abovePpm;
        if (outsidePpm != 0 && block.basefee != 0) ppm = outsidePpm;
        uint256 kept = from == address(0) ? 0 : (amount * ppm + (roundsUp ? PPM - 1 : 0)) / PPM;
        if (kept != 0) super._update(from, address(0), kept);
        super._update(from, to, amount - kept);
    }
}
