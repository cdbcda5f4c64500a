// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {TokenTransfers} from "../src/TokenTransfers.sol";

/// Who opened a lock owes what its calls come to until all of it is paid, written from the documented interface of Ekubo's
/// Core: its functions take packed arguments behind the selector. For the devnet only.
abstract contract DevnetEkuboAccounts {
    using TokenTransfers for address;

    error NotLocked();
    error LockerOnly();
    error DebtsNotZeroed(uint256 id);

    /// The number of the open lock, plus one, above the address of who opened it.
    uint256 private transient current;

    modifier onlyLocker() {
        if (current == 0) revert NotLocked();
        if (address(uint160(current)) != msg.sender) revert LockerOnly();
        _;
    }

    /// Native token pays what the open lock owes of it.
    receive() external payable {
        if (current == 0) revert NotLocked();
        _account(address(0), -int256(msg.value));
    }

    /// Calls back with the lock's number and what follows the selector, and answers what that answers.
    function lock() external {
        uint256 before = current;
        uint256 id = before >> 160;
        current = (id + 1) << 160 | uint160(msg.sender);
        (bool done, bytes memory answer) = msg.sender.call(abi.encodePacked(bytes4(0), id, msg.data[4:]));
        if (!done) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
        if (_load(_countSlot(id)) != 0) revert DebtsNotZeroed(id);
        current = before;
        assembly ("memory-safe") {
            return(add(answer, 32), mload(answer))
        }
    }

    function startPayments() external {
        for (uint256 at = 4; at < msg.data.length; at += 32) {
            address token = address(uint160(uint256(bytes32(msg.data[at:at + 32]))));
            _store(keccak256(abi.encode("payment", token)), token.balanceOf(address(this)) + 1);
        }
    }

    function completePayments() external {
        if (current == 0) revert NotLocked();
        for (uint256 at = 4; at < msg.data.length; at += 32) {
            address token = address(uint160(uint256(bytes32(msg.data[at:at + 32]))));
            bytes32 slot = keccak256(abi.encode("payment", token));
            uint256 begun = _load(slot);
            _store(slot, 0);
            uint256 balance = token.balanceOf(address(this));
            if (begun != 0 && balance >= begun - 1) _account(token, -int256(balance - (begun - 1)));
        }
    }

    function withdraw() external onlyLocker {
        for (uint256 at = 4; at < msg.data.length; at += 56) {
            address token = address(bytes20(msg.data[at:at + 20]));
            address to = address(bytes20(msg.data[at + 20:at + 40]));
            uint256 amount = uint128(bytes16(msg.data[at + 40:at + 56]));
            _account(token, int256(amount));
            if (token == address(0)) TokenTransfers.sendNative(to, amount);
            else token.send(to, amount);
        }
    }

    /// The words of storage at the slots that follow the selector.
    function sload() external view {
        bytes memory words = new bytes(msg.data.length - 4);
        for (uint256 at = 0; at < words.length; at += 32) {
            bytes32 slot = bytes32(msg.data[at + 4:at + 36]);
            assembly ("memory-safe") {
                mstore(add(add(words, 32), at), sload(slot))
            }
        }
        assembly ("memory-safe") {
            return(add(words, 32), mload(words))
        }
    }

    function _locker() internal view returns (bytes32) {
        return bytes32(current);
    }

    /// Adds to what the open lock owes of a token; below zero takes off.
    function _account(address token, int256 change) internal {
        if (change == 0) return;
        uint256 id = (current >> 160) - 1;
        bytes32 slot = keccak256(abi.encode(id, token));
        int256 before = int256(_load(slot));
        int256 owed = before + change;
        bytes32 count = _countSlot(id);
        if (before == 0) _store(count, _load(count) + 1);
        else if (owed == 0) _store(count, _load(count) - 1);
        _store(slot, uint256(owed));
    }

    function _countSlot(uint256 id) private pure returns (bytes32) {
        return keccak256(abi.encode("unpaid", id));
    }

    function _load(bytes32 slot) private view returns (uint256 value) {
        assembly ("memory-safe") {
            value := tload(slot)
        }
    }

    function _store(bytes32 slot, uint256 value) private {
        assembly ("memory-safe") {
            tstore(slot, value)
        }
    }
}
