// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20} from "@openzeppelin/contracts/interfaces/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// A proprietary AMM with the public interface: a ladder of prices around a middle that its owner posts, with every block where
/// it likes, out of what the contract holds. The owner can switch it off, and have it break its word.
contract DevnetPropAmm {
    using SafeERC20 for IERC20;

    event Swapped(
        address indexed sender,
        address indexed tokenIn,
        address indexed tokenOut,
        uint256 amountIn,
        uint256 amountOut,
        address recipient
    );

    struct TokenPair {
        address token0;
        address token1;
    }

    /// What a swap does beside what was quoted.
    enum Manner {
        Honest,
        PaysLess,
        Reverts,
        QuotesMore
    }

    error Inactive();
    error TooLarge();
    error TooLate();
    error Unpaid();
    error BelowMinimum();
    error NotTheOwner();

    uint256 private constant ONE = 1e18;
    /// Each level is as large as all before it, and pays so many parts of a million less.
    uint256 private constant LEVELS = 6;
    uint256 private constant STEP_PPM = 900;

    address public immutable owner;
    address public immutable token0;
    address public immutable token1;
    /// Whether it draws what is sold by an allowance, or is sent it before it is called.
    bool public immutable draws;
    /// Sold of token 0, or about as much bought of it, at the best level.
    uint256 public immutable firstLevel;

    /// Of token 1 for one base unit of token 0, in parts of 10^18.
    uint256 public middle;
    /// The last block in which that is good.
    uint256 public lastBlock;
    bool public active = true;
    Manner public manner;
    mapping(address => uint256) private reserves;

    constructor(address token0_, address token1_, bool draws_, uint256 middle_, uint256 firstLevel_, address owner_) {
        (token0, token1, draws, owner) = token0_ < token1_
            ? (token0_, token1_, draws_, owner_)
            : (token1_, token0_, draws_, owner_);
        (middle, firstLevel, lastBlock) = (middle_, firstLevel_, type(uint256).max);
    }

    function set(bool active_, Manner manner_) external {
        if (msg.sender != owner) revert NotTheOwner();
        (active, manner) = (active_, manner_);
    }

    function post(uint256 middle_, uint256 lastBlock_) external {
        if (msg.sender != owner) revert NotTheOwner();
        (middle, lastBlock) = (middle_, lastBlock_);
    }

    /// Counts what has been sent to it as its own.
    function sync() external {
        (reserves[token0], reserves[token1]) =
            (IERC20(token0).balanceOf(address(this)), IERC20(token1).balanceOf(address(this)));
    }

    function getPairs() external view returns (TokenPair[] memory pairs) {
        pairs = new TokenPair[](1);
        pairs[0] = TokenPair(token0, token1);
    }

    function isActive(address tokenIn, address tokenOut) public view returns (bool) {
        return active && block.number <= lastBlock
            && ((tokenIn == token0 && tokenOut == token1) || (tokenIn == token1 && tokenOut == token0));
    }

    function quote(address tokenIn, address tokenOut, uint256 amountIn) public view returns (uint256 amountOut) {
        amountOut = _worth(tokenIn, tokenOut, amountIn);
        if (manner == Manner.QuotesMore) amountOut += amountOut / 50;
    }

    function swap(
        address tokenIn,
        address tokenOut,
        uint256 amountIn,
        uint256 minAmountOut,
        address recipient,
        uint256 deadline
    ) external returns (uint256 amountOut) {
        if (manner == Manner.Reverts) revert Inactive();
        if (block.timestamp > deadline) revert TooLate();
        if (draws) IERC20(tokenIn).safeTransferFrom(msg.sender, address(this), amountIn);
        amountOut = _worth(tokenIn, tokenOut, amountIn);
        if (IERC20(tokenIn).balanceOf(address(this)) < reserves[tokenIn] + amountIn) revert Unpaid();
        if (manner == Manner.PaysLess) amountOut -= amountOut / 100;
        if (amountOut < minAmountOut) revert BelowMinimum();
        IERC20(tokenOut).safeTransfer(recipient, amountOut);
        reserves[tokenIn] = IERC20(tokenIn).balanceOf(address(this));
        reserves[tokenOut] = IERC20(tokenOut).balanceOf(address(this));
        emit Swapped(msg.sender, tokenIn, tokenOut, amountIn, amountOut, recipient);
    }

    function _worth(address tokenIn, address tokenOut, uint256 amountIn) private view returns (uint256 paid) {
        if (!isActive(tokenIn, tokenOut)) revert Inactive();
        bool sells0 = tokenIn == token0;
        uint256 rate = sells0 ? middle : ONE * ONE / middle;
        uint256 size = sells0 ? firstLevel : firstLevel * middle / ONE;
        uint256 left = amountIn;
        uint256 kept = 1_000_000 - STEP_PPM;
        for (uint256 level = 0; level < LEVELS && left != 0; ++level) {
            uint256 part = left < size ? left : size;
            paid += part * rate / ONE * kept / 1_000_000;
            left -= part;
            if (level != 0) size *= 2;
            kept -= STEP_PPM;
        }
        if (left != 0 || paid > IERC20(tokenOut).balanceOf(address(this))) revert TooLarge();
    }
}
