// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// Numbers pools as the factories of PancakeSwap's StableSwap and of Lista do.
contract DevnetPancakeStableFactory {
    mapping(uint256 number => address) public swapPairContract;
    uint256 public pairLength;

    function add(address pool) external {
        swapPairContract[pairLength++] = pool;
    }
}
