// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IGateway} from "../ExecutorState.sol";
import {InvalidPayload} from "../Payload.sol";
import {TokenTransfers} from "../TokenTransfers.sol";
import {Trade, VenuePart} from "../VenuePart.sol";

/// The public interface of proprietary AMMs (lambdaclass/propamm-router-contracts, IPropAMM.sol; BAP-710 4.3).
interface IPropAmm {
    /// `until` is the last second, or the last block, that the swap may happen in: the two standards differ.
    function swap(address sold, address bought, uint256 amount, uint256 least, address to, uint256 until)
        external
        returns (uint256);
}

/// Contracts that set their prices themselves: sent what is sold before they are called, or drawing it by an approval.
contract PropAmms is VenuePart {
    using TokenTransfers for address;

    uint256 private constant IS_SENT = 0;
    uint256 private constant DRAWS = 1;
    /// The gateway holds the whole route to the taker's minimum.
    uint256 private constant LEAST = 1;

    /// Answers what arrived at `trade.to`, whatever the venue says.
    function _sell(Trade calldata trade, bytes calldata) internal override returns (uint256) {
        (address venue, address sold, uint256 amount) = (trade.fill.poolOf(), trade.sold, trade.amount);
        uint256 before = trade.bought.balanceOf(trade.to);
        if (trade.fill.detailOf() == IS_SENT) {
            if (trade.fromSeller) IGateway(trade.gateway).pull(venue, amount);
            else sold.send(venue, amount);
            _swap(trade, venue);
        } else {
            if (trade.fill.detailOf() != DRAWS) revert InvalidPayload();
            _draw(trade, amount);
            sold.approve(venue, amount);
            _swap(trade, venue);
            _assertDrawn(sold, venue);
        }
        return trade.bought.balanceOf(trade.to) - before;
    }

    /// This second is above every block's number, so that it is late enough by either standard.
    function _swap(Trade calldata trade, address venue) private {
        IPropAmm(venue).swap(trade.sold, trade.bought, trade.amount, LEAST, trade.to, block.timestamp + 1);
    }
}
