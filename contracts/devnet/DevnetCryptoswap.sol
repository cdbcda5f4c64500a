// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {DevnetCryptoMath} from "./DevnetCryptoMath.sol";

interface ICryptoswapToken {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

/// A pool of two or three tokens of unlike value, written from the documented formulas and with the interface of
/// twocrypto-NG and tricrypto-NG. Exchanges are theirs to the unit and use about their gas; how far the internal price
/// follows the market afterwards is simpler here (half the way to the last price, where the profit allows it) and nobody's
/// to foresee. Liquidity is given once and for all and belongs to nobody.
contract DevnetCryptoswap {
    event TokenExchange(
        address indexed buyer,
        uint256 sold_id,
        uint256 tokens_sold,
        uint256 bought_id,
        uint256 tokens_bought,
        uint256 fee,
        uint256 packed_price_scale
    );
    event RampAgamma(
        uint256 initial_A, uint256 future_A, uint256 initial_gamma, uint256 future_gamma, uint256 from, uint256 until
    );

    uint256 private constant ONE = 1e18;
    uint256 private constant FEE_ONE = 1e10;

    address public immutable owner;
    uint256 public mid_fee;
    uint256 public out_fee;
    uint256 public fee_gamma;

    /// Packed as theirs: A in the upper half, gamma in the lower.
    uint256 public initial_A_gamma;
    uint256 public future_A_gamma;
    uint256 public initial_A_gamma_time;
    uint256 public future_A_gamma_time;

    uint256 public D;
    uint256 public totalSupply;
    uint256 public virtual_price;
    /// What shares have earned, when tokens were last exchanged and for what price: kept as they do it, with no use here.
    uint256 public xcp_profit;
    uint256 public last_timestamp;
    uint256[3] private _lastPrices;
    /// Of as many tokens as there are; the price of the first one is one.
    uint256[3] public balances;
    uint256[3] private _prices;

    uint256 private immutable _count;
    address private immutable _coin0;
    address private immutable _coin1;
    address private immutable _coin2;
    uint256 private immutable _precision0;
    uint256 private immutable _precision1;
    uint256 private immutable _precision2;

    constructor(address owner_, address[] memory coins_, uint256 a, uint256 g, uint256[3] memory fees) {
        owner = owner_;
        (mid_fee, out_fee, fee_gamma) = (fees[0], fees[1], fees[2]);
        initial_A_gamma = future_A_gamma = a << 128 | g;
        _count = coins_.length;
        (_coin0, _coin1, _coin2) = (coins_[0], coins_[1], coins_[coins_.length - 1]);
        _precision0 = _precisionOf(_coin0);
        _precision1 = _precisionOf(_coin1);
        _precision2 = _precisionOf(_coin2);
    }

    function _precisionOf(address coin) private view returns (uint256) {
        return 10 ** (18 - ICryptoswapToken(coin).decimals());
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    /// The internal price; three tokens have two, each with its number.
    function price_scale() external view returns (uint256) {
        require(_count == 2, "which price");
        return _prices[1];
    }

    function price_scale(uint256 k) external view returns (uint256) {
        require(_count == 3, "there is only one");
        return _prices[k + 1];
    }

    function coins(uint256 i) public view returns (address) {
        return i == 0 ? _coin0 : i == 1 ? _coin1 : _coin2;
    }

    function A() external view returns (uint256 a) {
        (a,) = _amplification();
    }

    function gamma() external view returns (uint256 g) {
        (, g) = _amplification();
    }

    /// What was sent here beforehand becomes the pool's only liquidity, at these internal prices.
    function add(uint256[] calldata prices) external onlyOwner {
        _prices[0] = ONE;
        for (uint256 k = 0; k < prices.length; ++k) _prices[k + 1] = prices[k];
        for (uint256 i = 0; i < _count; ++i) balances[i] = ICryptoswapToken(coins(i)).balanceOf(address(this));
        (uint256 a, uint256 g) = _amplification();
        D = DevnetCryptoMath.invariant(a, g, _scaled(), 0);
        totalSupply = _worth(D, 0, ONE);
        virtual_price = xcp_profit = ONE;
    }

    function ramp_A_gamma(uint256 a, uint256 g, uint256 until) external onlyOwner {
        (uint256 fromA, uint256 fromGamma) = _amplification();
        initial_A_gamma = fromA << 128 | fromGamma;
        future_A_gamma = a << 128 | g;
        (initial_A_gamma_time, future_A_gamma_time) = (block.timestamp, until);
        emit RampAgamma(fromA, a, fromGamma, g, block.timestamp, until);
    }

    function set_fees(uint256 mid, uint256 out, uint256 bend) external onlyOwner {
        (mid_fee, out_fee, fee_gamma) = (mid, out, bend);
    }

    function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy) external returns (uint256) {
        return _exchange(i, j, dx, min_dy, msg.sender);
    }

    function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy, address receiver) external returns (uint256) {
        return _exchange(i, j, dx, min_dy, receiver);
    }

    function get_dy(uint256 i, uint256 j, uint256 dx) external view returns (uint256 dy) {
        uint256[] memory xp = _scaled();
        (uint256 a, uint256 g) = _amplification();
        uint256 d = future_A_gamma_time > block.timestamp ? DevnetCryptoMath.invariant(a, g, xp, 0) : D;
        xp[i] = (balances[i] + dx) * _scale(i) / ONE;
        (dy,,) = _quote(xp, a, g, d, j);
    }

    function _exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy, address receiver)
        private
        returns (uint256 dy)
    {
        require(i != j && dx != 0, "nothing to exchange");
        (uint256 a, uint256 g) = _amplification();
        uint256[] memory xp = _scaled();
        if (future_A_gamma_time > block.timestamp) D = DevnetCryptoMath.invariant(a, g, xp, 0);
        balances[i] += dx;
        xp[i] = balances[i] * _scale(i) / ONE;
        uint256 fee;
        uint256 k0;
        (dy, fee, k0) = _quote(xp, a, g, D, j);
        require(dy >= min_dy, "fewer than wanted");
        balances[j] -= dy;
        xp[j] = balances[j] * _scale(j) / ONE;
        _settle(a, g, xp, k0, i, j, dx, dy);
        _call(coins(i), abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, this, dx));
        _call(coins(j), abi.encodeWithSignature("transfer(address,uint256)", receiver, dy));
        emit TokenExchange(msg.sender, i, dx, j, dy, fee, _prices[1]);
    }

    /// What is paid for token j, the fee in it, and K0. `xp` is what the pool would hold, and gets its balance of j.
    function _quote(uint256[] memory xp, uint256 a, uint256 g, uint256 d, uint256 j)
        private
        view
        returns (uint256 dy, uint256 fee, uint256 k0)
    {
        uint256 y;
        (y, k0) = DevnetCryptoMath.balance(a, g, xp, d, j);
        dy = xp[j] - y - 1;
        xp[j] = y;
        if (j > 0) dy = dy * ONE / _prices[j];
        dy /= _precision(j);
        fee = _fee(xp) * dy / FEE_ONE;
        dy -= fee;
    }

    /// The invariant after an exchange, and the internal price half way to the last one where shares stay worth more.
    function _settle(
        uint256 a,
        uint256 g,
        uint256[] memory xp,
        uint256 k0,
        uint256 i,
        uint256 j,
        uint256 dx,
        uint256 dy
    ) private {
        uint256 d = DevnetCryptoMath.invariant(a, g, xp, k0);
        uint256 worth = ONE * _worth(d, 0, ONE) / totalSupply;
        uint256 before = virtual_price;
        if (future_A_gamma_time < block.timestamp) require(worth > before, "Loss");
        (xcp_profit, last_timestamp) = (xcp_profit * worth / before, block.timestamp);
        if (i * j == 0) {
            uint256 which = i + j;
            uint256 old = _prices[which];
            uint256 last = i == 0
                ? dx * _precision0 * ONE / (dy * _precision(j))
                : dy * _precision0 * ONE / (dx * _precision(i));
            _lastPrices[which] = last;
            uint256 next = (old + last) / 2;
            if (next <= old + old / 50 && next >= old - old / 50) {
                xp[which] = balances[which] * (_precision(which) * next) / ONE;
                uint256 moved = DevnetCryptoMath.invariant(a, g, xp, 0);
                uint256 after_ = ONE * _worth(moved, which, next) / totalSupply;
                if (2 * after_ > worth + ONE) (_prices[which], d, worth) = (next, moved, after_);
            }
        }
        (D, virtual_price) = (d, worth);
    }

    function _fee(uint256[] memory xp) private view returns (uint256) {
        uint256 sum = xp[0] + xp[1];
        uint256 k;
        if (xp.length == 2) {
            k = 4 * ONE * xp[0] / sum * xp[1] / sum;
        } else {
            sum += xp[2];
            k = ONE * 3 * xp[0] / sum * 3 * xp[1] / sum * 3 * xp[2] / sum;
        }
        uint256 low = fee_gamma * ONE / (fee_gamma + ONE - k);
        return (mid_fee * low + out_fee * (ONE - low)) / ONE;
    }

    /// The worth of shares at an invariant, with another price of one token than the pool's.
    function _worth(uint256 d, uint256 other, uint256 price) private view returns (uint256) {
        uint256 n = _count;
        uint256[] memory x = new uint256[](n);
        x[0] = d / n;
        for (uint256 k = 1; k < n; ++k) x[k] = d * ONE / (n * (k == other ? price : _prices[k]));
        return DevnetCryptoMath.geometricMean(x);
    }

    function _precision(uint256 i) private view returns (uint256) {
        return i == 0 ? _precision0 : i == 1 ? _precision1 : _precision2;
    }

    function _scale(uint256 i) private view returns (uint256) {
        return i == 0 ? _precision0 * ONE : _precision(i) * _prices[i];
    }

    function _scaled() private view returns (uint256[] memory xp) {
        xp = new uint256[](_count);
        for (uint256 i = 0; i < xp.length; ++i) xp[i] = balances[i] * _scale(i) / ONE;
    }

    function _amplification() private view returns (uint256 a, uint256 g) {
        (a, g) = (future_A_gamma >> 128, uint128(future_A_gamma));
        if (block.timestamp >= future_A_gamma_time) return (a, g);
        uint256 way = future_A_gamma_time - initial_A_gamma_time;
        uint256 passed = block.timestamp - initial_A_gamma_time;
        a = ((initial_A_gamma >> 128) * (way - passed) + a * passed) / way;
        g = (uint128(initial_A_gamma) * (way - passed) + g * passed) / way;
    }

    function _call(address token, bytes memory data) private {
        (bool done, bytes memory answer) = token.call(data);
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "transfer failed");
    }
}
