// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {DevnetShares} from "./DevnetShares.sol";
import {DevnetStableMath} from "./DevnetStableMath.sol";

interface IStableswapToken {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

/// A stableswap pool, written from the documented formulas and with the interface of Curve's pools: the older kind
/// (`exchange` pays its caller, shares are a token of their own, adding and removing one coin answer nothing) or
/// StableSwap-NG (a receiver, a fee that grows far from the peg, the pool is its own share). A coin may be the native token
/// under its stand-in address, and a coin may be the share of another pool, whose virtual price is then its rate (a
/// metapool).
contract DevnetStableswap is DevnetShares {
    event TokenExchange(
        address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought
    );
    event AddLiquidity(address indexed provider, uint256[] token_amounts);
    event RemoveLiquidityOne(address indexed provider, uint256 token_amount, uint256 coin_amount);
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
    /// A metapool's other pool, whose share is the last coin.
    address public base_pool;
    /// The share; of the NG kind the pool itself.
    DevnetShares public immutable lp_token;
    /// What the NG kind writes down at every exchange, with no use here but the gas: the last price of each coin but the
    /// first, the invariant, when that was, and what the admin has of each coin.
    uint256[] private _lastPrices;
    uint256 private _lastInvariant;
    uint256 private _lastTime;
    uint256[] private _adminBalances;

    constructor(
        bool ng_,
        address owner_,
        address[] memory coins_,
        uint256 a,
        uint256 fee_,
        uint256 multiplier,
        string memory symbol_
    ) DevnetShares(symbol_, symbol_, address(this)) {
        lp_token = ng_ ? DevnetShares(address(this)) : new DevnetShares(symbol_, symbol_, address(this));
        (ng, owner, fee, admin_fee, offpeg_fee_multiplier) = (ng_, owner_, fee_, FEE_ONE / 2, multiplier);
        coins = coins_;
        for (uint256 i = 0; i < coins_.length; ++i) {
            balances.push(0);
            _lastPrices.push(PRECISION);
            _adminBalances.push(0);
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

    function stored_rates() public view returns (uint256[] memory rates) {
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

    /// Takes what was sent here beforehand as liquidity, without a fee.
    function add() external {
        uint256[] memory amounts = new uint256[](coins.length);
        uint256 supply = _supply();
        uint256 before = supply == 0 ? 0 : _invariantOf(balances);
        for (uint256 i = 0; i < coins.length; ++i) {
            uint256 balance = coins[i] == NATIVE
                ? address(this).balance
                : IStableswapToken(coins[i]).balanceOf(address(this));
            amounts[i] = balance - balances[i];
            balances[i] = balance;
        }
        uint256 d = _invariantOf(balances);
        _make(msg.sender, supply == 0 ? d : supply * (d - before) / before);
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

    /// The NG kind, but for its metapools.
    function add_liquidity(uint256[] calldata amounts, uint256 least) external payable returns (uint256) {
        require(ng && base_pool == address(0), "not of this kind");
        return _add(amounts, least);
    }

    function add_liquidity(uint256[2] calldata amounts, uint256 least) external payable returns (uint256) {
        uint256[] memory list = new uint256[](2);
        for (uint256 i = 0; i < 2; ++i) list[i] = amounts[i];
        return _addOld(list, least);
    }

    function add_liquidity(uint256[3] calldata amounts, uint256 least) external payable returns (uint256) {
        uint256[] memory list = new uint256[](3);
        for (uint256 i = 0; i < 3; ++i) list[i] = amounts[i];
        return _addOld(list, least);
    }

    function remove_liquidity_one_coin(uint256 amount, int128 i, uint256 least) external returns (uint256 paid) {
        require(!is_killed && amount != 0, "not now");
        uint256 coin = uint256(int256(i));
        uint256 taken;
        (paid, taken) = _withdrawal(amount, coin);
        require(paid >= least, "fewer than wanted");
        balances[coin] -= paid + taken * admin_fee / FEE_ONE;
        if (ng) _burn(msg.sender, amount);
        else lp_token.burnFrom(msg.sender, amount);
        _pay(coins[coin], msg.sender, paid);
        emit RemoveLiquidityOne(msg.sender, amount, paid);
        if (!ng) _answerNothing();
    }

    function calc_withdraw_one_coin(uint256 amount, int128 i) external view returns (uint256 paid) {
        (paid,) = _withdrawal(amount, uint256(int256(i)));
    }

    function get_virtual_price() external view returns (uint256) {
        return _invariantOf(balances) * PRECISION / _supply();
    }

    /// Metapools of the NG kind name their other pool so.
    function BASE_POOL() external view returns (address) {
        require(ng && base_pool != address(0), "no metapool");
        return base_pool;
    }

    function get_dy(int128 i, int128 j, uint256 dx) external view returns (uint256 dy) {
        (dy,,) = _quote(uint256(int256(i)), uint256(int256(j)), dx);
    }

    function _exchange(int128 i, int128 j, uint256 dx, uint256 minDy, address receiver) private returns (uint256 dy) {
        require(!is_killed && dx != 0 && i != j, "not now");
        (uint256 sold, uint256 bought) = (uint256(int256(i)), uint256(int256(j)));
        uint256 adminPart;
        uint256 d;
        (dy, adminPart, d) = _quote(sold, bought, dx);
        require(dy >= minDy, "fewer than wanted");
        balances[sold] += dx;
        balances[bought] -= dy + adminPart;
        if (ng) {
            _adminBalances[bought] += adminPart;
            for (uint256 k = 1; k < coins.length; ++k) _lastPrices[k] = dy * PRECISION / dx;
            (_lastInvariant, _lastTime) = (d, block.timestamp);
        }
        require(msg.value == (coins[sold] == NATIVE ? dx : 0), "not what is sold");
        _draw(coins[sold], dx);
        _pay(coins[bought], receiver, dy);
        emit TokenExchange(msg.sender, i, dx, j, dy);
    }

    // --------------------------------------------------------------------------------------------- liquidity

    /// Of the older kind, which answers nothing, or of NG's metapools, which answer.
    function _addOld(uint256[] memory amounts, uint256 least) private returns (uint256 shares) {
        require(amounts.length == coins.length && (!ng || base_pool != address(0)), "not of this kind");
        shares = _add(amounts, least);
        if (!ng) _answerNothing();
    }

    function _answerNothing() private pure {
        assembly ("memory-safe") {
            return(0, 0)
        }
    }

    function _add(uint256[] memory amounts, uint256 least) private returns (uint256 shares) {
        require(!is_killed, "not now");
        uint256[] memory held = balances;
        uint256 native;
        for (uint256 k = 0; k < held.length; ++k) {
            if (amounts[k] == 0) continue;
            held[k] += amounts[k];
            if (coins[k] == NATIVE) native = amounts[k];
            else _draw(coins[k], amounts[k]);
        }
        require(msg.value == native, "not what is added");
        uint256 before = _invariantOf(balances);
        uint256 d = _invariantOf(held);
        require(d > before, "nothing is added");
        uint256 base = fee * held.length / (4 * (held.length - 1));
        uint256[] memory taxed = new uint256[](held.length);
        for (uint256 k = 0; k < held.length; ++k) {
            uint256 ideal = d * balances[k] / before;
            uint256 off = ideal > held[k] ? ideal - held[k] : held[k] - ideal;
            uint256 twice = _rate(k) * (balances[k] + held[k]) / PRECISION;
            uint256 taken = _grownFee(base, twice, (before + d) / held.length) * off / FEE_ONE;
            taxed[k] = held[k] - taken;
            held[k] -= taken * admin_fee / FEE_ONE;
        }
        uint256 supply = _supply();
        shares = supply * (_invariantOf(taxed) - before) / before;
        require(shares >= least, "fewer than wanted");
        balances = held;
        _make(msg.sender, shares);
        emit AddLiquidity(msg.sender, amounts);
    }

    /// What is paid for shares, and the fee in that coin.
    function _withdrawal(uint256 amount, uint256 i) private view returns (uint256 paid, uint256 taken) {
        uint256[] memory xp = _scaled(balances);
        uint256 n = xp.length;
        uint256 ann = _a() * n;
        uint256 d = DevnetStableMath.invariant(xp, ann, ng);
        uint256 left = d - amount * d / _supply();
        uint256 untaxed = DevnetStableMath.balanceFor(xp, i, left, ann);
        uint256 base = fee * n / (4 * (n - 1));
        uint256[] memory taxed = new uint256[](n);
        for (uint256 k = 0; k < n; ++k) {
            uint256 kept = xp[k] * left / d;
            (uint256 out, uint256 mean) = k == i ? (kept - untaxed, (xp[k] + untaxed) / 2) : (xp[k] - kept, xp[k]);
            taxed[k] = xp[k] - _grownFee(base, mean, (d + left) / (2 * n)) * out / FEE_ONE;
        }
        paid = (taxed[i] - DevnetStableMath.balanceFor(taxed, i, left, ann) - 1) * PRECISION / _rate(i);
        taken = (xp[i] - untaxed) * PRECISION / _rate(i) - paid;
    }

    function _supply() private view returns (uint256) {
        return ng ? totalSupply : lp_token.totalSupply();
    }

    function _make(address to, uint256 shares) private {
        if (ng) _mint(to, shares);
        else lp_token.mint(to, shares);
    }

    // -------------------------------------------------------------------------------------------------- coins

    function _draw(address coin, uint256 amount) private {
        if (coin == NATIVE) return;
        _call(coin, abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, this, amount));
    }

    function _pay(address coin, address to, uint256 amount) private {
        if (coin == NATIVE) {
            (bool paid,) = to.call{value: amount}("");
            require(paid, "transfer failed");
        } else {
            _call(coin, abi.encodeWithSignature("transfer(address,uint256)", to, amount));
        }
    }

    function _call(address token, bytes memory data) private {
        (bool done, bytes memory answer) = token.call(data);
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "transfer failed");
    }

    // ------------------------------------------------------------------------------------------------- curve

    function _quote(uint256 i, uint256 j, uint256 dx)
        private
        view
        returns (uint256 dy, uint256 adminPart, uint256 d)
    {
        uint256[] memory rates = stored_rates();
        uint256[] memory xp = balances;
        for (uint256 k = 0; k < xp.length; ++k) xp[k] = rates[k] * xp[k] / PRECISION;
        uint256 x = xp[i] + dx * rates[i] / PRECISION;
        uint256 y;
        (y, d) = _balanceAt(i, j, x, xp);
        uint256 gross = xp[j] - y - 1;
        uint256 taken = gross * _feeBetween((xp[i] + x) / 2, (xp[j] + y) / 2) / FEE_ONE;
        dy = (gross - taken) * PRECISION / rates[j];
        adminPart = taken * admin_fee / FEE_ONE * PRECISION / rates[j];
    }

    function _feeBetween(uint256 x, uint256 y) private view returns (uint256) {
        return _grownFee(fee, x, y);
    }

    function _grownFee(uint256 base, uint256 x, uint256 y) private view returns (uint256) {
        return DevnetStableMath.grownFee(base, offpeg_fee_multiplier, x, y);
    }

    function _scaled(uint256[] memory held) private view returns (uint256[] memory xp) {
        xp = new uint256[](held.length);
        for (uint256 k = 0; k < xp.length; ++k) xp[k] = _rate(k) * held[k] / PRECISION;
    }

    function _invariantOf(uint256[] memory held) private view returns (uint256) {
        return DevnetStableMath.invariant(_scaled(held), _a() * held.length, ng);
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

    function _balanceAt(uint256 i, uint256 j, uint256 x, uint256[] memory xp)
        private
        view
        returns (uint256 y, uint256 d)
    {
        uint256 ann = _a() * xp.length;
        d = DevnetStableMath.invariant(xp, ann, ng);
        uint256 had = xp[i];
        xp[i] = x;
        y = DevnetStableMath.balanceFor(xp, j, d, ann);
        xp[i] = had;
    }
}
