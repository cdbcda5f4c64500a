// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {ExecutorState} from "../ExecutorState.sol";
import {Fill, PartialFill, tokenAt} from "../Payload.sol";
import {ALGEBRA_POOL, PANCAKE_V3_POOL, PANGOLIN_V3_POOL, V3_POOL} from "../VenueCodes.sol";

interface IUniswapV3Pool {
    function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
}

/// Pools that ask for their payment in a callback while they swap: Uniswap V3's, PancakeSwap V3's, Algebra's and
/// Pangolin V3's.
/// Compiled into the executor.
abstract contract CallbackPools is ExecutorState {
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        _payOwed(amount0, amount1, data);
    }

    function pancakeV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        _payOwed(amount0, amount1, data);
    }

    function algebraSwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        _payOwed(amount0, amount1, data);
    }

    function pangolinv3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        _payOwed(amount0, amount1, data);
    }

    /// Has what the calling pool asks for made by the fills of an exact-out after its own.
    function _payByRest(uint256 amount, bytes calldata data) internal virtual;

    /// The callback in which a pool of this venue asks for its payment; zero for every other venue.
    function _callbackOf(uint256 venue) internal pure returns (bytes4) {
        if (venue == V3_POOL) return this.uniswapV3SwapCallback.selector;
        if ((1 << PANCAKE_V3_POOL | 1 << ALGEBRA_POOL | 1 << PANGOLIN_V3_POOL) >> venue & 1 == 0) return 0;
        if (venue == PANCAKE_V3_POOL) return this.pancakeV3SwapCallback.selector;
        if (venue == ALGEBRA_POOL) return this.algebraSwapCallback.selector;
        return this.pangolinv3SwapCallback.selector;
    }

    function _sellToPool(
        address pool,
        bytes4 callback,
        address sold,
        bool zeroForOne,
        uint256 amount,
        bytes32 payer_,
        address to
    ) internal returns (uint256) {
        (uint256 used, uint256 bought) =
            _swapPool(pool, callback, zeroForOne, _signed(amount), sold, amount, payer_, to);
        if (used != amount) revert PartialFill(pool);
        return bought;
    }

    /// Buys from a pool that takes the sold token: the seller pays.
    function _buyFromPool(Fill fill, bytes memory tokens, uint256 amount, address to) internal {
        (address pool, address sold) = (fill.poolOf(), tokenAt(tokens, 0));
        bool zeroForOne = sold < tokenAt(tokens, fill.boughtOf());
        bytes4 callback = _callbackOf(fill.venueOf());
        (, uint256 made) =
            _swapPool(pool, callback, zeroForOne, -_signed(amount), sold, type(uint256).max, SELLER, to);
        if (made != amount) revert PartialFill(pool);
    }

    /// Buys from a pool that takes another token: in its callback the rest makes what it asks for.
    function _buyByRest(Fill fill, bytes memory tokens, uint256 amount, address to, bytes memory rest) internal {
        expectedCallback = _callbackFrom(fill.poolOf(), _callbackOf(fill.venueOf()));
        payer = keccak256(rest);
        bool zeroForOne = tokenAt(tokens, fill.soldOf()) < tokenAt(tokens, fill.boughtOf());
        (int256 amount0, int256 amount1) = IUniswapV3Pool(fill.poolOf()).swap(
            to, zeroForOne, -_signed(amount), zeroForOne ? MIN_SQRT_PRICE : MAX_SQRT_PRICE, rest
        );
        if (expectedCallback != 0) revert CallbackMissing(fill.poolOf());
        if (uint256(-(zeroForOne ? amount1 : amount0)) != amount) revert PartialFill(fill.poolOf());
    }

    function _swapPool(
        address pool,
        bytes4 callback,
        bool zeroForOne,
        int256 amount,
        address token,
        uint256 most,
        bytes32 payer_,
        address to
    ) private returns (uint256 paid, uint256 bought) {
        expectedCallback = _callbackFrom(pool, callback);
        paymentToken = token;
        paymentMost = most;
        payer = payer_;
        (int256 amount0, int256 amount1) =
            IUniswapV3Pool(pool).swap(to, zeroForOne, amount, zeroForOne ? MIN_SQRT_PRICE : MAX_SQRT_PRICE, "");
        if (expectedCallback != 0) revert CallbackMissing(pool);
        return zeroForOne ? (uint256(amount0), uint256(-amount1)) : (uint256(amount1), uint256(-amount0));
    }

    function _payOwed(int256 amount0, int256 amount1, bytes calldata data) private {
        int256 owed = amount0 > 0 ? amount0 : amount1;
        if (owed <= 0) revert UnexpectedCallback(msg.sender);
        _pay(uint256(owed), data);
    }

    /// Pays the pool that was just asked to swap, once. Everything about the payment but its amount was fixed before
    /// the pool was called; the amount has a limit.
    function _pay(uint256 amount, bytes calldata data) private {
        if (expectedCallback != _callbackFrom(msg.sender, msg.sig)) revert UnexpectedCallback(msg.sender);
        expectedCallback = 0;
        bytes32 payer_ = payer;
        if (payer_ == SELLER || payer_ == SELF) {
            if (amount > paymentMost) revert ExcessivePayment(paymentMost, amount);
            _deliver(payer_ == SELLER, paymentToken, amount, msg.sender);
        } else {
            if (payer_ != keccak256(data)) revert UnexpectedCallback(msg.sender);
            _payByRest(amount, data);
        }
    }
}
