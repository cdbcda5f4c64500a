// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Terms} from "../../src/Terms.sol";
import {NATIVE_TOKEN} from "../../src/TokenTransfers.sol";
import {PlainToken} from "../../test/PlainToken.sol";
import {IGatewayDoor, IToken} from "./Doors.sol";
import {Mischief, Plan} from "./Mischief.sol";

/// An executor that does what it likes while it runs, and says that it brought any amount.
contract HostileExecutor is Mischief {
    receive() external payable {}

    /// Pays `give` of the bought token out of its own pocket, after the calls that it was told to make.
    function execute(address, uint256, address buyToken, address payTo, bytes calldata payload)
        external
        payable
        returns (uint256)
    {
        _makeMischief();
        uint256 give = abi.decode(payload, (uint256));
        if (buyToken == NATIVE_TOKEN) payable(payTo).transfer(give);
        else IToken(buyToken).transfer(payTo, give);
        return type(uint256).max;
    }
}

/// A token that calls others while it moves.
contract HookToken is PlainToken, Mischief {
    function _move(address from, address to, uint256 amount) internal override {
        _makeMischief();
        super._move(from, to, amount);
    }
}

/// Somebody who is paid and calls others when native token comes: a recipient, or who takes a fee.
contract Payee is Mischief {
    receive() external payable {
        _makeMischief();
    }
}

/// A smart wallet, or the code that an account has delegated to (EIP-7702): makes calls one after another, all or none.
contract Wallet {
    error NotTheOwner();

    address private immutable owner = msg.sender;

    receive() external payable {}

    function run(Plan[] calldata plans) external {
        if (msg.sender != owner && msg.sender != address(this)) revert NotTheOwner();
        for (uint256 i = 0; i < plans.length; ++i) {
            (bool done, bytes memory reason) = plans[i].target.call{value: plans[i].value}(plans[i].data);
            if (done) continue;
            assembly ("memory-safe") {
                revert(add(reason, 32), mload(reason))
            }
        }
    }
}

/// An account that anybody may have swap, always the same, as a vault that keepers work for a reward.
contract PublicKeeper {
    IGatewayDoor private immutable gateway;
    uint256 public worked;
    Terms private terms;
    bytes private payload;

    constructor(IGatewayDoor gateway_) {
        gateway = gateway_;
    }

    function prepare(Terms calldata terms_, bytes calldata payload_) external {
        (terms, payload) = (terms_, payload_);
    }

    function work() external {
        uint256 before = IToken(terms.buyToken).balanceOf(address(this));
        gateway.swap(terms, payload);
        require(IToken(terms.buyToken).balanceOf(address(this)) >= before + terms.minBuyAmount, "the keeper got less");
        ++worked;
    }
}
