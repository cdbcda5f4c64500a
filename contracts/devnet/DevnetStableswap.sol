// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

interface IStableswapToken {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

/// A stableswap pool, written from the documented formulas and with the interface of Curve's pools: the older kind
/// (`exchange` pays its caller) or StableSwap-NG (a receiver, a fee that grows far from the peg). Liquidity is given once
/// and for all and belongs to nobody: this pool is for trying exchanges. A coin may be the native token under its stand-in
/// address, and a coin may be the share of another pool, whose virtual price is then its rate (a metapool).
contract DevnetStableswap {
    event TokenExchange(
        address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought
    );
    event AddLiquidity(address indexed provider, uint256[] token_amounts);
    event RampA(uint256 old_A, uint256 new_A, uint256 initial_time, uint256 future_time);

    uint256 private constant PRECISION = 1e18;
    uint256 private constant FEE_ONE = 1e10;
    uint256 public constant A_PRECISION = 100;
    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    /// Whether it is of the NG kind.
    bool public immutable ng;
    address public immutable owner;
    uint256 public immutable fee;
    uint256 public immutable admin_fee;
    uint256 public immutable offpeg_fee_multiplier;

    uint256 public initial_A;
    uint256 public future_A;
    uint256 public initial_A_time;
    uint256 public future_A_time;
    bool public is_killed;
    address[] public coins;
    uint256[] public balances;
    uint256[] private _rates;
    /// What a share is worth; here whatever the owner has it be.
    uint256 public get_virtual_price = PRECISION;
    /// A metapool's other pool, whose share is the last coin.
    address public base_pool;

    constructor(bool ng_, address owner_, address[] memory coins_, uint256 a, uint256 fee_, uint256 multiplier) {
        (ng, owner, fee, admin_fee, offpeg_fee_multiplier) = (ng_, owner_, fee_, FEE_ONE / 2, multiplier);
        coins = coins_;
        for (uint256 i = 0; i < coins_.length; ++i) {
            balances.push(0);
            _rates.push(coins_[i] == NATIVE ? PRECISION : 10 ** (36 - IStableswapToken(coins_[i]).decimals()));
        }
        initial_A = a * A_PRECISION;
        future_A = a * A_PRECISION;
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    function N_COINS() external view returns (uint256) {
        return coins.length;
    }

    function stored_rates() external view returns (uint256[] memory rates) {
        rates = new uint256[](coins.length);
        for (uint256 k = 0; k < rates.length; ++k) rates[k] = _rate(k);
    }

    function A_precise() external view returns (uint256) {
        return _a();
    }

    /// A token's rate, as an oracle of NG would give it.
    function set_rate(uint256 i, uint256 rate) external onlyOwner {
        _rates[i] = rate;
    }

    function set_virtual_price(uint256 price) external onlyOwner {
        get_virtual_price = price;
    }

    function set_base_pool(address pool) external onlyOwner {
        base_pool = pool;
    }

    function ramp_A(uint256 a, uint256 until) external onlyOwner {
        (initial_A, future_A) = (_a(), a * A_PRECISION);
        (initial_A_time, future_A_time) = (block.timestamp, until);
        emit RampA(initial_A, future_A, block.timestamp, until);
    }

    function kill(bool killed) external onlyOwner {
        is_killed = killed;
    }

    /// Takes what was sent here beforehand as liquidity.
    function add() external {
        uint256[] memory amounts = new uint256[](coins.length);
        for (uint256 i = 0; i < coins.length; ++i) {
            uint256 balance = coins[i] == NATIVE
                ? address(this).balance
                : IStableswapToken(coins[i]).balanceOf(address(this));
            amounts[i] = balance - balances[i];
            balances[i] = balance;
        }
        emit AddLiquidity(msg.sender, amounts);
    }

    receive() external payable {}

    function exchange(int128 i, int128 j, uint256 dx, uint256 minDy) external payable returns (uint256) {
        return _exchange(i, j, dx, minDy, msg.sender);
    }

    function exchange(int128 i, int128 j, uint256 dx, uint256 minDy, address receiver)
        external
        payable
        returns (uint256)
    {
        require(ng, "no receiver here");
        return _exchange(i, j, dx, minDy, receiver);
    }

    function get_dy(int128 i, int128 j, uint256 dx) external view returns (uint256 dy) {
        (dy,) = _quote(uint256(int256(i)), uint256(int256(j)), dx);
    }

    function _exchange(int128 i, int128 j, uint256 dx, uint256 minDy, address receiver) private returns (uint256 dy) {
        require(!is_killed && dx != 0 && i != j, "not now");
        (uint256 sold, uint256 bought) = (uint256(int256(i)), uint256(int256(j)));
        uint256 adminPart;
        (dy, adminPart) = _quote(sold, bought, dx);
        require(dy >= minDy, "fewer than wanted");
        balances[sold] += dx;
        balances[bought] -= dy + adminPart;
        require(msg.value == (coins[sold] == NATIVE ? dx : 0), "not what is sold");
        if (coins[sold] != NATIVE) {
            _call(coins[sold], abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, this, dx));
        }
        if (coins[bought] == NATIVE) {
            (bool paid,) = receiver.call{value: dy}("");
            require(paid, "transfer failed");
        } else {
            _call(coins[bought], abi.encodeWithSignature("transfer(address,uint256)", receiver, dy));
        }
        emit TokenExchange(msg.sender, i, dx, j, dy);
    }

    function _call(address token, bytes memory data) private {
        (bool done, bytes memory answer) = token.call(data);
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "transfer failed");
    }

    // ------------------------------------------------------------------------------------------------- curve

    function _quote(uint256 i, uint256 j, uint256 dx) private view returns (uint256 dy, uint256 adminPart) {
        uint256[] memory xp = new uint256[](coins.length);
        for (uint256 k = 0; k < xp.length; ++k) xp[k] = _rate(k) * balances[k] / PRECISION;
        uint256 x = xp[i] + dx * _rate(i) / PRECISION;
        uint256 y = _balanceAt(i, j, x, xp);
        uint256 gross = xp[j] - y - 1;
        uint256 taken = gross * _feeBetween((xp[i] + x) / 2, (xp[j] + y) / 2) / FEE_ONE;
        dy = (gross - taken) * PRECISION / _rate(j);
        adminPart = taken * admin_fee / FEE_ONE * PRECISION / _rate(j);
    }

    function _feeBetween(uint256 x, uint256 y) private view returns (uint256) {
        uint256 multiplier = offpeg_fee_multiplier;
        if (multiplier <= FEE_ONE) return fee;
        return multiplier * fee / ((multiplier - FEE_ONE) * 4 * x * y / (x + y) ** 2 + FEE_ONE);
    }

    function _rate(uint256 i) private view returns (uint256) {
        if (base_pool == address(0) || i + 1 != coins.length) return _rates[i];
        return DevnetStableswap(payable(base_pool)).get_virtual_price();
    }

    function _a() private view returns (uint256) {
        if (block.timestamp >= future_A_time) return future_A;
        uint256 passed = block.timestamp - initial_A_time;
        uint256 way = future_A_time - initial_A_time;
        return future_A > initial_A
            ? initial_A + (future_A - initial_A) * passed / way
            : initial_A - (initial_A - future_A) * passed / way;
    }

    function _invariant(uint256[] memory xp, uint256 ann) private view returns (uint256 d) {
        uint256 n = xp.length;
        uint256 sum;
        for (uint256 k = 0; k < n; ++k) sum += xp[k];
        d = sum;
        for (uint256 round = 0; round < 255; ++round) {
            uint256 product = d;
            for (uint256 k = 0; k < n; ++k) product = product * d / (ng ? xp[k] : xp[k] * n);
            if (ng) product /= n ** n;
            uint256 before = d;
            d = (ann * sum / A_PRECISION + product * n) * d
                / ((ann - A_PRECISION) * d / A_PRECISION + (n + 1) * product);
            if (_near(d, before)) return d;
        }
        revert("no invariant found");
    }

    function _balanceAt(uint256 i, uint256 j, uint256 x, uint256[] memory xp) private view returns (uint256 y) {
        uint256 n = xp.length;
        uint256 ann = _a() * n;
        uint256 d = _invariant(xp, ann);
        uint256 c = d;
        uint256 sum;
        for (uint256 k = 0; k < n; ++k) {
            if (k == j) continue;
            uint256 held = k == i ? x : xp[k];
            sum += held;
            c = c * d / (held * n);
        }
        c = c * d * A_PRECISION / (ann * n);
        uint256 b = sum + d * A_PRECISION / ann;
        y = d;
        for (uint256 round = 0; round < 255; ++round) {
            uint256 before = y;
            y = (y * y + c) / (2 * y + b - d);
            if (_near(y, before)) return y;
        }
        revert("no balance found");
    }

    function _near(uint256 a, uint256 b) private pure returns (bool) {
        return a > b ? a - b <= 1 : b - a <= 1;
    }
}
