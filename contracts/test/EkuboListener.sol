// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {EkuboKey} from "../src/venues/Ekubo.sol";

/// An extension of Ekubo's that writes down when a pool was swapped last, and changes no swap.
contract EkuboListener {
    mapping(bytes32 id => uint256) public lastSwap;

    /// What else it is called for.
    fallback() external {}

    function beforeSwap(bytes32, EkuboKey calldata key, bytes32) external {
        lastSwap[keccak256(abi.encode(key))] = block.timestamp;
    }
}
