// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IClPoolManager, IInfinityVault, InfinityKey} from "../src/venues/Infinity.sol";
import {SwapParams} from "../src/venues/UniswapV4.sol";

/// Tells what a swap on a pool of PancakeSwap Infinity would move, without making it.
contract InfinityQuoter {
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    IClPoolManager private immutable manager;
    address private immutable vault;

    constructor(IClPoolManager manager_) {
        (manager, vault) = (manager_, manager_.vault());
    }

    /// `amount` above zero is sold, below zero bought. What both currencies come to, of currency 0 in the upper half.
    function quote(InfinityKey calldata key, bool zeroForOne, int256 amount) external returns (int256) {
        SwapParams memory params = SwapParams(zeroForOne, -amount, zeroForOne ? LOWEST : HIGHEST);
        try IInfinityVault(vault).lock(abi.encodeCall(IClPoolManager.swap, (key, params, ""))) {
            revert("the swap was made");
        } catch (bytes memory reason) {
            if (reason.length == 32) return abi.decode(reason, (int256));
            assembly ("memory-safe") {
                revert(add(reason, 32), mload(reason))
            }
        }
    }

    /// Swaps, and takes it back by reverting with what it came to.
    function lockAcquired(bytes calldata data) external returns (bytes memory) {
        (, bytes memory answer) = address(manager).call(data);
        assembly ("memory-safe") {
            revert(add(answer, 32), mload(answer))
        }
    }
}
