// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {DevnetSolidlyPool} from "./DevnetSolidlyPool.sol";

/// A factory of Solidly-kind pools with the interface of Velodrome V2: two pools at most between two tokens, fees by
/// kind or by pool, and a switch that stops all swaps.
contract DevnetSolidlyFactory {
    event PoolCreated(
        address indexed token0, address indexed token1, bool indexed stable, address pool, uint256 count
    );
    event SetCustomFee(address indexed pool, uint256 fee);
    event SetPauseState(bool indexed state);

    /// As a pool's own fee this stands for none at all, since zero stands for the fee of its kind.
    uint256 public constant ZERO_FEE_INDICATOR = 420;
    uint256 public constant MAX_FEE = 300;

    address public immutable feeManager;
    bool public isPaused;
    uint256 public stableFee = 5;
    uint256 public volatileFee = 30;
    mapping(address pool => uint256) public customFee;
    mapping(address => mapping(address => mapping(bool => address))) public getPool;
    uint256 public allPoolsLength;

    constructor() {
        feeManager = msg.sender;
    }

    modifier onlyManager() {
        require(msg.sender == feeManager, "not the fee manager");
        _;
    }

    function createPool(address a, address b, bool stable) external returns (address pool) {
        require(a != b, "same token");
        (address token0, address token1) = a < b ? (a, b) : (b, a);
        require(getPool[a][b][stable] == address(0), "pool exists");
        pool = address(new DevnetSolidlyPool(token0, token1, stable));
        getPool[token0][token1][stable] = pool;
        getPool[token1][token0][stable] = pool;
        emit PoolCreated(token0, token1, stable, pool, ++allPoolsLength);
    }

    function getFee(address pool, bool stable) external view returns (uint256) {
        uint256 own = customFee[pool];
        if (own == ZERO_FEE_INDICATOR) return 0;
        if (own != 0) return own;
        return stable ? stableFee : volatileFee;
    }

    function setFee(bool stable, uint256 fee) external onlyManager {
        require(fee != 0 && fee <= MAX_FEE, "fee out of range");
        if (stable) stableFee = fee;
        else volatileFee = fee;
    }

    function setCustomFee(address pool, uint256 fee) external onlyManager {
        require(fee <= MAX_FEE || fee == ZERO_FEE_INDICATOR, "fee out of range");
        customFee[pool] = fee;
        emit SetCustomFee(pool, fee);
    }

    function setPauseState(bool state) external onlyManager {
        isPaused = state;
        emit SetPauseState(state);
    }
}
