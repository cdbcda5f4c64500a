// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/interfaces/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// A token that stands for another at a rate which its owner reports, with the interface of Lido's wstETH. It answers the
/// two totals of the rate as well, which with Lido are functions of stETH. `wrap` and `unwrap` draw from their caller and
/// pay their caller; both round down.
contract DevnetRateToken is ERC20 {
    using SafeERC20 for IERC20;

    event Reported(uint256 pooled, uint256 shares);

    IERC20 public immutable stETH;
    address public immutable owner;
    uint8 private immutable _decimals;

    uint256 public getTotalPooledEther;
    uint256 public getTotalShares;

    constructor(IERC20 underlying, string memory name_, string memory symbol_, uint8 decimals_, address owner_)
        ERC20(name_, symbol_)
    {
        (stETH, owner, _decimals) = (underlying, owner_, decimals_);
        (getTotalPooledEther, getTotalShares) = (1e24, 1e24);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    /// From now on `shares` of this token are worth `pooled` of the other. Whoever raises the rate sends what it promises.
    function report(uint256 pooled, uint256 shares) external {
        require(msg.sender == owner && pooled != 0 && shares != 0, "not the owner, or no rate");
        (getTotalPooledEther, getTotalShares) = (pooled, shares);
        emit Reported(pooled, shares);
    }

    function wrap(uint256 amount) external returns (uint256 made) {
        require(amount > 0, "nothing to wrap");
        made = getWstETHByStETH(amount);
        _mint(msg.sender, made);
        stETH.safeTransferFrom(msg.sender, address(this), amount);
    }

    function unwrap(uint256 amount) external returns (uint256 paid) {
        require(amount > 0, "nothing to unwrap");
        paid = getStETHByWstETH(amount);
        _burn(msg.sender, amount);
        stETH.safeTransfer(msg.sender, paid);
    }

    function getWstETHByStETH(uint256 amount) public view returns (uint256) {
        return amount * getTotalShares / getTotalPooledEther;
    }

    function getStETHByWstETH(uint256 amount) public view returns (uint256) {
        return amount * getTotalPooledEther / getTotalShares;
    }

    function stEthPerToken() external view returns (uint256) {
        return getStETHByWstETH(1 ether);
    }

    function tokensPerStEth() external view returns (uint256) {
        return getWstETHByStETH(1 ether);
    }
}
