// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {InvalidPayload} from "../Payload.sol";
import {TokenTransfers} from "../TokenTransfers.sol";
import {
    RFQ_ORDER_BYTES,
    rfqOrderArgumentsLength,
    rfqOrderMakerAmount,
    rfqOrderTakerAmount
} from "../VenueCodes.sol";
import {Trade, VenuePart} from "../VenuePart.sol";

/// Orders that makers sign for contracts of their own, which draw what is sold from here and pay here. No call is free: the
/// detail picks one of the functions below, a token or a contract of ours has none of them, and one word of the maker's
/// arguments, the amount that is filled, is written here.
contract RfqOrders is VenuePart {
    using TokenTransfers for address;

    /// A maker's contract paid less than its order says.
    error Underpaid(address maker, uint256 promised, uint256 paid);

    uint256 private constant SELECTOR = 4;
    uint256 private constant WORD = 32;
    uint256 private constant MOST_OF_REASON = 1024;

    function _sell(Trade calldata trade, bytes calldata more) internal override returns (uint256 got) {
        got = _fill(trade, more, trade.amount);
        if (trade.to != address(this)) trade.bought.send(trade.to, got);
    }

    function _costOf(Trade calldata trade, bytes calldata more) internal pure override returns (uint256) {
        uint256 makerAmount = rfqOrderMakerAmount(more);
        return (trade.amount * rfqOrderTakerAmount(more) + makerAmount - 1) / makerAmount;
    }

    /// What rounding brings beyond `trade.amount` is the seller's.
    function _buy(Trade calldata trade, bytes calldata more, uint256 cost) internal override {
        uint256 got = _fill(trade, more, cost);
        if (trade.to != address(this)) trade.bought.send(trade.to, trade.amount);
        if (got != trade.amount) _giveBack(trade, trade.bought, got - trade.amount);
    }

    /// Has the maker's contract draw exactly `amount`; answers what arrived here, which is the order's part of it at least.
    function _fill(Trade calldata trade, bytes calldata more, uint256 amount) private returns (uint256 got) {
        address maker = trade.fill.poolOf();
        uint256 promised = amount * rfqOrderMakerAmount(more) / rfqOrderTakerAmount(more);
        bytes memory call_ = _callOf(trade, more, amount);
        _draw(trade, amount);
        uint256 before = trade.bought.balanceOf(address(this));
        trade.sold.approve(maker, amount);
        _call(maker, call_);
        _assertDrawn(trade.sold, maker);
        got = trade.bought.balanceOf(address(this)) - before;
        if (got < promised) revert Underpaid(maker, promised, got);
    }

    /// The function's selector, and the arguments as the maker gave them, but for the amount that is filled.
    function _callOf(Trade calldata trade, bytes calldata more, uint256 amount)
        private
        pure
        returns (bytes memory call_)
    {
        (bytes4 selector, uint256 word) = _functionOf(trade.fill.detailOf() >> 16);
        uint256 length = rfqOrderArgumentsLength(more);
        if (length < WORD * (word + 1)) revert InvalidPayload();
        call_ = abi.encodePacked(selector, more[RFQ_ORDER_BYTES:RFQ_ORDER_BYTES + length]);
        uint256 at = WORD + SELECTOR + WORD * word;
        assembly ("memory-safe") {
            mstore(add(call_, at), amount)
        }
    }

    /// The selectors of the functions, and which word of their arguments says how much of the taker's token is filled.
    function _functionOf(uint256 number) private pure returns (bytes4 selector, uint256 word) {
        // 0x v4: fillRfqOrder(RfqOrder, Signature, uint128 takerTokenFillAmount)
        if (number == 0) return (0xaa77476c, 14);
        // 0x v4: fillOtcOrder(OtcOrder, Signature, uint128 takerTokenFillAmount)
        if (number == 1) return (0xdac748d4, 12);
        // BebopBlend: swapSingle(Single, MakerSignature, uint256 filledTakerAmount)
        if (number == 2) return (0x4dcebcba, 12);
        // Hashflow: tradeRFQT(RFQTQuote), effectiveBaseTokenAmount
        if (number == 3) return (0xc52ac720, 7);
        revert InvalidPayload();
    }

    /// Solidity's own call would copy whatever the contract answers.
    function _call(address maker, bytes memory call_) private {
        assembly ("memory-safe") {
            if iszero(call(gas(), maker, 0, add(call_, 32), mload(call_), 0, 0)) {
                let size := returndatasize()
                if gt(size, MOST_OF_REASON) { size := MOST_OF_REASON }
                let reason := mload(0x40)
                returndatacopy(reason, 0, size)
                revert(reason, size)
            }
        }
    }
}
