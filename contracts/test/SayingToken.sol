// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {PlainToken} from "./PlainToken.sol";

/// A token that moves what it should and then answers, or reverts, with the bytes that it was told, after so many transfers
/// that it answered as it should.
contract SayingToken is PlainToken {
    bytes private words;
    bool private reverts;
    bool private told;
    uint256 private plain;

    function say(bytes calldata words_, bool reverts_, uint256 plain_) external {
        (words, reverts, told, plain) = (words_, reverts_, true, plain_);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        super.transfer(to, amount);
        return _say();
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        super.transferFrom(from, to, amount);
        return _say();
    }

    function _say() private returns (bool) {
        if (!told) return true;
        if (plain != 0) {
            plain -= 1;
            return true;
        }
        bytes memory answer = words;
        if (reverts) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
        assembly ("memory-safe") {
            return(add(answer, 32), mload(answer))
        }
    }
}
