// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

interface ISolidlyToken {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

interface ISolidlyFactory {
    function getFee(address pool, bool stable) external view returns (uint256);
    function isPaused() external view returns (bool);
}

/// A pool of Solidly's kind, written from the documented formulas and with the interface of Velodrome V2's pools:
/// xy = k, or x^3 y + x y^3 = k for tokens of like value. The fee is taken from what comes in and leaves the pool. It keeps
/// in storage what theirs do, so that swaps use about their gas. Liquidity is given once and for all and belongs to nobody:
/// this pool is for trying swaps.
contract DevnetSolidlyPool {
    event Sync(uint256 reserve0, uint256 reserve1);
    event Swap(
        address indexed sender,
        address indexed to,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out
    );
    event Fees(address indexed sender, uint256 amount0, uint256 amount1);
    event Mint(address indexed sender, uint256 amount0, uint256 amount1);

    uint256 private constant ONE = 1e18;
    uint256 private constant BPS = 10_000;

    struct Observation {
        uint256 timestamp;
        uint256 reserve0Cumulative;
        uint256 reserve1Cumulative;
    }

    uint256 public constant periodSize = 1800;

    uint256 public reserve0;
    uint256 public reserve1;
    uint256 public blockTimestampLast;
    uint256 public reserve0CumulativeLast;
    uint256 public reserve1CumulativeLast;
    uint256 public index0;
    uint256 public index1;
    Observation[] public observations;
    address public factory;
    address public token0;
    address public token1;
    /// Where fees go: out of the pool, for good.
    address public poolFees;
    bool public stable;
    uint256 private _unit0;
    uint256 private _unit1;
    uint256 private _lock = 1;

    constructor(address token0_, address token1_, bool stable_) {
        factory = msg.sender;
        (token0, token1, stable) = (token0_, token1_, stable_);
        _unit0 = 10 ** ISolidlyToken(token0_).decimals();
        _unit1 = 10 ** ISolidlyToken(token1_).decimals();
        poolFees = address(uint160(uint256(keccak256(abi.encode(address(this), "fees")))));
        observations.push(Observation(block.timestamp, 0, 0));
    }

    modifier locked() {
        require(_lock == 1, "locked");
        _lock = 2;
        _;
        _lock = 1;
    }

    function metadata()
        external
        view
        returns (uint256 unit0, uint256 unit1, uint256 r0, uint256 r1, bool isStable, address t0, address t1)
    {
        return (_unit0, _unit1, reserve0, reserve1, stable, token0, token1);
    }

    function getReserves() external view returns (uint256, uint256, uint256) {
        return (reserve0, reserve1, blockTimestampLast);
    }

    function lastObservation() public view returns (Observation memory) {
        return observations[observations.length - 1];
    }

    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256) {
        amountIn -= amountIn * ISolidlyFactory(factory).getFee(address(this), stable) / BPS;
        bool forwards = tokenIn == token0;
        (uint256 sold, uint256 bought) = forwards ? (reserve0, reserve1) : (reserve1, reserve0);
        if (!stable) return amountIn * bought / (sold + amountIn);
        (uint256 soldUnit, uint256 boughtUnit) = forwards ? (_unit0, _unit1) : (_unit1, _unit0);
        uint256 k = _invariantOfUnits(reserve0, reserve1);
        uint256 before = bought * ONE / boughtUnit;
        uint256 afterwards = _reserveAt(amountIn * ONE / soldUnit + sold * ONE / soldUnit, k, before);
        return (before - afterwards) * boughtUnit / ONE;
    }

    /// Takes what was sent here beforehand as liquidity.
    function mint() external locked {
        uint256 balance0 = ISolidlyToken(token0).balanceOf(address(this));
        uint256 balance1 = ISolidlyToken(token1).balanceOf(address(this));
        emit Mint(msg.sender, balance0 - reserve0, balance1 - reserve1);
        _update(balance0, balance1);
    }

    /// Pays out what is asked for, takes what was sent beforehand, and lets k not fall.
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata) external locked {
        require(!ISolidlyFactory(factory).isPaused(), "paused");
        require(amount0Out != 0 || amount1Out != 0, "nothing is bought");
        require(amount0Out < reserve0 && amount1Out < reserve1, "not enough liquidity");
        require(to != token0 && to != token1, "not a receiver");
        if (amount0Out != 0) _send(token0, to, amount0Out);
        if (amount1Out != 0) _send(token1, to, amount1Out);
        uint256 amount0In = _came(token0, reserve0 - amount0Out);
        uint256 amount1In = _came(token1, reserve1 - amount1Out);
        require(amount0In != 0 || amount1In != 0, "nothing is sold");
        uint256 fee = ISolidlyFactory(factory).getFee(address(this), stable);
        if (amount0In != 0) index0 += _takeFee(token0, amount0In * fee / BPS);
        if (amount1In != 0) index1 += _takeFee(token1, amount1In * fee / BPS);
        uint256 balance0 = ISolidlyToken(token0).balanceOf(address(this));
        uint256 balance1 = ISolidlyToken(token1).balanceOf(address(this));
        require(_invariant(balance0, balance1) >= _invariant(reserve0, reserve1), "k");
        _update(balance0, balance1);
        emit Swap(msg.sender, to, amount0In, amount1In, amount0Out, amount1Out);
    }

    function _came(address token, uint256 rest) private view returns (uint256) {
        uint256 balance = ISolidlyToken(token).balanceOf(address(this));
        return balance > rest ? balance - rest : 0;
    }

    function _takeFee(address token, uint256 fee) private returns (uint256) {
        if (fee == 0) return 0;
        _send(token, poolFees, fee);
        emit Fees(msg.sender, token == token0 ? fee : 0, token == token1 ? fee : 0);
        return fee;
    }

    function _update(uint256 balance0, uint256 balance1) private {
        uint256 elapsed = block.timestamp - blockTimestampLast;
        if (elapsed != 0) {
            reserve0CumulativeLast += reserve0 * elapsed;
            reserve1CumulativeLast += reserve1 * elapsed;
            blockTimestampLast = block.timestamp;
        }
        if (block.timestamp - lastObservation().timestamp > periodSize) {
            observations.push(Observation(block.timestamp, reserve0CumulativeLast, reserve1CumulativeLast));
        }
        (reserve0, reserve1) = (balance0, balance1);
        emit Sync(balance0, balance1);
    }

    function _send(address token, address to, uint256 amount) private {
        (bool done, bytes memory answer) = token.call(abi.encodeWithSignature("transfer(address,uint256)", to, amount));
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "transfer failed");
    }

    // ------------------------------------------------------------------------------------------------- curve

    function _invariant(uint256 x, uint256 y) private view returns (uint256) {
        return stable ? _invariantOfUnits(x, y) : x * y;
    }

    function _invariantOfUnits(uint256 x, uint256 y) private view returns (uint256) {
        return _f(x * ONE / _unit0, y * ONE / _unit1);
    }

    function _f(uint256 x, uint256 y) private pure returns (uint256) {
        return (x * y / ONE) * (x * x / ONE + y * y / ONE) / ONE;
    }

    function _slope(uint256 x, uint256 y) private pure returns (uint256) {
        return 3 * x * (y * y / ONE) / ONE + (x * x / ONE) * x / ONE;
    }

    /// Newton's method. Where a step from below rounds to nothing, the invariant that ends it is that of (x, y + 1) as if
    /// both were in base units: so do the contracts in use.
    function _reserveAt(uint256 x, uint256 k, uint256 y) private view returns (uint256) {
        for (uint256 i = 0; i < 255; ++i) {
            uint256 found = _f(x, y);
            if (found < k) {
                uint256 step = (k - found) * ONE / _slope(x, y);
                if (step == 0) {
                    if (_invariantOfUnits(x, y + 1) > k) return y + 1;
                    step = 1;
                }
                y += step;
            } else {
                uint256 step = (found - k) * ONE / _slope(x, y);
                if (step == 0) {
                    if (found == k || _f(x, y - 1) < k) return y;
                    step = 1;
                }
                y -= step;
            }
        }
        revert("no reserve found");
    }
}
