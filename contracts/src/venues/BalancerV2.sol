// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {PartialFill} from "../Payload.sol";
import {IERC20, TokenTransfers} from "../TokenTransfers.sol";
import {balancerV2PoolIdEnd, balancerV2PoolVault} from "../VenueCodes.sol";
import {Trade, VenuePart} from "../VenuePart.sol";

struct SingleSwap {
    bytes32 poolId;
    /// 0 gives the amount in, 1 the amount out.
    uint8 kind;
    address assetIn;
    address assetOut;
    uint256 amount;
    bytes userData;
}

struct BatchSwapStep {
    bytes32 poolId;
    uint256 assetInIndex;
    uint256 assetOutIndex;
    uint256 amount;
    bytes userData;
}

struct FundManagement {
    address sender;
    bool fromInternalBalance;
    address recipient;
    bool toInternalBalance;
}

interface IBalancerV2Vault {
    function swap(SingleSwap calldata singleSwap, FundManagement calldata funds, uint256 limit, uint256 deadline)
        external
        payable
        returns (uint256 amountCalculated);
    function queryBatchSwap(
        uint8 kind,
        BatchSwapStep[] calldata swaps,
        address[] calldata assets,
        FundManagement calldata funds
    ) external returns (int256[] memory assetDeltas);
}

/// Pools in a vault of Balancer V2, which draws what is sold.
contract BalancerV2 is VenuePart {
    using TokenTransfers for address;

    uint8 private constant GIVEN_IN = 0;
    uint8 private constant GIVEN_OUT = 1;

    function _sell(Trade calldata trade, bytes calldata more) internal override returns (uint256) {
        _draw(trade, trade.amount);
        return _swap(trade, more, GIVEN_IN, trade.amount);
    }

    /// The vault tries the swap and takes it back.
    function _costOf(Trade calldata trade, bytes calldata more) internal override returns (uint256) {
        address vault = balancerV2PoolVault(more);
        BatchSwapStep[] memory swaps = new BatchSwapStep[](1);
        swaps[0] = BatchSwapStep(_poolIdOf(trade, more), 0, 1, trade.amount, "");
        address[] memory assets = new address[](2);
        (assets[0], assets[1]) = (trade.sold, trade.bought);
        FundManagement memory funds = FundManagement(address(this), false, address(this), false);
        int256 cost = IBalancerV2Vault(vault).queryBatchSwap(GIVEN_OUT, swaps, assets, funds)[0];
        if (cost < 0) revert PartialFill(vault);
        return uint256(cost);
    }

    function _buy(Trade calldata trade, bytes calldata more, uint256 cost) internal override {
        _draw(trade, cost);
        _swap(trade, more, GIVEN_OUT, cost);
    }

    /// Sells or buys `trade.amount`; pays at most `most`, which is exactly what is drawn.
    function _swap(Trade calldata trade, bytes calldata more, uint8 kind, uint256 most)
        private
        returns (uint256 calculated)
    {
        (address vault, address sold) = (balancerV2PoolVault(more), trade.sold);
        SingleSwap memory singleSwap =
            SingleSwap(_poolIdOf(trade, more), kind, sold, trade.bought, trade.amount, "");
        FundManagement memory funds = FundManagement(address(this), false, trade.to, false);
        // Pools' own share tokens allow the vault everything anyway, and cannot be told otherwise.
        bool approves = IERC20(sold).allowance(address(this), vault) < most;
        if (approves) sold.approve(vault, most);
        uint256 limit = kind == GIVEN_IN ? 0 : most;
        calculated = IBalancerV2Vault(vault).swap(singleSwap, funds, limit, block.timestamp);
        if (approves) _assertDrawn(sold, vault);
        else if (kind == GIVEN_OUT && calculated != most) revert PartialFill(vault);
    }

    /// The id of a pool: its address, three bytes of detail, and nine after the vault's address.
    function _poolIdOf(Trade calldata trade, bytes calldata more) private pure returns (bytes32) {
        uint256 high = uint256(uint160(trade.fill.poolOf())) << 96;
        return bytes32(high | trade.fill.detailOf() << 72 | balancerV2PoolIdEnd(more));
    }
}
