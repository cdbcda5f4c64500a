// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {DevnetStableMath} from "./DevnetStableMath.sol";

interface IPancakeStableswapToken {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

/// A stableswap pool, written from the documented formulas and with the interface of PancakeSwap's StableSwap: coins are
/// counted by uint256, and the native token stands under its stand-in address. Of Lista's kind it compares its price with an
/// oracle's after every exchange, by the sale of a hundred dollars' worth of each coin without a fee. The pool is its own oracle.
contract DevnetPancakeStableswap {
    uint256 private constant PRECISION = 1e18;
    uint256 private constant FEE_ONE = 1e10;
    uint256 private constant PROBE = 100e18;
    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    /// Whether it is of Lista's kind.
    bool private immutable checks;
    /// Units of the amplification that make one: 1 or 100.
    uint256 private immutable precision;
    uint256 public immutable fee;
    uint256 public immutable admin_fee;
    uint256 public initial_A;
    uint256 public future_A;
    uint256 public initial_A_time;
    uint256 public future_A_time;
    bool private _stopped;
    bool private _skips;
    address[] public coins;
    uint256[] public balances;
    uint256[2] private _prices;
    uint256[2] private _thresholds;

    constructor(bool checks_, uint256 precision_, address[] memory coins_, uint256 a, uint256 fee_) {
        (checks, precision, fee, admin_fee) = (checks_, precision_, fee_, FEE_ONE / 2);
        coins = coins_;
        for (uint256 i = 0; i < coins_.length; ++i) balances.push(0);
        (initial_A, future_A) = (a * precision_, a * precision_);
        (_prices, _thresholds) = ([PRECISION, PRECISION], [PRECISION, PRECISION]);
    }

    receive() external payable {}

    modifier checked() {
        require(checks, "no check here");
        _;
    }

    // ------------------------------------------------------------------------------------------------- views

    function N_COINS() external view returns (uint256) {
        return coins.length;
    }

    function A() external view returns (uint256) {
        return _a() / precision;
    }

    function A_PRECISION() external view returns (uint256) {
        require(precision != 1, "not here");
        return precision;
    }

    function is_killed() external view returns (bool) {
        require(!checks, "not here");
        return _stopped;
    }

    function paused() external view checked returns (bool) {
        return _stopped;
    }

    function price0DiffThreshold() external view checked returns (uint256) {
        return _thresholds[0];
    }

    function price1DiffThreshold() external view checked returns (uint256) {
        return _thresholds[1];
    }

    function skipPriceDiff() external view checked returns (bool) {
        return _skips;
    }

    function fetchOraclePrice() public view checked returns (uint256[2] memory) {
        require(_prices[0] != 0 && _prices[1] != 0, "no price");
        return _prices;
    }

    function get_dy(uint256 i, uint256 j, uint256 dx) external view returns (uint256) {
        uint256 dy = _withoutFee(i, j, dx);
        return dy - fee * dy / FEE_ONE;
    }

    function get_dy_without_fee(uint256 i, uint256 j, uint256 dx) external view checked returns (uint256) {
        return _withoutFee(i, j, dx);
    }

    function checkPriceDiff() public view checked {
        uint256[2] memory prices = fetchOraclePrice();
        for (uint256 i = 0; i < 2; ++i) {
            uint256 j = 1 - i;
            uint256 probe = PROBE * (PRECISION / _multiplier(j)) / prices[j];
            uint256 dy = _withoutFee(j, i, probe);
            uint256 price = probe * _multiplier(j) * prices[j] / (dy * _multiplier(i));
            uint256 off = price > prices[i] ? price - prices[i] : prices[i] - price;
            require(off * PRECISION <= prices[i] * _thresholds[i], "too far from the oracle");
        }
    }

    // ------------------------------------------------------------------------------------------- what is set

    function set_prices(uint256[2] calldata prices, uint256[2] calldata thresholds, bool skips) external {
        (_prices, _thresholds, _skips) = (prices, thresholds, skips);
    }

    function ramp_A(uint256 a, uint256 until) external {
        (initial_A, future_A) = (_a(), a * precision);
        (initial_A_time, future_A_time) = (block.timestamp, until);
    }

    function stop(bool stopped) external {
        _stopped = stopped;
    }

    /// Takes what was sent here beforehand as liquidity.
    function add() external {
        for (uint256 i = 0; i < coins.length; ++i) {
            balances[i] = coins[i] == NATIVE
                ? address(this).balance
                : IPancakeStableswapToken(coins[i]).balanceOf(address(this));
        }
    }

    // ---------------------------------------------------------------------------------------------- exchange

    function exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy) external payable {
        require(!_stopped, "stopped");
        require(msg.value == (coins[i] == NATIVE ? dx : 0), "not what is sold");
        uint256[] memory xp = _scaled();
        uint256 y = _balanceAt(i, j, xp[i] + dx * _multiplier(i), xp);
        uint256 gross = xp[j] - y - 1;
        uint256 taken = gross * fee / FEE_ONE;
        uint256 dy = (gross - taken) / _multiplier(j);
        require(dy >= minDy, "fewer than wanted");
        balances[i] += dx;
        balances[j] -= dy + taken * admin_fee / FEE_ONE / _multiplier(j);
        if (checks && !_skips) checkPriceDiff();
        if (coins[i] != NATIVE)
            _call(coins[i], abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, this, dx));
        if (coins[j] == NATIVE) {
            // No more gas goes along than the makers' pools give at first.
            (bool paid,) = msg.sender.call{value: dy, gas: 4029}("");
            require(paid, "transfer failed");
        } else {
            _call(coins[j], abi.encodeWithSignature("transfer(address,uint256)", msg.sender, dy));
        }
    }

    function _call(address token, bytes memory data) private {
        (bool done, bytes memory answer) = token.call(data);
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "transfer failed");
    }

    // ------------------------------------------------------------------------------------------------- curve

    function _withoutFee(uint256 i, uint256 j, uint256 dx) private view returns (uint256) {
        uint256[] memory xp = _scaled();
        uint256 y = _balanceAt(i, j, xp[i] + dx * _multiplier(i), xp);
        return (xp[j] - y - 1) / _multiplier(j);
    }

    function _balanceAt(uint256 i, uint256 j, uint256 x, uint256[] memory xp) private view returns (uint256 y) {
        // The formulas' amplification is in hundredths; in whole units they come out the same.
        uint256 ann = _a() * (100 / precision) * xp.length;
        uint256 d = DevnetStableMath.invariant(xp, ann, false);
        uint256 had = xp[i];
        xp[i] = x;
        y = DevnetStableMath.balanceFor(xp, j, d, ann);
        xp[i] = had;
    }

    function _scaled() private view returns (uint256[] memory xp) {
        xp = balances;
        for (uint256 k = 0; k < xp.length; ++k) xp[k] *= _multiplier(k);
    }

    function _multiplier(uint256 i) private view returns (uint256) {
        return coins[i] == NATIVE ? 1 : 10 ** (18 - IPancakeStableswapToken(coins[i]).decimals());
    }

    function _a() private view returns (uint256) {
        if (block.timestamp >= future_A_time) return future_A;
        uint256 passed = block.timestamp - initial_A_time;
        uint256 way = future_A_time - initial_A_time;
        return future_A > initial_A
            ? initial_A + (future_A - initial_A) * passed / way
            : initial_A - (initial_A - future_A) * passed / way;
    }
}
