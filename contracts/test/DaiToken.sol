// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {PlainToken} from "./PlainToken.sol";

/// A token with the permit of DAI, which is older than EIP-2612 and allows all or nothing.
contract DaiToken is PlainToken {
    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)");

    string public constant name = "Dai Token";
    string public constant version = "1";
    mapping(address => uint256) public nonces;

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN_TYPE, keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this))
        );
    }

    function digestOf(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed)
        public
        view
        returns (bytes32)
    {
        bytes32 content = keccak256(abi.encode(PERMIT_TYPEHASH, holder, spender, nonce, expiry, allowed));
        return keccak256(bytes.concat(hex"1901", DOMAIN_SEPARATOR(), content));
    }

    function permit(
        address holder,
        address spender,
        uint256 nonce,
        uint256 expiry,
        bool allowed,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        address signer = ecrecover(digestOf(holder, spender, nonce, expiry, allowed), v, r, s);
        require(signer == holder && holder != address(0), "invalid permit");
        require(expiry == 0 || block.timestamp <= expiry, "permit expired");
        require(nonce == nonces[holder]++, "invalid nonce");
        allowance[holder][spender] = allowed ? type(uint256).max : 0;
    }
}
