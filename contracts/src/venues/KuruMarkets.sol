// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {PartialFill} from "../Payload.sol";
import {NATIVE_TOKEN, TokenTransfers} from "../TokenTransfers.sol";
import {kuruMarketMarket} from "../VenueCodes.sol";
import {Trade, VenuePart} from "../VenuePart.sol";

/// A market of Kuru.
interface IKuruMarket {
    /// `size` is in parts of the price precision here.
    function placeAndExecuteMarketBuy(uint96 size, uint256 least, bool ofMargin, bool orNothing)
        external
        payable
        returns (uint256);
    function placeAndExecuteMarketSell(uint96 size, uint256 least, bool ofMargin, bool orNothing)
        external
        payable
        returns (uint256);
}

/// Markets of Kuru: they draw what is sold into the margin account by an approval, or are sent native token along, and the margin
/// account pays who asks. A market counts in parts of a token: what is less than one of these goes to the margin account as well.
contract KuruMarkets is VenuePart {
    using TokenTransfers for address;

    uint256 private constant ONE_BYTE = 0xff;

    /// Answers what arrived, whatever the market says.
    function _sell(Trade calldata trade, bytes calldata more) internal override returns (uint256) {
        (address market, address sold, address bought) = (kuruMarketMarket(more), trade.sold, trade.bought);
        (uint96 size, uint256 counted) = _sizeOf(trade, market);
        uint256 before = bought.balanceOf(address(this));
        if (sold == NATIVE_TOKEN) {
            _trade(trade, market, size, trade.amount);
        } else {
            _draw(trade, trade.amount);
            sold.approve(market, counted);
            _trade(trade, market, size, 0);
            _assertDrawn(sold, market);
            if (counted != trade.amount) sold.send(trade.fill.poolOf(), trade.amount - counted);
        }
        return _passOn(bought, before, trade.to);
    }

    function _trade(Trade calldata trade, address market, uint96 size, uint256 value) private {
        if (trade.fill.detailOf() >> 16 != 0) {
            IKuruMarket(market).placeAndExecuteMarketSell{value: value}(size, 0, false, true);
        } else {
            IKuruMarket(market).placeAndExecuteMarketBuy{value: value}(size, 0, false, true);
        }
    }

    /// Whole parts in what is sold, and what the market draws for them.
    function _sizeOf(Trade calldata trade, address market) private pure returns (uint96, uint256) {
        uint256 detail = trade.fill.detailOf();
        (uint256 unit, uint256 precision) = (10 ** (detail >> 8 & ONE_BYTE), 10 ** (detail & ONE_BYTE));
        uint256 size = trade.amount * precision / unit;
        if (size > type(uint96).max) revert PartialFill(market);
        return (uint96(size), size * unit / precision);
    }
}
