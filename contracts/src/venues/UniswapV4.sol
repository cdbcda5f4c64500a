// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {ExecutorState} from "../ExecutorState.sol";
import {NATIVE_TOKEN} from "../TokenTransfers.sol";
import {v4PoolHooks, v4PoolTickSpacing} from "../VenueCodes.sol";

/// What names a pool in Uniswap V4's PoolManager; the native token is the zero address there.
struct PoolKey {
    address currency0;
    address currency1;
    uint24 fee;
    int24 tickSpacing;
    address hooks;
}

struct SwapParams {
    bool zeroForOne;
    /// Below zero is sold, above zero is bought.
    int256 amountSpecified;
    uint160 sqrtPriceLimitX96;
}

interface IPoolManager {
    function unlock(bytes calldata data) external returns (bytes memory);
    /// The caller's deltas, of currency 0 in the upper half; below zero is owed.
    function swap(PoolKey calldata key, SwapParams calldata params, bytes calldata hookData)
        external
        returns (int256 delta);
    function sync(address currency) external;
    function settle() external payable returns (uint256 paid);
    function take(address currency, address to, uint256 amount) external;
}

/// One swap under the lock of a PoolManager of Uniswap V4 or of a vault of Balancer V3, everything about its payment
/// included.
struct LockedSwap {
    uint256 venue;
    address manager;
    /// Of a vault of Balancer: what is sold and what is bought as currencies, and pool or ERC-4626 vault as hooks.
    PoolKey key;
    bool zeroForOne;
    /// Above zero is sold, below zero is bought.
    int256 amount;
    address sold;
    uint256 most;
    /// Whether the seller pays, or this contract.
    bool fromSeller;
    address to;
}

/// Uniswap V4's pools, traded under the lock of their PoolManager. Compiled into the executor.
abstract contract UniswapV4 is ExecutorState {
    /// Names a pool by its key.
    function _nameV4Pool(LockedSwap memory swap, uint256 fee, bytes calldata more, address bought) internal pure {
        (address give, address take) = (_currencyOf(swap.sold), _currencyOf(bought));
        swap.zeroForOne = give < take;
        (swap.key.currency0, swap.key.currency1) = give < take ? (give, take) : (take, give);
        (swap.key.fee, swap.key.tickSpacing) = (uint24(fee), int24(uint24(v4PoolTickSpacing(more))));
        swap.key.hooks = v4PoolHooks(more);
    }

    function _swapInManager(LockedSwap memory swap) internal returns (uint256, uint256) {
        SwapParams memory params =
            SwapParams(swap.zeroForOne, -swap.amount, swap.zeroForOne ? MIN_SQRT_PRICE : MAX_SQRT_PRICE);
        int256 delta = IPoolManager(swap.manager).swap(swap.key, params, "");
        (int256 delta0, int256 delta1) = (delta >> 128, int128(delta));
        (int256 owed, int256 gained) = swap.zeroForOne ? (-delta0, delta1) : (-delta1, delta0);
        if (owed <= 0 || gained < 0) revert UnexpectedCallback(swap.manager);
        return (uint256(owed), uint256(gained));
    }

    /// Pays a PoolManager and takes what the swap brings.
    function _settleInManager(LockedSwap memory swap, uint256 paid, uint256 bought) internal {
        IPoolManager manager = IPoolManager(swap.manager);
        manager.sync(_currencyOf(swap.sold));
        if (swap.sold == NATIVE_TOKEN) {
            if (paid > address(this).balance) revert ExcessivePayment(address(this).balance, paid);
            manager.settle{value: paid}();
        } else {
            _deliver(swap.fromSeller, swap.sold, paid, swap.manager);
            manager.settle();
        }
        manager.take(swap.zeroForOne ? swap.key.currency1 : swap.key.currency0, swap.to, bought);
    }

    function _currencyOf(address token) private pure returns (address) {
        return token == NATIVE_TOKEN ? address(0) : token;
    }
}
