// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {TokenTransfers} from "../TokenTransfers.sol";
import {AQUA_ORDER_BYTES, aquaOrderDataLength, aquaOrderMaker, aquaOrderTraits} from "../VenueCodes.sol";
import {Trade, VenuePart} from "../VenuePart.sol";

/// An order of the SwapVM: whose tokens it trades, how, and by which program.
struct AquaOrder {
    address maker;
    uint256 traits;
    bytes data;
}

/// 1inch's router for strategies that makers have shipped to Aqua.
interface IAquaRouter {
    function swap(
        AquaOrder calldata order,
        address tokenIn,
        address tokenOut,
        uint256 amount,
        bytes calldata takerTraitsAndData
    ) external returns (uint256 amountIn, uint256 amountOut, bytes32 orderHash);

    function quote(
        AquaOrder calldata order,
        address tokenIn,
        address tokenOut,
        uint256 amount,
        bytes calldata takerTraitsAndData
    ) external returns (uint256 amountIn, uint256 amountOut, bytes32 orderHash);
}

/// Strategies of Aqua, whose router draws what is sold by an approval and has the maker's wallet pay.
contract AquaOrders is VenuePart {
    using TokenTransfers for address;

    /// Flags of the taker: an exact input, and that the router draws and pays in what is sold.
    uint16 private constant EXACT_IN = 0x0041;
    uint16 private constant EXACT_OUT = 0x0040;
    /// Ends of the slices of the taker's bytes, two bytes each from the tenth to the first: all are of the receiver, the second.
    bytes20 private constant SLICES = hex"0014001400140014001400140014001400140000";

    /// Answers what arrived at `trade.to`, whatever the router says.
    function _sell(Trade calldata trade, bytes calldata more) internal override returns (uint256) {
        uint256 before = trade.bought.balanceOf(trade.to);
        _swap(trade, more, trade.amount, EXACT_IN);
        return trade.bought.balanceOf(trade.to) - before;
    }

    function _costOf(Trade calldata trade, bytes calldata more) internal override returns (uint256 cost) {
        (cost,,) = IAquaRouter(trade.fill.poolOf()).quote(
            _orderOf(more), trade.sold, trade.bought, trade.amount, _takerOf(trade, EXACT_OUT)
        );
    }

    function _buy(Trade calldata trade, bytes calldata more, uint256 cost) internal override {
        _swap(trade, more, cost, EXACT_OUT);
    }

    /// Has the router draw exactly `drawn`.
    function _swap(Trade calldata trade, bytes calldata more, uint256 drawn, uint16 flags) private {
        address router = trade.fill.poolOf();
        _draw(trade, drawn);
        trade.sold.approve(router, drawn);
        IAquaRouter(router).swap(_orderOf(more), trade.sold, trade.bought, trade.amount, _takerOf(trade, flags));
        _assertDrawn(trade.sold, router);
    }

    function _takerOf(Trade calldata trade, uint16 flags) private pure returns (bytes memory) {
        return abi.encodePacked(SLICES, flags, trade.to);
    }

    function _orderOf(bytes calldata more) private pure returns (AquaOrder memory) {
        bytes calldata data = more[AQUA_ORDER_BYTES:AQUA_ORDER_BYTES + aquaOrderDataLength(more)];
        return AquaOrder(aquaOrderMaker(more), aquaOrderTraits(more), data);
    }
}
