// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {PlainToken} from "./PlainToken.sol";

/// Owes somebody a token, and lets anybody have it pay: as a protocol's rewards that are claimed on another's behalf do, or an
/// order that waits to be filled.
contract Debtor {
    PlainToken private immutable token;
    address private immutable creditor;

    constructor(PlainToken token_, address creditor_) {
        (token, creditor) = (token_, creditor_);
    }

    function pay() external {
        token.transfer(creditor, token.balanceOf(address(this)));
    }
}
