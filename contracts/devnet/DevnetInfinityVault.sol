// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {TokenTransfers} from "../src/TokenTransfers.sol";

interface ILocker {
    function lockAcquired(bytes calldata data) external returns (bytes memory);
}

/// Holds the tokens of all pools, written from the documented interface of PancakeSwap Infinity's Vault: whoever opened the
/// lock owes and is owed until all of it is settled. For the devnet only: every contract may be an app.
contract DevnetInfinityVault {
    using TokenTransfers for address;

    error LockerAlreadySet(address locker);
    error NoLocker();
    error CurrencyNotSettled();
    error SettleNonNativeCurrencyWithValue();

    mapping(address app => mapping(address currency => uint256)) public reservesOfApp;

    address private transient locker;
    uint256 private transient unsettled;
    address private transient synced;
    uint256 private transient reserve;

    modifier locked() {
        if (locker == address(0)) revert NoLocker();
        _;
    }

    function lock(bytes calldata data) external returns (bytes memory answer) {
        if (locker != address(0)) revert LockerAlreadySet(locker);
        locker = msg.sender;
        answer = ILocker(msg.sender).lockAcquired(data);
        if (unsettled != 0) revert CurrencyNotSettled();
        locker = address(0);
    }

    /// What a swap or a change of liquidity comes to, of currency 0 in the upper half; above zero is `settler`'s.
    function accountAppBalanceDelta(address currency0, address currency1, int256 delta, address settler)
        external
        locked
    {
        _accountApp(currency0, delta >> 128, settler);
        _accountApp(currency1, int128(delta), settler);
    }

    function take(address currency, address to, uint256 amount) external locked {
        _account(msg.sender, currency, -int256(amount));
        if (currency == address(0)) TokenTransfers.sendNative(to, amount);
        else currency.send(to, amount);
    }

    function sync(address currency) external {
        synced = currency;
        reserve = currency == address(0) ? 0 : currency.balanceOf(address(this));
    }

    function settle() external payable locked returns (uint256 paid) {
        address currency = synced;
        if (currency == address(0)) {
            paid = msg.value;
        } else {
            if (msg.value != 0) revert SettleNonNativeCurrencyWithValue();
            paid = currency.balanceOf(address(this)) - reserve;
            (synced, reserve) = (address(0), 0);
        }
        _account(msg.sender, currency, int256(paid));
    }

    function _accountApp(address currency, int256 delta, address settler) private {
        if (delta > 0) reservesOfApp[msg.sender][currency] -= uint256(delta);
        else if (delta < 0) reservesOfApp[msg.sender][currency] += uint256(-delta);
        _account(settler, currency, delta);
    }

    function _account(address settler, address currency, int256 delta) private {
        if (delta == 0) return;
        bytes32 slot = keccak256(abi.encode(settler, currency));
        int256 before;
        assembly ("memory-safe") {
            before := tload(slot)
        }
        int256 owed = before + delta;
        if (before == 0) ++unsettled;
        else if (owed == 0) --unsettled;
        assembly ("memory-safe") {
            tstore(slot, owed)
        }
    }
}
