// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IClPoolManager, IInfinityVault, InfinityKey} from "../src/venues/Infinity.sol";
import {ClLiquidityParams} from "./DevnetClManager.sol";
import {DevnetLockDesk, IDeskHolder} from "./DevnetLockDesk.sol";

interface IDeskClManager is IClPoolManager {
    function modifyLiquidity(InfinityKey calldata key, ClLiquidityParams calldata params, bytes calldata hookData)
        external
        returns (int256 delta, int256 feeDelta);
}

/// Gives liquidity to, and swaps on, pools of PancakeSwap Infinity. For the devnet only: positions belong to the desk.
contract DevnetInfinityDesk is DevnetLockDesk {
    IDeskClManager public immutable manager;
    address public immutable vault;

    constructor(IDeskClManager manager_) {
        manager = manager_;
        vault = manager_.vault();
    }

    /// Adds liquidity, or takes it away where `liquidity` is below zero.
    function modify(InfinityKey calldata key, int24 lower, int24 upper, int256 liquidity) external payable {
        ClLiquidityParams memory params = ClLiquidityParams(lower, upper, liquidity, 0);
        _lock(key, abi.encodeCall(IDeskClManager.modifyLiquidity, (key, params, "")));
    }

    /// `amount` above zero is sold, below zero bought.
    function swap(InfinityKey calldata key, bool zeroForOne, int256 amount) external payable {
        _lock(key, abi.encodeCall(IClPoolManager.swap, (key, _paramsOf(zeroForOne, amount), "")));
    }

    function lockAcquired(bytes calldata data) external returns (bytes memory) {
        require(msg.sender == vault, "not the vault");
        _runAndSettle(IDeskHolder(vault), address(manager), data);
        return "";
    }

    function _lock(InfinityKey calldata key, bytes memory call) private {
        IInfinityVault(vault).lock(abi.encode(msg.sender, key.currency0, key.currency1, call));
    }
}

/// Hooks that set a fee that moves and are called in no swap.
contract DevnetClFeeHooks {
    function setFee(IClFeeSetter manager, InfinityKey calldata key, uint24 fee) external {
        manager.updateDynamicLPFee(key, fee);
    }

    /// Which of its functions are called: none.
    function getHooksRegistrationBitmap() external pure returns (uint16) {
        return 0;
    }
}

interface IClFeeSetter {
    function updateDynamicLPFee(InfinityKey calldata key, uint24 newDynamicLPFee) external;
}
