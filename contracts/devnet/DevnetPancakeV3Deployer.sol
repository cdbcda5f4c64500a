// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

/// Creates pools for PancakeSwap V3's factory, whose own deployer is in no package: it hands the pool's constructor its
/// terms and puts the published creation code at an address that follows from them.
contract DevnetPancakeV3Deployer {
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    Parameters public parameters;
    /// Holds the pool's creation code behind one byte that no call runs past.
    address private immutable codeHolder;

    constructor(bytes memory creationCode) {
        bytes memory holder =
            abi.encodePacked(hex"61", uint16(creationCode.length + 1), hex"80600a3d393df3", hex"00", creationCode);
        address created;
        assembly ("memory-safe") {
            created := create(0, add(holder, 32), mload(holder))
        }
        require(created != address(0), "the code does not fit");
        codeHolder = created;
    }

    function deploy(address factory, address token0, address token1, uint24 fee, int24 tickSpacing)
        external
        returns (address pool)
    {
        parameters = Parameters(factory, token0, token1, fee, tickSpacing);
        bytes32 salt = keccak256(abi.encode(token0, token1, fee));
        address holder = codeHolder;
        assembly ("memory-safe") {
            let size := sub(extcodesize(holder), 1)
            let code := mload(0x40)
            extcodecopy(holder, code, 1, size)
            pool := create2(0, code, size, salt)
        }
        require(pool != address(0), "no pool was created");
        delete parameters;
    }
}
