// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// What one token of a Balancer pool is worth in the pool's common value, 18 decimals, as anybody sets it.
contract DevnetRateProvider {
    uint256 public getRate;

    constructor(uint256 rate) {
        getRate = rate;
    }

    function setRate(uint256 rate) external {
        getRate = rate;
    }
}
