// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IPoolManager, PoolKey} from "../src/venues/UniswapV4.sol";
import {DevnetLockDesk, IDeskHolder} from "./DevnetLockDesk.sol";

struct ModifyLiquidityParams {
    int24 tickLower;
    int24 tickUpper;
    int256 liquidityDelta;
    bytes32 salt;
}

interface IDeskManager is IPoolManager {
    function modifyLiquidity(PoolKey calldata key, ModifyLiquidityParams calldata params, bytes calldata hookData)
        external
        returns (int256 callerDelta, int256 feesAccrued);
}

/// Gives liquidity to, and swaps on, pools of Uniswap V4. For the devnet only: positions belong to the desk.
contract DevnetV4Desk is DevnetLockDesk {
    IDeskManager public immutable manager;

    constructor(IDeskManager manager_) {
        manager = manager_;
    }

    /// Adds liquidity, or takes it away where `liquidity` is below zero.
    function modify(PoolKey calldata key, int24 lower, int24 upper, int256 liquidity) external payable {
        bytes memory call =
            abi.encodeCall(IDeskManager.modifyLiquidity, (key, ModifyLiquidityParams(lower, upper, liquidity, 0), ""));
        _unlock(key, call);
    }

    /// `amount` above zero is sold, below zero bought.
    function swap(PoolKey calldata key, bool zeroForOne, int256 amount) external payable {
        _unlock(key, abi.encodeCall(IPoolManager.swap, (key, _paramsOf(zeroForOne, amount), "")));
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        require(msg.sender == address(manager), "not the manager");
        _runAndSettle(IDeskHolder(address(manager)), address(manager), data);
        return "";
    }

    function _unlock(PoolKey calldata key, bytes memory call) private {
        manager.unlock(abi.encode(msg.sender, key.currency0, key.currency1, call));
    }
}

/// Hooks that set a fee that moves and are called in no swap.
contract DevnetFeeHooks {
    function setFee(address manager, PoolKey calldata key, uint24 fee) external {
        IFeeSetter(manager).updateDynamicLPFee(key, fee);
    }
}

interface IFeeSetter {
    function updateDynamicLPFee(PoolKey calldata key, uint24 newDynamicLPFee) external;
}
