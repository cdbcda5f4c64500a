// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ShareToken} from "./ShareToken.sol";

/// A plain token that stands for the shares of a share token, with wstETH's interface. Both ways go by the amount that is
/// named, and not by what a transfer has moved.
contract ShareWrapper is ERC20 {
    ShareToken public immutable stETH;

    constructor(ShareToken shares) ERC20("Wrapped shares", "wSHARE") {
        stETH = shares;
    }

    function wrap(uint256 amount) external returns (uint256 made) {
        require(amount > 0, "nothing to wrap");
        made = stETH.getSharesByPooledEth(amount);
        _mint(msg.sender, made);
        stETH.transferFrom(msg.sender, address(this), amount);
    }

    function unwrap(uint256 amount) external returns (uint256 paid) {
        require(amount > 0, "nothing to unwrap");
        paid = stETH.getPooledEthByShares(amount);
        _burn(msg.sender, amount);
        stETH.transfer(msg.sender, paid);
    }

    function getWstETHByStETH(uint256 amount) external view returns (uint256) {
        return stETH.getSharesByPooledEth(amount);
    }

    function getStETHByWstETH(uint256 amount) external view returns (uint256) {
        return stETH.getPooledEthByShares(amount);
    }
}
