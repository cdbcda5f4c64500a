// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IPoolManager, PoolKey, SwapParams} from "../src/venues/UniswapV4.sol";

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

interface IV4DeskToken {
    function transferFrom(address from, address to, uint256 amount) external;
}

/// Gives liquidity to, and swaps on, pools of Uniswap V4. What is owed comes from the caller: tokens by approval, native
/// token with the call, and what is left of that stays here. For the devnet only: positions belong to the desk.
contract DevnetV4Desk {
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    IDeskManager public immutable manager;

    constructor(IDeskManager manager_) {
        manager = manager_;
    }

    receive() external payable {}

    /// Adds liquidity, or takes it away where `liquidity` is below zero.
    function modify(PoolKey calldata key, int24 lower, int24 upper, int256 liquidity) external payable {
        bytes memory call =
            abi.encodeCall(IDeskManager.modifyLiquidity, (key, ModifyLiquidityParams(lower, upper, liquidity, 0), ""));
        manager.unlock(abi.encode(msg.sender, key, call));
    }

    /// `amount` above zero is sold, below zero bought.
    function swap(PoolKey calldata key, bool zeroForOne, int256 amount) external payable {
        SwapParams memory params = SwapParams(zeroForOne, -amount, zeroForOne ? LOWEST : HIGHEST);
        manager.unlock(abi.encode(msg.sender, key, abi.encodeCall(IPoolManager.swap, (key, params, ""))));
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        require(msg.sender == address(manager), "not the manager");
        (address payer, PoolKey memory key, bytes memory call) = abi.decode(data, (address, PoolKey, bytes));
        (bool done, bytes memory answer) = address(manager).call(call);
        assembly ("memory-safe") {
            if iszero(done) { revert(add(answer, 32), mload(answer)) }
        }
        int256 delta;
        assembly ("memory-safe") {
            delta := mload(add(answer, 32))
        }
        _settle(payer, key.currency0, delta >> 128);
        _settle(payer, key.currency1, int128(delta));
        return "";
    }

    function _settle(address payer, address currency, int256 delta) private {
        if (delta > 0) manager.take(currency, payer, uint256(delta));
        if (delta >= 0) return;
        manager.sync(currency);
        if (currency == address(0)) {
            manager.settle{value: uint256(-delta)}();
            return;
        }
        IV4DeskToken(currency).transferFrom(payer, address(manager), uint256(-delta));
        manager.settle();
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
