// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IToken} from "./Doors.sol";

/// A Solidly pool that pays one token for anything.
contract PayingVenue {
    IToken private immutable pays;

    constructor(IToken pays_) {
        pays = pays_;
    }

    function getAmountOut(uint256 amountIn, address) external pure returns (uint256) {
        return amountIn;
    }

    function swap(uint256 amount0, uint256 amount1, address to, bytes calldata) external {
        pays.transfer(to, amount0 + amount1);
    }
}
