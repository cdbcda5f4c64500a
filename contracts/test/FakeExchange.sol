// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {FundManagement, SingleSwap} from "../src/venues/BalancerV2.sol";

interface IDrawn {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// A contract that claims to be a Curve pool or a vault of any kind: it draws what it was told to and pays nothing.
contract FakeExchange {
    address private token;
    uint256 private drawn;

    function set(address token_, uint256 drawn_) external {
        (token, drawn) = (token_, drawn_);
    }

    function exchange(int128, int128, uint256, uint256) external {
        if (drawn != 0) IDrawn(token).transferFrom(msg.sender, address(this), drawn);
    }

    function deposit(uint256 assets, address) external returns (uint256) {
        if (drawn != 0) IDrawn(token).transferFrom(msg.sender, address(this), drawn);
        return assets;
    }

    /// As a vault of Balancer V2.
    function swap(SingleSwap calldata, FundManagement calldata, uint256 limit, uint256) external returns (uint256) {
        if (drawn != 0) IDrawn(token).transferFrom(msg.sender, address(this), drawn);
        return limit + 1;
    }
}
