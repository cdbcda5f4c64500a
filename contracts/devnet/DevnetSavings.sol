// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/interfaces/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// An ERC-4626 vault with the formulas of Sky's savings: a share is worth `chi`, which grows by the factor `ssr` each second
/// and is written down by the first trade of a block. All with 27 digits after the point. It pays out of what it holds.
contract DevnetSavings is ERC20 {
    using SafeERC20 for IERC20;

    uint256 private constant RAY = 1e27;

    IERC20 public immutable asset;
    address public immutable owner;

    uint192 public chi;
    uint64 public rho;
    uint256 public ssr;

    constructor(IERC20 asset_, string memory name_, string memory symbol_, address owner_) ERC20(name_, symbol_) {
        (asset, owner) = (asset_, owner_);
        (chi, rho, ssr) = (uint192(RAY), uint64(block.timestamp), RAY);
    }

    /// From `rho_` on a share is worth `chi_` and grows by `ssr_`.
    function set(uint192 chi_, uint64 rho_, uint256 ssr_) external {
        require(msg.sender == owner, "not the owner");
        (chi, rho, ssr) = (chi_, rho_, ssr_);
    }

    /// Writes the rate of now down.
    function drip() public returns (uint256 rate) {
        rate = _rate();
        if (block.timestamp > rho) (chi, rho) = (uint192(rate), uint64(block.timestamp));
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = assets * RAY / drip();
        _enter(assets, shares, receiver);
    }

    function mint(uint256 shares, address receiver) external returns (uint256 assets) {
        assets = _up(shares * drip(), RAY);
        _enter(assets, shares, receiver);
    }

    function redeem(uint256 shares, address receiver, address holder) external returns (uint256 assets) {
        assets = shares * drip() / RAY;
        _leave(assets, shares, receiver, holder);
    }

    function withdraw(uint256 assets, address receiver, address holder) external returns (uint256 shares) {
        shares = _up(assets * RAY, drip());
        _leave(assets, shares, receiver, holder);
    }

    function previewDeposit(uint256 assets) external view returns (uint256) {
        return assets * RAY / _rate();
    }

    function previewMint(uint256 shares) external view returns (uint256) {
        return _up(shares * _rate(), RAY);
    }

    function previewRedeem(uint256 shares) external view returns (uint256) {
        return shares * _rate() / RAY;
    }

    function previewWithdraw(uint256 assets) external view returns (uint256) {
        return _up(assets * RAY, _rate());
    }

    function _enter(uint256 assets, uint256 shares, address receiver) private {
        asset.safeTransferFrom(msg.sender, address(this), assets);
        _mint(receiver, shares);
    }

    function _leave(uint256 assets, uint256 shares, address receiver, address holder) private {
        if (holder != msg.sender) _spendAllowance(holder, msg.sender, shares);
        _burn(holder, shares);
        asset.safeTransfer(receiver, assets);
    }

    function _rate() private view returns (uint256) {
        return block.timestamp > rho ? _power(ssr, block.timestamp - rho) * chi / RAY : chi;
    }

    /// By squaring, each product rounded to the nearest.
    function _power(uint256 base, uint256 exponent) private pure returns (uint256 result) {
        result = exponent % 2 == 0 ? RAY : base;
        for (exponent /= 2; exponent != 0; exponent /= 2) {
            base = (base * base + RAY / 2) / RAY;
            if (exponent % 2 != 0) result = (result * base + RAY / 2) / RAY;
        }
    }

    function _up(uint256 a, uint256 b) private pure returns (uint256) {
        return a == 0 ? 0 : (a - 1) / b + 1;
    }
}
