// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {ExecutorState} from "../ExecutorState.sol";
import {InvalidPayload} from "../Payload.sol";
import {NATIVE_TOKEN, TokenTransfers} from "../TokenTransfers.sol";

interface IWrappedNative {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

/// The chain's native token into its wrapped one, and back. Compiled into the executor.
abstract contract Wrapping is ExecutorState {
    using TokenTransfers for address;

    /// Wraps or unwraps what is here and brings it to `to`.
    function _convert(address sold, address bought, uint256 amount, address to) internal {
        address wrapped = wrappedNative;
        if (sold == NATIVE_TOKEN && bought == wrapped) {
            if (amount > address(this).balance) revert ExcessivePayment(address(this).balance, amount);
            IWrappedNative(wrapped).deposit{value: amount}();
        } else if (sold == wrapped && bought == NATIVE_TOKEN) IWrappedNative(wrapped).withdraw(amount);
        else revert InvalidPayload();
        if (to != address(this)) bought.send(to, amount);
    }
}
