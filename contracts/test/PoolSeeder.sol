// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

interface ISeededV3Pool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function mint(address recipient, int24 lower, int24 upper, uint128 amount, bytes calldata data)
        external
        returns (uint256, uint256);
}

interface ISeedToken {
    function transfer(address to, uint256 amount) external returns (bool);
}

/// Adds liquidity to real V3 pools out of its own balances.
contract PoolSeeder {
    function seed(ISeededV3Pool pool, int24 lower, int24 upper, uint128 liquidity) external {
        pool.mint(address(this), lower, upper, liquidity, "");
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        if (amount0 > 0) ISeedToken(ISeededV3Pool(msg.sender).token0()).transfer(msg.sender, amount0);
        if (amount1 > 0) ISeedToken(ISeededV3Pool(msg.sender).token1()).transfer(msg.sender, amount1);
    }
}
