// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {DevnetMaverickPool, MaverickTerms} from "./DevnetMaverickPool.sol";

/// Makes pools of Maverick V2's kind and announces them as its factory does.
contract DevnetMaverickFactory {
    event PoolCreated(
        address poolAddress,
        uint8 protocolFeeRatio,
        uint256 feeAIn,
        uint256 feeBIn,
        uint256 tickSpacing,
        uint256 lookback,
        int32 activeTick,
        address tokenA,
        address tokenB,
        uint8 kinds,
        address accessor
    );

    mapping(address pool => bool) public isFactoryPool;

    /// The scales are worked out here.
    function create(MaverickTerms memory terms) external returns (address pool) {
        require(terms.tokenA < terms.tokenB, "out of order");
        (terms.tokenAScale, terms.tokenBScale) = (_scaleOf(terms.tokenA), _scaleOf(terms.tokenB));
        pool = address(new DevnetMaverickPool(terms));
        announce(pool, terms);
    }

    /// Takes for its own a pool that another code made.
    function announce(address pool, MaverickTerms memory terms) public {
        isFactoryPool[pool] = true;
        emit PoolCreated(
            pool,
            0,
            terms.feeAIn,
            terms.feeBIn,
            terms.tickSpacing,
            terms.lookback,
            terms.activeTick,
            terms.tokenA,
            terms.tokenB,
            terms.kinds,
            terms.accessor
        );
    }

    function _scaleOf(address token) private view returns (uint256) {
        return 10 ** (18 - IERC20Metadata(token).decimals());
    }
}
