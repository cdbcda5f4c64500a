// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {NATIVE_TOKEN, TokenTransfers} from "../TokenTransfers.sol";
import {ekuboPoolConfigBegin} from "../VenueCodes.sol";
import {Infinity} from "./Infinity.sol";
import {LockedSwap} from "./UniswapV4.sol";

/// What names a pool in Ekubo's Core; the native token is the zero address there.
struct EkuboKey {
    address token0;
    address token1;
    /// The extension's address, the fee as a part of 2^64 in eight bytes, and the kind of the pool in four.
    bytes32 config;
}

/// Pools of Ekubo, traded under the lock of its Core, whose functions take packed arguments. Compiled into the executor.
abstract contract Ekubo is Infinity {
    /// `lock()`, `startPayments()`, `completePayments()` and `withdraw()`; swaps and the callback of a lock have none but zeros.
    bytes4 internal constant EKUBO_LOCK = 0xf83d08ba;
    bytes4 private constant START_PAYMENTS = 0xf9b6a796;
    bytes4 private constant COMPLETE_PAYMENTS = 0x12e103f1;
    bytes4 private constant WITHDRAW = 0x3ccfd60b;

    /// Prices at the ends of the scale, as Core keeps them.
    uint256 private constant LOWEST = 4611797791050542631;
    uint256 private constant HIGHEST = 79227682466138141934206691491;

    /// Names a pool by its key.
    function _nameEkuboPool(LockedSwap memory swap, uint256 configEnd, bytes calldata more, address bought)
        internal
        pure
    {
        _nameCurrencies(swap, 0, bought);
        swap.parameters = ekuboPoolConfigBegin(more) << 24 | configEnd;
    }

    function _swapInEkubo(LockedSwap memory swap) internal returns (uint256, uint256) {
        int128 amount = int128(swap.amount);
        if (amount != swap.amount) revert AmountTooLarge(uint256(swap.amount));
        uint256 params = (swap.zeroForOne ? LOWEST : HIGHEST) << 160 | uint256(uint128(amount)) << 32;
        // Whether the amount is of token 1.
        if (amount > 0 != swap.zeroForOne) params |= 1 << 31;
        bytes memory key = abi.encode(swap.key.currency0, swap.key.currency1, swap.parameters);
        bytes memory answer = _callCore(swap.manager, abi.encodePacked(bytes4(0), key, params));
        int256 update = abi.decode(answer, (int256));
        (int256 debt0, int256 debt1) = (update >> 128, int128(update));
        return swap.zeroForOne ? _paidAndBought(swap, debt0, -debt1) : _paidAndBought(swap, debt1, -debt0);
    }

    /// Pays Core and takes what the swap brings, native token too.
    function _settleInEkubo(LockedSwap memory swap, uint256 paid, uint256 bought) internal {
        address core = swap.manager;
        if (swap.sold == NATIVE_TOKEN) {
            if (paid > address(this).balance) revert ExcessivePayment(address(this).balance, paid);
            TokenTransfers.sendNative(core, paid);
        } else {
            _callCore(core, abi.encodeWithSelector(START_PAYMENTS, swap.sold));
            _deliver(swap.fromSeller, swap.sold, paid, core);
            _callCore(core, abi.encodeWithSelector(COMPLETE_PAYMENTS, swap.sold));
        }
        address token = swap.zeroForOne ? swap.key.currency1 : swap.key.currency0;
        nativeSource = core;
        _callCore(core, abi.encodePacked(WITHDRAW, token, swap.to, uint128(bought)));
        nativeSource = address(0);
    }

    function _callCore(address core, bytes memory call_) internal returns (bytes memory answer) {
        bool done;
        (done, answer) = core.call(call_);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
    }
}
