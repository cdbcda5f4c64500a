// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {OddToken} from "./OddToken.sol";

/// A token with approvals by EIP-2612, which may also be told to answer them without doing anything.
contract PermitToken is OddToken {
    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant PERMIT_TYPE =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    string public constant name = "Permit Token";
    mapping(address => uint256) public nonces;
    bool public ignores;

    function ignorePermits() external {
        ignores = true;
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN_TYPE, keccak256(bytes(name)), keccak256("1"), block.chainid, address(this))
        );
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        if (ignores) return;
        require(block.timestamp <= deadline, "permit expired");
        bytes32 content = keccak256(abi.encode(PERMIT_TYPE, owner, spender, value, nonces[owner]++, deadline));
        bytes32 digest = keccak256(bytes.concat(hex"1901", DOMAIN_SEPARATOR(), content));
        require(ecrecover(digest, v, r, s) == owner && owner != address(0), "invalid permit");
        allowance[owner][spender] = value;
        if (callee == address(0)) return;
        called = true;
        (succeeded, answer) = callee.call(callData);
    }
}
