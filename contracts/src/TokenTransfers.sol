// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

// The address that stands for the chain's native token.
address constant NATIVE_TOKEN = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

interface IERC20 {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function approve(address spender, uint256 amount) external returns (bool);
    function allowance(address owner, address spender) external view returns (uint256);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// A token moved nothing and said so by returning false, by returning something that is no bool, or by having no code.
error TransferFailed(address token);
/// The receiver of native token refused it.
error NativeTransferFailed(address to);

/// Token movements that fail closed: tokens that return nothing are accepted, those that return false or have no code
/// are not. A token's own revert reason is passed on, at most 1,024 bytes of it.
library TokenTransfers {
    function send(address token, address to, uint256 amount) internal {
        if (token == NATIVE_TOKEN) sendNative(to, amount);
        else _call(token, IERC20.transfer.selector, uint160(to), amount, 0, 68);
    }

    function sendFrom(address token, address from, address to, uint256 amount) internal {
        _call(token, IERC20.transferFrom.selector, uint160(from), uint160(to), amount, 100);
    }

    function approve(address token, address spender, uint256 amount) internal {
        _call(token, IERC20.approve.selector, uint160(spender), amount, 0, 68);
    }

    function sendNative(address to, uint256 amount) internal {
        bool done;
        // Solidity's own call would copy whatever the receiver returns.
        assembly ("memory-safe") {
            done := call(gas(), to, amount, 0, 0, 0, 0)
        }
        if (!done) revert NativeTransferFailed(to);
    }

    function balanceOf(address token, address owner) internal view returns (uint256) {
        return token == NATIVE_TOKEN ? owner.balance : IERC20(token).balanceOf(owner);
    }

    /// Calls `token` with the first `length` bytes of selector and words. They lie behind all memory in use, which takes
    /// 100 gas less than to encode them as bytes.
    function _call(address token, bytes4 selector, uint256 first, uint256 second, uint256 third, uint256 length)
        private
    {
        bool done;
        uint256 size;
        uint256 answer;
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, selector)
            mstore(add(data, 4), first)
            mstore(add(data, 36), second)
            mstore(add(data, 68), third)
            done := call(gas(), token, 0, data, length, 0, 32)
            size := returndatasize()
            answer := mload(0)
        }
        if (!done && size != 0) {
            assembly ("memory-safe") {
                if gt(size, 1024) { size := 1024 }
                let reason := mload(0x40)
                returndatacopy(reason, 0, size)
                revert(reason, size)
            }
        }
        bool accepted = size == 0 ? token.code.length != 0 : size >= 32 && answer == 1;
        if (!done || !accepted) revert TransferFailed(token);
    }
}
