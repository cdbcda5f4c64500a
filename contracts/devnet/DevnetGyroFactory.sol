// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {DevnetGyroPool, GyroKind, IBalancerVault, IRateProvider} from "./DevnetGyroPool.sol";

/// Makes pools of one of Gyroscope's kinds, and knows them.
contract DevnetGyroFactory {
    event PoolCreated(address indexed pool);

    IBalancerVault private immutable vault;
    GyroKind private immutable kind;
    mapping(address pool => bool) public isPoolFromFactory;

    constructor(IBalancerVault vault_, GyroKind kind_) {
        (vault, kind) = (vault_, kind_);
    }

    function create(
        address[] calldata tokens,
        int256[] calldata parameters,
        IRateProvider[] calldata rateProviders,
        uint256 fee
    ) external returns (address pool) {
        pool = address(new DevnetGyroPool(vault, kind, tokens, parameters, rateProviders, fee, msg.sender));
        isPoolFromFactory[pool] = true;
        emit PoolCreated(pool);
    }
}
