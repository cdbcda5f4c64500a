// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20} from "@openzeppelin/contracts/interfaces/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {DevnetWooOracle} from "./DevnetWooOracle.sol";

/// A pool with the interface and the published formulas of WOOFi's WooPPV2: several tokens against one of quote, at an oracle's
/// price less its spread and less what the trade moves it by. It is its own helper that lists the tokens.
contract DevnetWooPool {
    using SafeERC20 for IERC20;

    event WooSwap(
        address indexed fromToken,
        address indexed toToken,
        uint256 fromAmount,
        uint256 toAmount,
        address from,
        address indexed to,
        address rebateTo,
        uint256 swapVol,
        uint256 swapFee
    );

    struct TokenInfo {
        uint192 reserve;
        uint16 feeRate;
        uint128 maxGamma;
        uint128 maxNotionalSwap;
    }

    struct Scales {
        uint256 price;
        uint256 quote;
        uint256 base;
    }

    uint256 private constant ONE = 1e18;
    uint256 private constant FEE_ONE = 1e5;

    address public immutable owner;
    address public immutable quoteToken;
    DevnetWooOracle public immutable wooracle;
    /// Whether both of two base tokens have half of the larger spread, as in one version, or each its own.
    bool private immutable halvesSpread;

    bool public paused;
    uint256 public unclaimedFee;
    mapping(address => TokenInfo) public tokenInfos;
    address[] private bases;

    constructor(address quoteToken_, DevnetWooOracle wooracle_, bool halvesSpread_, address owner_) {
        (quoteToken, wooracle, halvesSpread, owner) = (quoteToken_, wooracle_, halvesSpread_, owner_);
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "WooPPV2: !admin");
        _;
    }

    function pause(bool paused_) external onlyOwner {
        paused = paused_;
    }

    function list(address base) external onlyOwner {
        bases.push(base);
    }

    function setTokenInfo(address token, uint16 feeRate, uint128 maxGamma, uint128 maxNotionalSwap) external onlyOwner {
        TokenInfo storage info = tokenInfos[token];
        (info.feeRate, info.maxGamma, info.maxNotionalSwap) = (feeRate, maxGamma, maxNotionalSwap);
    }

    /// Counts what has been sent to it as its own.
    function sync(address token) external onlyOwner {
        tokenInfos[token].reserve = uint192(balance(token));
    }

    function getSupportTokens() external view returns (address, address[] memory) {
        return (quoteToken, bases);
    }

    function balance(address token) public view returns (uint256) {
        uint256 held = IERC20(token).balanceOf(address(this));
        return token == quoteToken ? held - unclaimedFee : held;
    }

    function tryQuery(address fromToken, address toToken, uint256 fromAmount) external view returns (uint256 paid) {
        require(!paused, "Pausable: paused");
        (paid,,,) = _worth(fromToken, toToken, fromAmount);
    }

    function swap(address fromToken, address toToken, uint256 fromAmount, uint256 least, address to, address rebateTo)
        external
        returns (uint256 paid)
    {
        require(!paused, "Pausable: paused");
        require(to != address(0), "WooPPV2: !to");
        require(balance(fromToken) - tokenInfos[fromToken].reserve >= fromAmount, "WooPPV2: !BASE");
        uint256 fee;
        (uint256 price1, uint256 price2) = (0, 0);
        (paid, fee, price1, price2) = _worth(fromToken, toToken, fromAmount);
        require(paid >= least, "WooPPV2: toAmount_LT_minToAmount");
        unclaimedFee += fee;
        if (fromToken != quoteToken) {
            wooracle.postPrice(fromToken, uint128(price1));
            tokenInfos[fromToken].reserve += uint192(fromAmount);
            tokenInfos[quoteToken].reserve -= uint192(toToken == quoteToken ? paid + fee : fee);
        } else {
            tokenInfos[quoteToken].reserve += uint192(fromAmount - fee);
        }
        if (toToken != quoteToken) {
            wooracle.postPrice(toToken, uint128(price2));
            tokenInfos[toToken].reserve -= uint192(paid);
        }
        IERC20(toToken).safeTransfer(to, paid);
        emit WooSwap(fromToken, toToken, fromAmount, paid, msg.sender, to, rebateTo, fromAmount, fee);
    }

    function _worth(address fromToken, address toToken, uint256 amount)
        private
        view
        returns (uint256 paid, uint256 fee, uint256 price1, uint256 price2)
    {
        require(fromToken != toToken, "WooPPV2: base1==base2");
        DevnetWooOracle.State memory state1;
        DevnetWooOracle.State memory state2;
        uint256 rate;
        if (fromToken != quoteToken) (state1, rate) = (wooracle.state(fromToken), tokenInfos[fromToken].feeRate);
        if (toToken != quoteToken) {
            state2 = wooracle.state(toToken);
            if (tokenInfos[toToken].feeRate > rate) rate = tokenInfos[toToken].feeRate;
        }
        if (halvesSpread && fromToken != quoteToken && toToken != quoteToken) {
            uint64 spread = (state1.spread > state2.spread ? state1.spread : state2.spread) / 2;
            (state1.spread, state2.spread) = (spread, spread);
        }
        uint256 quote = amount;
        if (fromToken != quoteToken) (quote, price1) = _quoteFor(fromToken, amount, state1);
        fee = quote * rate / FEE_ONE;
        paid = quote - fee;
        if (toToken != quoteToken) (paid, price2) = _baseFor(toToken, paid, state2);
    }

    function _quoteFor(address base, uint256 amount, DevnetWooOracle.State memory state)
        private
        view
        returns (uint256 paid, uint256 newPrice)
    {
        _check(state);
        Scales memory one = _scales(base);
        uint256 notional = amount * state.price * one.quote / one.base / one.price;
        require(notional <= tokenInfos[base].maxNotionalSwap, "WooPPV2: !maxNotionalValue");
        uint256 gamma = amount * state.price * state.coeff / one.price / one.base;
        require(gamma <= tokenInfos[base].maxGamma, "WooPPV2: !gamma");
        paid = amount * state.price * one.quote / one.price * (ONE - gamma - state.spread) / ONE / one.base;
        newPrice = (ONE - gamma) * state.price / ONE;
    }

    function _baseFor(address base, uint256 amount, DevnetWooOracle.State memory state)
        private
        view
        returns (uint256 paid, uint256 newPrice)
    {
        _check(state);
        Scales memory one = _scales(base);
        require(amount <= tokenInfos[base].maxNotionalSwap, "WooPPV2: !maxNotionalValue");
        uint256 gamma = amount * state.coeff / one.quote;
        require(gamma <= tokenInfos[base].maxGamma, "WooPPV2: !gamma");
        paid = amount * one.base * one.price / state.price * (ONE - gamma - state.spread) / ONE / one.quote;
        newPrice = ONE * state.price / (ONE - gamma);
    }

    function _check(DevnetWooOracle.State memory state) private pure {
        require(state.woFeasible, "WooPPV2: !ORACLE_FEASIBLE");
        require(state.price > 0, "WooPPV2: !ORACE_PRICE");
    }

    function _scales(address base) private view returns (Scales memory) {
        return Scales(
            10 ** wooracle.decimals(base),
            10 ** IERC20Metadata(quoteToken).decimals(),
            10 ** IERC20Metadata(base).decimals()
        );
    }
}
