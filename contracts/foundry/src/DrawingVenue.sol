// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {NATIVE_TOKEN, TokenTransfers} from "../../src/TokenTransfers.sol";
import {PlainToken} from "../../test/PlainToken.sol";
import {IToken} from "./Doors.sol";
import {Mischief} from "./Mischief.sol";

/// The half of a venue of every kind that draws what it is sold, or burns shares of its own: pools of Curve's kind,
/// ERC-4626 vaults, tokens at a rate, stability modules. It is its own share token.
abstract contract DrawingVenue is PlainToken, Mischief {
    using TokenTransfers for address;

    address public immutable token0;
    address public immutable token1;

    /// What it asks for, pays out and says beside what is due; what it previews beside what it will ask for.
    int256 internal asked;
    int256 internal paid;
    int256 internal said;
    int256 internal previewed;
    uint256 public tin;
    uint256 public tout;
    uint256 public to18ConversionFactor = 1;

    constructor(address token0_, address token1_) {
        (token0, token1) = (token0_, token1_);
    }

    receive() external payable {}

    function lie(int256 asked_, int256 paid_, int256 said_, int256 previewed_) external {
        (asked, paid, said, previewed) = (asked_, paid_, said_, previewed_);
    }

    function charge(uint256 tin_, uint256 tout_, uint256 unit) external {
        (tin, tout, to18ConversionFactor) = (tin_, tout_, unit);
    }

    // ------------------------------------------------------------------------------------------------------- Curve's

    function exchange(int128 i, int128 j, uint256 amount, uint256 least) external payable {
        _isOpenToAny(least);
        _exchange(uint128(i), uint128(j), amount);
    }

    function exchange(uint256 i, uint256 j, uint256 amount, uint256 least) external {
        _isOpenToAny(least);
        _exchange(i, j, amount);
    }

    function exchange_underlying(int128 i, int128 j, uint256 amount, uint256 least) external {
        _isOpenToAny(least);
        _exchange(uint128(i), uint128(j), amount);
    }

    function add_liquidity(uint256[] calldata amounts, uint256 least) external payable {
        _isOpenToAny(least);
        _add(amounts[0], amounts[1]);
    }

    function add_liquidity(uint256[2] calldata amounts, uint256 least) external payable {
        _isOpenToAny(least);
        _add(amounts[0], amounts[1]);
    }

    function add_liquidity(uint256[3] calldata amounts, uint256 least) external payable {
        _isOpenToAny(least);
        _add(amounts[0], amounts[1]);
    }

    function add_liquidity(uint256[4] calldata amounts, uint256 least) external payable {
        _isOpenToAny(least);
        _add(amounts[0], amounts[1]);
    }

    function remove_liquidity_one_coin(uint256 amount, int128 i, uint256 least) external {
        _isOpenToAny(least);
        _burn(amount);
        _pay(_coin(uint128(i)), msg.sender, amount);
    }

    // ------------------------------------------------------------------------------------------- vaults, of token 0

    function deposit(uint256 assets, address receiver) external returns (uint256) {
        _draw(token0, assets);
        balanceOf[receiver] += _biased(assets, paid);
        return _biased(assets, said);
    }

    function mint(uint256 shares, address receiver) external returns (uint256) {
        _draw(token0, shares);
        balanceOf[receiver] += _biased(shares, paid);
        return shares;
    }

    function redeem(uint256 shares, address receiver, address) external returns (uint256) {
        _burn(shares);
        _pay(token0, receiver, shares);
        return _biased(shares, said);
    }

    function withdraw(uint256 assets, address receiver, address) external returns (uint256) {
        _burn(assets);
        _pay(token0, receiver, assets);
        return _biased(assets, asked);
    }

    function previewMint(uint256 shares) public view virtual returns (uint256) {
        return _biased(shares, previewed);
    }

    function previewWithdraw(uint256 assets) external view returns (uint256) {
        return _biased(assets, previewed);
    }

    function asset() external view returns (address) {
        return token0;
    }

    // ----------------------------------------------------------------------- tokens at a rate, and stability modules

    function wrap(uint256 amount) external {
        _draw(token0, amount);
        balanceOf[msg.sender] += _biased(amount, paid);
    }

    function unwrap(uint256 amount) external {
        _burn(amount);
        _pay(token0, msg.sender, amount);
    }

    /// Gem is token 0, dai token 1.
    function sellGem(address to, uint256 gem) external {
        _draw(token0, gem);
        uint256 gross = gem * to18ConversionFactor;
        _pay(token1, to, gross - gross * tin / 1e18);
    }

    function buyGem(address to, uint256 gem) external {
        uint256 gross = gem * to18ConversionFactor;
        _draw(token1, gross + gross * tout / 1e18);
        _pay(token0, to, gem);
    }

    // ---------------------------------------------------------------------------- proprietary AMMs, sent it or drawing it

    function swap(address sold, address bought, uint256 amount, uint256, address to, uint256 until)
        external
        returns (uint256)
    {
        require(until == block.timestamp + 1, "another last second");
        if (PlainToken(sold).allowance(msg.sender, address(this)) == 0) _makeMischief();
        else _draw(sold, amount);
        _pay(bought, to, amount);
        return _biased(amount, said);
    }

    // ----------------------------------------------------------------------------- Fluid's pools, native token sent along

    error FluidDexSwapResult(uint256 amount);

    function swapIn(bool swap0to1, uint256 amountIn, uint256 least, address to) external payable returns (uint256) {
        _isOpenToAny(least);
        _swapFluid(swap0to1, amountIn, to);
        return _biased(amountIn, said);
    }

    function swapOut(bool swap0to1, uint256 amountOut, uint256 most, address to) external payable returns (uint256) {
        if (to == address(0xdEaD)) {
            _isOpenToAny(most);
            revert FluidDexSwapResult(_biased(amountOut, previewed));
        }
        _swapFluid(swap0to1, amountOut, to);
        return _biased(amountOut, said);
    }

    function _swapFluid(bool swap0to1, uint256 amount, address to) private {
        _draw(msg.value != 0 ? NATIVE_TOKEN : swap0to1 ? token0 : token1, amount);
        _pay(swap0to1 ? token1 : token0, to, amount);
    }

    // ----------------------- markets of Kuru, of token 0 in token 1 or in native token, which are their margin account

    function placeAndExecuteMarketSell(uint96 size, uint256 least, bool ofMargin, bool orNothing)
        external
        payable
        returns (uint256)
    {
        return _trade(token0, token1, size, least, !ofMargin && orNothing);
    }

    function placeAndExecuteMarketBuy(uint96 size, uint256 least, bool ofMargin, bool orNothing)
        external
        payable
        returns (uint256)
    {
        return _trade(msg.value == 0 ? token1 : NATIVE_TOKEN, token0, size, least, !ofMargin && orNothing);
    }

    function _trade(address sold, address bought, uint256 amount, uint256 least, bool isWhole)
        private
        returns (uint256)
    {
        _isOpenToAny(least);
        require(isWhole, "of a margin, or in part");
        _draw(sold, amount);
        _pay(bought, msg.sender, amount);
        return _biased(amount, said);
    }

    // ------------------------------------------------------------------------------------------------ what all share

    /// The gateway alone holds a route to its minimum.
    function _isOpenToAny(uint256 limit) internal pure {
        require(limit == 0, "a limit of its own");
    }

    function _coin(uint256 index) internal view returns (address) {
        return index == 0 ? token0 : index == 1 ? token1 : NATIVE_TOKEN;
    }

    function _exchange(uint256 i, uint256 j, uint256 amount) private {
        _draw(_coin(i), amount);
        _pay(_coin(j), msg.sender, amount);
    }

    function _add(uint256 amount0, uint256 amount1) private {
        if (amount0 != 0) _draw(token0, amount0);
        if (amount1 != 0) _draw(token1, amount1);
        balanceOf[msg.sender] += _biased(amount0 + amount1, paid);
    }

    function _draw(address token, uint256 amount) internal {
        _makeMischief();
        if (token == NATIVE_TOKEN) return;
        IToken(token).transferFrom(msg.sender, address(this), _biased(amount, asked));
    }

    function _burn(uint256 amount) internal {
        _makeMischief();
        balanceOf[msg.sender] -= _biased(amount, asked);
    }

    function _pay(address token, address to, uint256 amount) internal {
        token.send(to, _biased(amount, paid));
    }

    /// Never below zero.
    function _biased(uint256 amount, int256 bias) internal pure returns (uint256) {
        if (bias >= 0) return amount + uint256(bias);
        return amount > uint256(-bias) ? amount - uint256(-bias) : 0;
    }

    function _passOn(bytes memory reason) internal pure {
        assembly ("memory-safe") {
            revert(add(reason, 32), mload(reason))
        }
    }
}
