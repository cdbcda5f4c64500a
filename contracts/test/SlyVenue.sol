// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {AquaOrder} from "../src/venues/AquaOrders.sol";
import {FundManagement, SingleSwap, BatchSwapStep} from "../src/venues/BalancerV2.sol";
import {PlainToken} from "./PlainToken.sol";

interface IMaverickPayer {
    function maverickV2SwapCallback(address sold, uint256 amountIn, uint256 amountOut, bytes calldata data) external;
}

/// Every venue that draws what is sold or burns what is its own, one to one between a token of others and its own shares,
/// or between two tokens: honest until it is told to take a little less than it was sold, to ask for a little more than it
/// takes, or to call somebody in the middle of a trade.
contract SlyVenue is PlainToken {
    PlainToken private immutable sold;
    PlainToken private immutable bought;
    uint256 public constant tin = 0;
    uint256 public constant tout = 0;
    uint256 public constant to18ConversionFactor = 1;
    /// What it leaves undrawn or unburnt.
    uint256 private left;
    address private callee;
    bytes private callData;
    bool public called;
    bool public succeeded;
    bytes public answer;

    constructor(PlainToken sold_, PlainToken bought_) {
        (sold, bought) = (sold_, bought_);
    }

    function leave(uint256 left_) external {
        left = left_;
    }

    function callDuringTrade(address callee_, bytes calldata callData_) external {
        (callee, callData) = (callee_, callData_);
    }

    // As the exchange proxy of 0x v4: the last word of fillRfqOrder is the amount that is filled.

    fallback() external {
        require(msg.sig == 0xaa77476c);
        uint256 amount = uint256(bytes32(msg.data[4 + 14 * 32:]));
        _draw(sold, amount);
        bought.transfer(msg.sender, amount);
    }

    // As a Curve pool, with shares of its own.

    function exchange(int128, int128, uint256 amount, uint256) external {
        _draw(sold, amount);
        bought.transfer(msg.sender, amount);
    }

    function exchange(uint256, uint256, uint256 amount, uint256) external {
        _draw(sold, amount);
        bought.transfer(msg.sender, amount);
    }

    function exchange_underlying(int128, int128, uint256 amount, uint256) external {
        _draw(sold, amount);
        bought.transfer(msg.sender, amount);
    }

    function add_liquidity(uint256[] calldata amounts, uint256) external {
        _draw(sold, amounts[0]);
        balanceOf[msg.sender] += amounts[0];
    }

    function add_liquidity(uint256[2] calldata amounts, uint256) external {
        _draw(sold, amounts[0]);
        balanceOf[msg.sender] += amounts[0];
    }

    function remove_liquidity_one_coin(uint256 amount, int128, uint256) external {
        _burn(amount);
        bought.transfer(msg.sender, amount);
    }

    // As an ERC-4626 vault of `sold`.

    function deposit(uint256 assets, address receiver) external returns (uint256) {
        _draw(sold, assets);
        balanceOf[receiver] += assets;
        return assets;
    }

    function mint(uint256 shares, address receiver) external returns (uint256) {
        _draw(sold, shares);
        balanceOf[receiver] += shares;
        return shares;
    }

    function redeem(uint256 shares, address receiver, address) external returns (uint256) {
        _burn(shares);
        sold.transfer(receiver, shares);
        return shares;
    }

    /// ERC-4626 lets a preview be above what is burnt.
    function withdraw(uint256 assets, address receiver, address) external returns (uint256) {
        _burn(assets);
        sold.transfer(receiver, assets);
        return assets;
    }

    function previewMint(uint256 shares) external pure returns (uint256) {
        return shares;
    }

    function previewWithdraw(uint256 assets) external view returns (uint256) {
        return assets + left;
    }

    // As a token at a rate, and as a price stability module with `sold` for gem.

    function wrap(uint256 amount) external {
        _draw(sold, amount);
        balanceOf[msg.sender] += amount;
    }

    function unwrap(uint256 amount) external {
        _burn(amount);
        sold.transfer(msg.sender, amount);
    }

    function sellGem(address to, uint256 amount) external {
        _draw(sold, amount);
        bought.transfer(to, amount);
    }

    function buyGem(address to, uint256 amount) external {
        _draw(bought, amount);
        sold.transfer(to, amount);
    }

    // As the router of Aqua: the taker's bytes end in who is paid.

    function swap(AquaOrder calldata, address sold_, address bought_, uint256 amount, bytes calldata taker)
        external
        returns (uint256, uint256, bytes32)
    {
        _draw(PlainToken(sold_), amount);
        PlainToken(bought_).transfer(address(bytes20(taker[taker.length - 20:])), amount);
        return (amount, amount, bytes32(0));
    }

    function quote(AquaOrder calldata, address, address, uint256 amount, bytes calldata)
        external
        pure
        returns (uint256, uint256, bytes32)
    {
        return (amount, amount, bytes32(0));
    }

    // As a proprietary AMM that draws what is sold.

    function swap(address sold_, address bought_, uint256 amount, uint256, address to, uint256)
        external
        returns (uint256)
    {
        _draw(PlainToken(sold_), amount);
        PlainToken(bought_).transfer(to, amount);
        return amount;
    }

    // As a pool of Fluid's, of which it is the Liquidity layer as well.

    error FluidDexSwapResult(uint256 amount);

    function swapIn(bool swap0to1, uint256 amount, uint256, address to) external returns (uint256) {
        _draw(swap0to1 ? sold : bought, amount);
        (swap0to1 ? bought : sold).transfer(to, amount);
        return amount;
    }

    function swapOut(bool swap0to1, uint256 amount, uint256, address to) external returns (uint256) {
        if (to == address(0xdEaD)) revert FluidDexSwapResult(amount);
        _draw(swap0to1 ? sold : bought, amount);
        (swap0to1 ? bought : sold).transfer(to, amount);
        return amount;
    }

    // As a market of Kuru, whose base token is what is sold first here.

    function placeAndExecuteMarketSell(uint96 size, uint256, bool, bool) external returns (uint256) {
        _draw(sold, size);
        bought.transfer(msg.sender, size);
        return size;
    }

    function placeAndExecuteMarketBuy(uint96 size, uint256, bool, bool) external returns (uint256) {
        _draw(bought, size);
        sold.transfer(msg.sender, size);
        return size;
    }

    // As a vault of Balancer V2.

    function swap(SingleSwap calldata singleSwap, FundManagement calldata funds, uint256, uint256)
        external
        returns (uint256)
    {
        _draw(PlainToken(singleSwap.assetIn), singleSwap.amount);
        PlainToken(singleSwap.assetOut).transfer(funds.recipient, singleSwap.amount);
        return singleSwap.amount;
    }

    function queryBatchSwap(uint8, BatchSwapStep[] calldata swaps, address[] calldata, FundManagement calldata)
        external
        view
        returns (int256[] memory deltas)
    {
        deltas = new int256[](2);
        (deltas[0], deltas[1]) = (int256(swaps[0].amount + left), -int256(swaps[0].amount));
    }

    // As a pair of bins, paid before it is called. Of both tokens together it has thousands of units before a trade.

    function getSwapIn(uint128 amount, bool) external pure returns (uint128, uint128, uint128) {
        return (amount, 0, 0);
    }

    /// Says that it pays all of it, whatever it leaves.
    function swap(bool sellsSold, address to) external returns (bytes32) {
        uint256 amount = (sold.balanceOf(address(this)) + bought.balanceOf(address(this))) % 1_000e18;
        _call();
        (sellsSold ? bought : sold).transfer(to, amount - left);
        return bytes32(sellsSold ? amount << 128 : amount);
    }

    // As pools that are paid before they are called: WOOFi's, and DODO V2's, which count what has come in.

    function swap(address, address bought_, uint256 amount, uint256, address to, address) external returns (uint256) {
        _call();
        PlainToken(bought_).transfer(to, amount - left);
        return amount;
    }

    function sellBase(address to) external returns (uint256) {
        return _sellPaid(bought, to);
    }

    function sellQuote(address to) external returns (uint256) {
        return _sellPaid(sold, to);
    }

    /// As a pool of EulerSwap, whose quote is one to one.
    function computeQuote(address, address, uint256 amount, bool) external pure returns (uint256) {
        return amount;
    }

    function swap(uint256 amount0, uint256 amount1, address to, bytes calldata) external {
        _call();
        (PlainToken token0, PlainToken token1) = address(sold) < address(bought) ? (sold, bought) : (bought, sold);
        (amount0 == 0 ? token1 : token0).transfer(to, amount0 + amount1 - left);
    }

    // As a pool of Maverick V2, whose token A is what is sold first here.

    struct MaverickParams {
        uint256 amount;
        bool tokenAIn;
        bool exactOutput;
        int32 tickLimit;
    }

    /// Says that it pays all of it, whatever it leaves; with `data` it asks who calls for its payment.
    function swap(address to, MaverickParams calldata params, bytes calldata data) external returns (uint256, uint256) {
        _call();
        (params.tokenAIn ? bought : sold).transfer(to, params.amount - left);
        if (data.length != 0) {
            IMaverickPayer(msg.sender).maverickV2SwapCallback(address(sold), params.amount, params.amount, data);
        }
        return (params.amount, params.amount);
    }

    /// As `swap` of a pair of bins.
    function _sellPaid(PlainToken token, address to) private returns (uint256 amount) {
        amount = (sold.balanceOf(address(this)) + bought.balanceOf(address(this))) % 1_000e18;
        _call();
        token.transfer(to, amount - left);
    }

    function _draw(PlainToken token, uint256 amount) private {
        _call();
        token.transferFrom(msg.sender, address(this), amount - left);
    }

    function _burn(uint256 amount) private {
        _call();
        balanceOf[msg.sender] -= amount - (msg.sig == this.withdraw.selector ? 0 : left);
    }

    function _call() private {
        if (callee == address(0)) return;
        called = true;
        (succeeded, answer) = callee.call(callData);
    }
}
