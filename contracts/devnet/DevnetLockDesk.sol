// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {SwapParams} from "../src/venues/UniswapV4.sol";

interface IDeskHolder {
    function sync(address currency) external;
    function settle() external payable returns (uint256 paid);
    function take(address currency, address to, uint256 amount) external;
}

interface IDeskToken {
    function transferFrom(address from, address to, uint256 amount) external;
}

/// Settles for its callers what their calls come to under a lock: tokens by approval, native token that came with the call,
/// and what is left of that stays here. For the devnet only.
abstract contract DevnetLockDesk {
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    receive() external payable {}

    /// `amount` above zero is sold, below zero bought.
    function _paramsOf(bool zeroForOne, int256 amount) internal pure returns (SwapParams memory) {
        return SwapParams(zeroForOne, -amount, zeroForOne ? LOWEST : HIGHEST);
    }

    /// Calls `target` and settles its answer, of currency 0 in the upper half.
    function _runAndSettle(IDeskHolder holder, address target, bytes calldata data) internal {
        (address payer, address currency0, address currency1, bytes memory call) =
            abi.decode(data, (address, address, address, bytes));
        (bool done, bytes memory answer) = target.call(call);
        int256 delta;
        assembly ("memory-safe") {
            if iszero(done) { revert(add(answer, 32), mload(answer)) }
            delta := mload(add(answer, 32))
        }
        _settle(holder, payer, currency0, delta >> 128);
        _settle(holder, payer, currency1, int128(delta));
    }

    function _settle(IDeskHolder holder, address payer, address currency, int256 delta) private {
        if (delta > 0) holder.take(currency, payer, uint256(delta));
        if (delta >= 0) return;
        holder.sync(currency);
        if (currency == address(0)) {
            holder.settle{value: uint256(-delta)}();
            return;
        }
        IDeskToken(currency).transferFrom(payer, address(holder), uint256(-delta));
        holder.settle();
    }
}
