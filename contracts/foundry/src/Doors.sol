// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {Order, Permit2Transfer, Terms} from "../../src/Terms.sol";

/// What anybody may call of the gateway.
interface IGatewayDoor {
    function swap(Terms calldata terms, bytes calldata payload) external payable returns (uint256 bought);
    function swapByOrder(Order calldata order, bytes calldata payload) external payable returns (uint256 bought);
    function swapOrderWithApproval(Order calldata order, bytes calldata signature, bytes calldata payload)
        external
        returns (uint256 bought);
    function swapSignedOrder(Order calldata order, Permit2Transfer calldata permit, bytes calldata payload)
        external
        returns (uint256 bought);
    function pull(address to, uint256 amount) external;
    function seller() external view returns (address);
}

/// What anybody may call of the executor.
interface IExecutorDoor {
    function execute(address sellToken, uint256 sellAmount, address buyToken, address payTo, bytes calldata payload)
        external
        payable
        returns (uint256 made);
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
    function pancakeV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
    function algebraSwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
    function pangolinv3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
    function unlockCallback(bytes calldata data) external returns (bytes memory);
}

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function allowance(address owner, address spender) external view returns (uint256);
    function approve(address spender, uint256 amount) external returns (bool);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function mint(address to, uint256 amount) external;
}

interface IWrapped is IToken {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}
