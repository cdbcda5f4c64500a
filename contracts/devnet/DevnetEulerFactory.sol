// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20} from "@openzeppelin/contracts/interfaces/IERC20.sol";
import {DevnetEulerPool} from "./DevnetEulerPool.sol";

/// Makes pools of either version of EulerSwap, and announces them as the factory of the first and the registry of the second do.
contract DevnetEulerFactory {
    event PoolDeployed(address indexed asset0, address indexed asset1, address indexed eulerAccount, address pool);
    event PoolRegistered(
        address indexed asset0,
        address indexed asset1,
        address indexed eulerAccount,
        address pool,
        DevnetEulerPool.StaticParams sParams,
        uint256 validityBond
    );

    function create(bool second, address asset0, address asset1) external returns (address pool) {
        require(asset0 < asset1, "AssetsOutOfOrderOrEqual");
        DevnetEulerPool made = new DevnetEulerPool(second, IERC20(asset0), IERC20(asset1), msg.sender);
        pool = address(made);
        if (second) emit PoolRegistered(asset0, asset1, msg.sender, pool, made.getStaticParams(), 0);
        else emit PoolDeployed(asset0, asset1, msg.sender, pool);
    }
}
