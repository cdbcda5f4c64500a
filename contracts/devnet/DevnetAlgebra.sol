// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// Puts Algebra's factory and its deployer of pools on a chain: each wants to know the other's address from the start.
contract DevnetAlgebra {
    address public immutable factory;
    address public immutable poolDeployer;

    constructor(bytes memory factoryCode, bytes memory deployerCode) {
        // The first two contracts that this one creates: addresses by nonce (RLP of the address and 1 or 2).
        address first = _created(0x01);
        address second = _created(0x02);
        factory = _create(bytes.concat(factoryCode, abi.encode(second)));
        poolDeployer = _create(bytes.concat(deployerCode, abi.encode(first)));
        require(factory == first && poolDeployer == second, "not where they were to be");
    }

    function _created(bytes1 nonce) private view returns (address) {
        return address(uint160(uint256(keccak256(bytes.concat(hex"d694", bytes20(address(this)), nonce)))));
    }

    function _create(bytes memory code) private returns (address created) {
        assembly ("memory-safe") {
            created := create(0, add(code, 32), mload(code))
        }
        require(created != address(0), "nothing was created");
    }
}
