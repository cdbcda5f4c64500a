// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {InvalidPayload, PartialFill} from "../Payload.sol";
import {TokenTransfers} from "../TokenTransfers.sol";
import {Trade, VenuePart} from "../VenuePart.sol";

interface IVault {
    function deposit(uint256 assets, address receiver) external returns (uint256 shares);
    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets);
    function mint(uint256 shares, address receiver) external returns (uint256 assets);
    function withdraw(uint256 assets, address receiver, address owner) external returns (uint256 shares);
    function previewMint(uint256 shares) external view returns (uint256 assets);
    function previewWithdraw(uint256 assets) external view returns (uint256 shares);
}

/// ERC-4626 vaults: into one for its shares, or out of it with them.
contract Erc4626Vaults is VenuePart {
    using TokenTransfers for address;

    function _sell(Trade calldata trade, bytes calldata) internal override returns (uint256 got) {
        (address vault, address sold, uint256 amount) = (trade.fill.poolOf(), trade.sold, trade.amount);
        _draw(trade, amount);
        if (sold == vault) return IVault(vault).redeem(amount, trade.to, address(this));
        if (trade.bought != vault) revert InvalidPayload();
        sold.approve(vault, amount);
        got = IVault(vault).deposit(amount, trade.to);
        _assertDrawn(sold, vault);
    }

    function _costOf(Trade calldata trade, bytes calldata) internal view override returns (uint256) {
        address vault = trade.fill.poolOf();
        if (trade.bought == vault) return IVault(vault).previewMint(trade.amount);
        if (trade.sold != vault) revert InvalidPayload();
        return IVault(vault).previewWithdraw(trade.amount);
    }

    /// What a vault asks for an exact output is exactly what its own preview says, or there is no swap.
    function _buy(Trade calldata trade, bytes calldata, uint256 cost) internal override {
        (address vault, address sold, uint256 amount) = (trade.fill.poolOf(), trade.sold, trade.amount);
        _draw(trade, cost);
        if (trade.bought == vault) {
            sold.approve(vault, cost);
            IVault(vault).mint(amount, trade.to);
            _assertDrawn(sold, vault);
        } else if (IVault(vault).withdraw(amount, trade.to, address(this)) != cost) {
            // A preview may be above what is burnt; what is not would stay here.
            revert PartialFill(vault);
        }
    }
}
