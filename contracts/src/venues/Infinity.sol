// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {INFINITY_BIN_POOL, INFINITY_CL_POOL, infinityClPoolHooks, infinityClPoolParameters} from "../VenueCodes.sol";
import {IPoolManager, LockedSwap, SwapParams, UniswapV4} from "./UniswapV4.sol";

/// What names a pool of PancakeSwap Infinity; the native token is the zero address there.
struct InfinityKey {
    address currency0;
    address currency1;
    address hooks;
    address poolManager;
    uint24 fee;
    /// Which hooks are called in the lowest 16 bits, the tick spacing or bin step above them.
    bytes32 parameters;
}

interface IClPoolManager {
    /// The Vault that holds the tokens of all its pools.
    function vault() external view returns (address);
    /// As in Uniswap V4.
    function swap(InfinityKey calldata key, SwapParams calldata params, bytes calldata hookData)
        external
        returns (int256 delta);
}

interface IBinPoolManager {
    /// X is currency 0. Below zero is sold, above zero is bought.
    function swap(InfinityKey calldata key, bool xForY, int128 amountSpecified, bytes calldata hookData)
        external
        returns (int256 delta);
}

interface IInfinityVault {
    function lock(bytes calldata data) external returns (bytes memory);
}

/// Pools of PancakeSwap Infinity, of concentrated liquidity and of bins: PoolManagers that know the pools, and one Vault under whose lock they are traded and which
/// is paid as V4's PoolManager is. Compiled into the executor.
abstract contract Infinity is UniswapV4 {
    function _isInfinity(uint256 venue) internal pure returns (bool) {
        return venue == INFINITY_CL_POOL || venue == INFINITY_BIN_POOL;
    }

    /// Names a pool by its key, which is written alike for both kinds.
    function _nameInfinityPool(LockedSwap memory swap, uint256 fee, bytes calldata more, address bought) internal pure {
        _nameCurrencies(swap, fee, bought);
        (swap.parameters, swap.key.hooks) = (infinityClPoolParameters(more), infinityClPoolHooks(more));
    }

    function _swapInInfinity(LockedSwap memory swap) internal returns (uint256, uint256) {
        InfinityKey memory key = InfinityKey({
            currency0: swap.key.currency0,
            currency1: swap.key.currency1,
            hooks: swap.key.hooks,
            poolManager: swap.manager,
            fee: swap.key.fee,
            parameters: bytes32(swap.parameters)
        });
        if (swap.venue == INFINITY_CL_POOL) {
            return _amountsOf(swap, IClPoolManager(swap.manager).swap(key, _paramsOf(swap), ""));
        }
        int128 amount = int128(-swap.amount);
        if (amount != -swap.amount) revert ExcessivePayment(uint128(type(int128).max), uint256(swap.amount));
        return _amountsOf(swap, IBinPoolManager(swap.manager).swap(key, swap.zeroForOne, amount, ""));
    }

    /// Pays the Vault and takes what the swap brings, native token too.
    function _settleInVault(LockedSwap memory swap, uint256 paid, uint256 bought) internal {
        nativeSource = openInfinity;
        _settleWith(IPoolManager(openInfinity), swap, paid, bought);
        nativeSource = address(0);
    }

    /// The Vault under whose lock a PoolManager's pools are traded.
    function _vaultOf(address manager) internal view returns (address) {
        return IClPoolManager(manager).vault();
    }
}
