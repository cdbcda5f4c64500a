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

/// One swap under the lock of a PoolManager of Uniswap V4, of a vault of Balancer V3 or PancakeSwap Infinity, or of Ekubo's
/// Core, everything about its payment included.
struct LockedSwap {
    uint256 venue;
    address manager;
    /// Of a vault of Balancer: what is sold and what is bought as currencies, and pool or ERC-4626 vault as hooks.
    PoolKey key;
    /// Of PancakeSwap Infinity: the parameters of its key, which a key of V4 has no place for. Of Ekubo: the key's config.
    uint256 parameters;
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
        _nameCurrencies(swap, fee, bought);
        swap.key.tickSpacing = int24(uint24(v4PoolTickSpacing(more)));
        swap.key.hooks = v4PoolHooks(more);
    }

    /// The part of a key that every PoolManager has: the currencies in their order, and the fee.
    function _nameCurrencies(LockedSwap memory swap, uint256 fee, address bought) internal pure {
        (address give, address take) = (_currencyOf(swap.sold), _currencyOf(bought));
        swap.zeroForOne = give < take;
        (swap.key.currency0, swap.key.currency1) = give < take ? (give, take) : (take, give);
        swap.key.fee = uint24(fee);
    }

    function _swapInManager(LockedSwap memory swap) internal returns (uint256, uint256) {
        return _amountsOf(swap, IPoolManager(swap.manager).swap(swap.key, _paramsOf(swap), ""));
    }

    function _paramsOf(LockedSwap memory swap) internal pure returns (SwapParams memory) {
        return SwapParams(swap.zeroForOne, -swap.amount, swap.zeroForOne ? MIN_SQRT_PRICE : MAX_SQRT_PRICE);
    }

    /// What a swap costs and brings by a PoolManager's answer.
    function _amountsOf(LockedSwap memory swap, int256 delta) internal pure returns (uint256, uint256) {
        (int256 delta0, int256 delta1) = (delta >> 128, int128(delta));
        return swap.zeroForOne ? _paidAndBought(swap, -delta0, delta1) : _paidAndBought(swap, -delta1, delta0);
    }

    function _paidAndBought(LockedSwap memory swap, int256 owed, int256 gained)
        internal
        pure
        returns (uint256, uint256)
    {
        if (owed <= 0 || gained < 0) revert UnexpectedCallback(swap.manager);
        return (uint256(owed), uint256(gained));
    }

    /// Pays the contract that holds the tokens (V4's PoolManager, Infinity's Vault) and takes what the swap brings.
    function _settleWith(IPoolManager manager, LockedSwap memory swap, uint256 paid, uint256 bought) internal {
        manager.sync(_currencyOf(swap.sold));
        if (swap.sold == NATIVE_TOKEN) {
            if (paid > address(this).balance) revert ExcessivePayment(address(this).balance, paid);
            manager.settle{value: paid}();
        } else {
            _deliver(swap.fromSeller, swap.sold, paid, address(manager));
            manager.settle();
        }
        manager.take(swap.zeroForOne ? swap.key.currency1 : swap.key.currency0, swap.to, bought);
    }

    function _currencyOf(address token) private pure returns (address) {
        return token == NATIVE_TOKEN ? address(0) : token;
    }
}
