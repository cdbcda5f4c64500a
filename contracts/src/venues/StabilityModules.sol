// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {TokenTransfers} from "../TokenTransfers.sol";
import {Trade, VenuePart} from "../VenuePart.sol";

/// MakerDAO's DssLitePsm, and what is like it.
interface IPsm {
    function sellGem(address usr, uint256 gemAmt) external;
    function buyGem(address usr, uint256 gemAmt) external;
    function tin() external view returns (uint256);
    function tout() external view returns (uint256);
    function to18ConversionFactor() external view returns (uint256);
}

/// Price stability modules: detail 1 sells gem to one, 0 buys gem from it. Gem comes in units only.
contract StabilityModules is VenuePart {
    using TokenTransfers for address;

    uint256 private constant WAD = 1e18;
    uint256 private constant BUYS_GEM = 0;

    /// What is too little for one more unit of gem stays with the seller.
    function _sell(Trade calldata trade, bytes calldata) internal override returns (uint256 gem) {
        (address psm, uint256 amount) = (trade.fill.poolOf(), trade.amount);
        if (trade.fill.detailOf() != BUYS_GEM) {
            _draw(trade, amount);
            return _sellGem(trade, amount, trade.to);
        }
        uint256 cost;
        (gem, cost) = _gemFor(psm, amount);
        _draw(trade, cost);
        if (!trade.fromSeller && cost != amount) _giveBack(trade, trade.sold, amount - cost);
        _buyGem(trade, cost, gem);
    }

    function _costOf(Trade calldata trade, bytes calldata) internal view override returns (uint256) {
        (address psm, uint256 amount) = (trade.fill.poolOf(), trade.amount);
        return trade.fill.detailOf() == BUYS_GEM ? _costOfGem(psm, amount) : _gemThatBrings(psm, amount);
    }

    function _buy(Trade calldata trade, bytes calldata, uint256 cost) internal override {
        (address bought, uint256 amount) = (trade.bought, trade.amount);
        _draw(trade, cost);
        if (trade.fill.detailOf() == BUYS_GEM) {
            _buyGem(trade, cost, amount);
            return;
        }
        // What the last unit of gem brings beyond `amount` is the seller's.
        uint256 got = _sellGem(trade, cost, address(this));
        if (trade.to != address(this)) bought.send(trade.to, amount);
        if (got != amount) _giveBack(trade, bought, got - amount);
    }

    /// The most gem that `dai` pays for, and what that costs.
    function _gemFor(address psm, uint256 dai) private view returns (uint256 gem, uint256 cost) {
        uint256 fee = IPsm(psm).tout();
        uint256 unit = IPsm(psm).to18ConversionFactor();
        gem = ((dai + 1) * WAD - 1) / (WAD + fee) / unit;
        cost = gem * unit;
        cost += cost * fee / WAD;
    }

    /// What `gem` costs in dai.
    function _costOfGem(address psm, uint256 gem) private view returns (uint256 cost) {
        cost = gem * IPsm(psm).to18ConversionFactor();
        cost += cost * IPsm(psm).tout() / WAD;
    }

    /// The least gem that brings `dai`.
    function _gemThatBrings(address psm, uint256 dai) private view returns (uint256) {
        uint256 unit = IPsm(psm).to18ConversionFactor();
        uint256 gross = (dai - 1) * WAD / (WAD - IPsm(psm).tin()) + 1;
        return (gross + unit - 1) / unit;
    }

    /// Sells `gem` for dai.
    function _sellGem(Trade calldata trade, uint256 gem, address to) private returns (uint256) {
        (address psm, address sold, address bought) = (trade.fill.poolOf(), trade.sold, trade.bought);
        uint256 before = bought.balanceOf(to);
        sold.approve(psm, gem);
        IPsm(psm).sellGem(to, gem);
        _assertDrawn(sold, psm);
        return bought.balanceOf(to) - before;
    }

    /// Buys `gem` for `cost` of dai.
    function _buyGem(Trade calldata trade, uint256 cost, uint256 gem) private {
        (address psm, address sold) = (trade.fill.poolOf(), trade.sold);
        sold.approve(psm, cost);
        IPsm(psm).buyGem(trade.to, gem);
        _assertDrawn(sold, psm);
    }
}
