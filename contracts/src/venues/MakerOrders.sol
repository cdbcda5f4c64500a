// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IGateway} from "../ExecutorState.sol";
import {IOrderSettlement, MakerOrder} from "../MakerOrder.sol";
import {TokenTransfers} from "../TokenTransfers.sol";
import {
    MAKER_ORDER_BYTES,
    makerOrderExpiry,
    makerOrderMaker,
    makerOrderMakerAmount,
    makerOrderMinTakerAmount,
    makerOrderNonce,
    makerOrderRefillable,
    makerOrderSignatureLength,
    makerOrderTakerAmount
} from "../VenueCodes.sol";
import {Trade, VenuePart} from "../VenuePart.sol";

/// Makers' orders, which the order settlement fills with what it is sent.
contract MakerOrders is VenuePart {
    using TokenTransfers for address;

    /// Where an order's signature begins.
    uint256 private constant SIGNATURE = MAKER_ORDER_BYTES;

    function _sell(Trade calldata trade, bytes calldata more) internal override returns (uint256 got) {
        MakerOrder memory order = _orderOf(trade, more);
        got = trade.amount * order.makerAmount / order.takerAmount;
        _pay(trade, trade.amount);
        IOrderSettlement(trade.fill.poolOf()).fill(order, _signatureOf(more), trade.amount, got, trade.to);
    }

    function _costOf(Trade calldata trade, bytes calldata more) internal pure override returns (uint256) {
        uint256 makerAmount = makerOrderMakerAmount(more);
        return (trade.amount * makerOrderTakerAmount(more) + makerAmount - 1) / makerAmount;
    }

    function _buy(Trade calldata trade, bytes calldata more, uint256 cost) internal override {
        if (trade.fill.destinationOf() == 0) _pay(trade, cost);
        MakerOrder memory order = _orderOf(trade, more);
        IOrderSettlement(trade.fill.poolOf()).fill(order, _signatureOf(more), cost, trade.amount, trade.to);
    }

    function _pay(Trade calldata trade, uint256 amount) private {
        if (trade.fromSeller) IGateway(trade.gateway).pull(trade.fill.poolOf(), amount);
        else trade.sold.send(trade.fill.poolOf(), amount);
    }

    /// The order with what is known here: only this contract may fill it, and only for who swaps.
    function _orderOf(Trade calldata trade, bytes calldata more) private view returns (MakerOrder memory) {
        return MakerOrder({
            maker: makerOrderMaker(more),
            taker: address(this),
            trader: IGateway(trade.gateway).seller(),
            makerToken: trade.bought,
            takerToken: trade.sold,
            makerAmount: uint128(makerOrderMakerAmount(more)),
            takerAmount: uint128(makerOrderTakerAmount(more)),
            minTakerAmount: uint128(makerOrderMinTakerAmount(more)),
            expiry: uint64(makerOrderExpiry(more)),
            nonce: makerOrderNonce(more),
            refillable: makerOrderRefillable(more) != 0
        });
    }

    function _signatureOf(bytes calldata more) private pure returns (bytes calldata) {
        return more[SIGNATURE:SIGNATURE + makerOrderSignatureLength(more)];
    }
}
