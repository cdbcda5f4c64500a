// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {DevnetFluidLiquidity} from "./DevnetFluidLiquidity.sol";
import {DevnetFluidPool} from "./DevnetFluidPool.sol";

/// A factory of such pools that numbers them, and the views of Fluid's DexReservesResolver, in one.
contract DevnetFluidFactory {
    event LogDexDeployed(address indexed dex, uint256 indexed dexId);

    DevnetFluidLiquidity public immutable liquidity;
    address[] private dexes;

    constructor(DevnetFluidLiquidity liquidity_) {
        liquidity = liquidity_;
    }

    function deployDex(address one, address other) external returns (address dex) {
        dex = address(new DevnetFluidPool(liquidity, one, other, msg.sender));
        dexes.push(dex);
        emit LogDexDeployed(dex, dexes.length);
    }

    function totalDexes() external view returns (uint256) {
        return dexes.length;
    }

    function getDexAddress(uint256 id) external view returns (address) {
        return dexes[id - 1];
    }

    function getPoolTokens(address dex) external view returns (address, address) {
        return (DevnetFluidPool(payable(dex)).token0(), DevnetFluidPool(payable(dex)).token1());
    }

    function getDexPricesAndExchangePrices(address dex) external view returns (uint256[9] memory) {
        return DevnetFluidPool(payable(dex)).pricesNow();
    }
}
