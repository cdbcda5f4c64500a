// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IERC20} from "@openzeppelin/contracts/interfaces/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {DevnetMaverickMath} from "./DevnetMaverickMath.sol";

interface IMaverickV2SwapCallback {
    function maverickV2SwapCallback(address tokenIn, uint256 amountIn, uint256 amountOut, bytes calldata data) external;
}

struct MaverickTerms {
    address tokenA;
    address tokenB;
    uint256 feeAIn;
    uint256 feeBIn;
    uint256 tickSpacing;
    uint256 lookback;
    int32 activeTick;
    uint8 kinds;
    address accessor;
    uint256 tokenAScale;
    uint256 tokenBScale;
}

/// A pool with the interface of Maverick V2's. Its bins stay where they are put; its maker puts them there tick by tick.
contract DevnetMaverickPool {
    using SafeERC20 for IERC20;

    error PoolLocked();
    error PoolTokenNotSolvent(uint256 internalReserve, uint256 tokenBalance, IERC20 token);
    error PoolCurrentTickBeyondSwapLimit(int32 startingTick);

    struct SwapParams {
        uint256 amount;
        bool tokenAIn;
        bool exactOutput;
        int32 tickLimit;
    }

    struct AddLiquidityParams {
        uint8 kind;
        int32[] ticks;
        uint128[] amounts;
    }

    struct State {
        uint128 reserveA;
        uint128 reserveB;
        int64 lastTwaD8;
        int64 lastLogPriceD8;
        uint40 lastTimestamp;
        int32 activeTick;
        bool isLocked;
        uint32 binCounter;
        uint8 protocolFeeRatioD3;
    }

    struct TickState {
        uint128 reserveA;
        uint128 reserveB;
        uint128 totalSupply;
        uint32[4] binIdsByTick;
    }

    event PoolSwap(address sender, address recipient, SwapParams params, uint256 amountIn, uint256 amountOut);
    event PoolAddLiquidity(
        address sender,
        address recipient,
        uint256 subaccount,
        AddLiquidityParams params,
        uint256 tokenAAmount,
        uint256 tokenBAmount,
        uint32[] binIds
    );
    event PoolSetProtocolFeeRatio(uint256 protocolFeeRatioD3);

    address public immutable factory;
    IERC20 public immutable tokenA;
    IERC20 public immutable tokenB;
    uint256 private immutable feeAIn;
    uint256 private immutable feeBIn;
    uint256 public immutable tickSpacing;
    uint256 public immutable lookback;
    uint8 public immutable kinds;
    address public immutable accessor;
    uint256 public immutable tokenAScale;
    uint256 public immutable tokenBScale;

    State private state;
    mapping(int32 index => TickState) private ticks;

    constructor(MaverickTerms memory terms) {
        factory = msg.sender;
        (tokenA, tokenB) = (IERC20(terms.tokenA), IERC20(terms.tokenB));
        (feeAIn, feeBIn, tickSpacing, lookback) = (terms.feeAIn, terms.feeBIn, terms.tickSpacing, terms.lookback);
        (kinds, accessor) = (terms.kinds, terms.accessor);
        (tokenAScale, tokenBScale) = (terms.tokenAScale, terms.tokenBScale);
        state.activeTick = terms.activeTick;
    }

    modifier locked() {
        if (state.isLocked) revert PoolLocked();
        state.isLocked = true;
        _;
        state.isLocked = false;
    }

    function fee(bool tokenAIn) public view returns (uint256) {
        return tokenAIn ? feeAIn : feeBIn;
    }

    function getState() external view returns (State memory) {
        return state;
    }

    function getTick(int32 index) external view returns (TickState memory) {
        return ticks[index];
    }

    /// Holds amounts of 18 decimals in ticks, for what the caller is drawn.
    function place(int32[] calldata indices, uint128[] calldata amountsA, uint128[] calldata amountsB) external locked {
        (uint256 a, uint256 b) = (0, 0);
        for (uint256 i = 0; i < indices.length; ++i) {
            TickState storage tick = ticks[indices[i]];
            tick.reserveA += amountsA[i];
            tick.reserveB += amountsB[i];
            (a, b) = (a + amountsA[i], b + amountsB[i]);
        }
        (a, b) = (_up(a, tokenAScale), _up(b, tokenBScale));
        state.reserveA += uint128(a);
        state.reserveB += uint128(b);
        tokenA.safeTransferFrom(msg.sender, address(this), a);
        tokenB.safeTransferFrom(msg.sender, address(this), b);
        emit PoolAddLiquidity(
            msg.sender, msg.sender, 0, AddLiquidityParams(0, indices, amountsA), a, b, new uint32[](indices.length)
        );
    }

    /// Moves the price without a trade.
    function moveTo(int32 activeTick) external {
        state.activeTick = activeTick;
    }

    function setProtocolFeeRatio(uint8 ratio) external {
        state.protocolFeeRatioD3 = ratio;
        emit PoolSetProtocolFeeRatio(ratio);
    }

    function swap(address recipient, SwapParams memory params, bytes calldata data)
        external
        locked
        returns (uint256 amountIn, uint256 amountOut)
    {
        (amountIn, amountOut) = _trade(params);
        (IERC20 sold, IERC20 bought) = params.tokenAIn ? (tokenA, tokenB) : (tokenB, tokenA);
        bought.safeTransfer(recipient, amountOut);
        if (data.length != 0) {
            IMaverickV2SwapCallback(msg.sender).maverickV2SwapCallback(address(sold), amountIn, amountOut, data);
        }
        uint256 reserve = (params.tokenAIn ? state.reserveA : state.reserveB) + amountIn;
        uint256 balance = sold.balanceOf(address(this));
        if (balance < reserve) revert PoolTokenNotSolvent(reserve, balance, sold);
        if (params.tokenAIn) {
            (state.reserveA, state.reserveB) = (uint128(reserve), state.reserveB - uint128(amountOut));
        } else {
            (state.reserveA, state.reserveB) = (state.reserveA - uint128(amountOut), uint128(reserve));
        }
        emit PoolSwap(msg.sender, recipient, params, amountIn, amountOut);
    }

    function _trade(SwapParams memory params) private returns (uint256 amountIn, uint256 amountOut) {
        bool sellsA = params.tokenAIn;
        int32 at = state.activeTick;
        if (_isBeyond(at, params)) revert PoolCurrentTickBeyondSwapLimit(at);
        (uint256 scaleIn, uint256 scaleOut) = sellsA ? (tokenAScale, tokenBScale) : (tokenBScale, tokenAScale);
        uint256 left = params.amount * (params.exactOutput ? scaleOut : scaleIn);
        bool isAll = true;
        for (int32 next = at; left != 0; next += sellsA ? int32(1) : -1) {
            if (_isBeyond(next, params)) {
                isAll = false;
                break;
            }
            if (ticks[next].reserveA == 0 && ticks[next].reserveB == 0) continue;
            at = next;
            DevnetMaverickMath.Traded memory traded = _tradeAt(at, left, params);
            left -= params.exactOutput ? traded.amountOut : traded.amountIn;
            (amountIn, amountOut) = (amountIn + traded.amountIn, amountOut + traded.amountOut);
        }
        state.activeTick = at;
        amountIn = params.exactOutput || !isAll ? _up(amountIn, scaleIn) : amountIn / scaleIn;
        amountOut = amountOut / scaleOut;
    }

    function _tradeAt(int32 at, uint256 amount, SwapParams memory params)
        private
        returns (DevnetMaverickMath.Traded memory traded)
    {
        TickState storage tick = ticks[at];
        bool sellsA = params.tokenAIn;
        DevnetMaverickMath.Terms memory terms =
            DevnetMaverickMath.Terms(sellsA, fee(sellsA), state.protocolFeeRatioD3);
        DevnetMaverickMath.Tick memory priced =
            DevnetMaverickMath.priced(tickSpacing, at, tick.reserveA, tick.reserveB);
        traded = params.exactOutput
            ? DevnetMaverickMath.boughtFrom(priced, amount, terms)
            : DevnetMaverickMath.soldIn(priced, amount, terms);
        (uint256 held, uint256 got) = sellsA ? (tick.reserveB, tick.reserveA) : (tick.reserveA, tick.reserveB);
        (held, got) = (traded.isLeft ? 0 : held - traded.amountOut, got + traded.stays);
        require(got <= type(uint128).max, "too much for a tick");
        (tick.reserveA, tick.reserveB) = sellsA ? (uint128(got), uint128(held)) : (uint128(held), uint128(got));
    }

    function _isBeyond(int32 at, SwapParams memory params) private pure returns (bool) {
        return params.tokenAIn ? at > params.tickLimit : at < params.tickLimit;
    }

    function _up(uint256 amount, uint256 scale) private pure returns (uint256) {
        return (amount + scale - 1) / scale;
    }
}
