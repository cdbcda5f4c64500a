// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {IExecutor} from "./Gateway.sol";
import {IERC20, NATIVE_TOKEN, TokenTransfers} from "./TokenTransfers.sol";
import {
    ICurvePool,
    IPoolManager,
    ISolidlyPool,
    IUniswapV2Pair,
    IUniswapV3Pool,
    IVault,
    IWrappedNative,
    PoolKey,
    SwapParams
} from "./Venues.sol";

interface IPull {
    function pull(address to, uint256 amount) external;
}

/// One fill of an exact-in payload, its 30 bytes in the high end of a word.
type Fill is uint256;

using {venueOf, destinationOf, soldOf, boughtOf, shareOf, feePpmOf, poolOf} for Fill global;

function venueOf(Fill fill) pure returns (uint256) {
    return (Fill.unwrap(fill) >> 248) & 0xf;
}

function destinationOf(Fill fill) pure returns (uint256) {
    return Fill.unwrap(fill) >> 252;
}

function soldOf(Fill fill) pure returns (uint256) {
    return uint8(Fill.unwrap(fill) >> 240);
}

function boughtOf(Fill fill) pure returns (uint256) {
    return uint8(Fill.unwrap(fill) >> 232);
}

function shareOf(Fill fill) pure returns (uint256) {
    return uint32(Fill.unwrap(fill) >> 200);
}

function feePpmOf(Fill fill) pure returns (uint256) {
    return uint24(Fill.unwrap(fill) >> 176);
}

function poolOf(Fill fill) pure returns (address) {
    return address(uint160(Fill.unwrap(fill) >> 16));
}

/// Runs routes for the gateway: one typed action per kind of venue, and no call whose target, function and arguments
/// a caller chooses. It has no owner, holds nothing between calls, and approves exactly what a venue draws at once.
///
/// Payload, exact-in: a zero byte; the number of intermediate tokens (1 byte) and their addresses (20 bytes each);
/// then fills of 30 bytes in execution order:
///   1 venue and destination: low four bits the venue, high four bits where the output goes
///   1 index of the token it takes: 0 = sold, 1 = bought, 2 and up = intermediate tokens
///   1 index of the token it gives
///   4 share: the part, in billionths, of what is left of the token; a whole billion takes the rest
///   3 fee in parts per million (V2 pairs, Solidly pools; of a V4 pool the fee of its key)
///  20 pool (zero for the wrapped native token; the PoolManager for a V4 pool)
/// A V4 pool's fill is followed by 30 bytes more: tick spacing (3) and hooks (20) of its key, and 7 of zero.
///
/// Payload, exact-out: a one byte; the amount to make of the bought token (32 bytes); then nodes of 49 bytes, each
/// followed by the nodes that make what it takes:
///   1 venue
///  20 pool (zero for the wrapped native token; the PoolManager for a V4 pool)
///  20 the token it takes
///   3 fee in parts per million (V2 pairs, Solidly pools; of a V4 pool the fee of its key)
///   4 share of what is still needed of the token it makes, rounded up; a whole billion makes the rest
///   1 number of nodes from here to the last one below it, itself included; 1 = it takes the sold token itself
/// A V4 pool's node is followed by 49 bytes that count as one more: tick spacing (3) and hooks (20), and 26 of zero.
contract Executor is IExecutor {
    using TokenTransfers for address;

    error NotTheGateway(address caller);
    error UnexpectedNative(address sender);
    error InvalidPayload();
    error UnexpectedCallback(address caller);
    error ExcessivePayment(uint256 most, uint256 wanted);
    error CallbackMissing(address pool);
    error PartialFill(address pool);
    error AmountTooLarge(uint256 amount);
    error InsufficientLiquidity(address pool);
    error Unspent(address token, uint256 amount);
    error Unmade(address token, uint256 amount);

    uint256 private constant SHARE_ONE = 1_000_000_000;
    uint256 private constant PPM = 1_000_000;

    uint256 private constant V2_PAIR = 0;
    uint256 private constant V3_POOL = 1;
    uint256 private constant WRAPPED_NATIVE = 2;
    uint256 private constant SOLIDLY_POOL = 3;
    uint256 private constant CURVE_POOL = 4;
    uint256 private constant VAULT = 5;
    uint256 private constant PANCAKE_V3_POOL = 8;
    uint256 private constant ALGEBRA_POOL = 9;
    uint256 private constant V4_POOL = 10;

    uint256 private constant TO_EXECUTOR = 0;
    uint256 private constant TO_PAYEE = 1;
    /// Straight into the next fill's pair, which takes all of it.
    uint256 private constant TO_NEXT = 2;

    uint256 private constant EXACT_IN_FILL = 30;
    uint256 private constant EXACT_OUT_NODE = 49;
    /// Bytes of an encoded V4Swap.
    uint256 private constant V4_SWAP = 12 * 32;

    uint160 private constant MIN_SQRT_PRICE = 4295128740;
    uint160 private constant MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970341;

    address public immutable gateway;
    address public immutable wrappedNative;

    /// The one callback that may come now: pool and selector; zero when none may. Cleared by the callback itself.
    bytes32 private transient expectedCallback;
    address private transient paymentToken;
    uint256 private transient paymentMost;
    /// Who pays: the seller through the gateway, this contract, or the nodes with this hash.
    bytes32 private transient payer;

    /// The singleton whose lock was opened from here and is open now; zero when none is.
    address private transient openManager;
    /// What the lock that is being opened must call back with.
    bytes32 private transient unlockData;

    bytes32 private constant SELLER = keccak256("tributary.payer.seller");
    bytes32 private constant SELF = keccak256("tributary.payer.self");

    struct Node {
        uint256 venue;
        address pool;
        address takes;
        uint256 feePpm;
        uint256 share;
        uint256 size;
    }

    /// One swap inside a PoolManager, everything about its payment included.
    struct V4Swap {
        address manager;
        PoolKey key;
        bool zeroForOne;
        /// Above zero is sold, below zero is bought.
        int256 amount;
        address sold;
        uint256 most;
        /// Who pays: the seller, this contract, or, when zero, the nodes that come with the swap.
        bytes32 payer;
        address to;
    }

    constructor(address gateway_, address wrappedNative_) {
        gateway = gateway_;
        wrappedNative = wrappedNative_;
    }

    receive() external payable {
        if (msg.sender != wrappedNative && msg.sender != openManager) revert UnexpectedNative(msg.sender);
    }

    function execute(address sellToken, uint256 sellAmount, address buyToken, address payTo, bytes calldata payload)
        external
        payable
    {
        if (msg.sender != gateway) revert NotTheGateway(msg.sender);
        uint256 kind = uint8(payload[0]);
        if (kind == 0) {
            _exactIn(sellToken, sellAmount, buyToken, payTo, payload[1:]);
        } else if (kind == 1) {
            _make(payload[33:], buyToken, uint256(bytes32(payload[1:33])), payTo);
            if (sellToken == NATIVE_TOKEN) {
                uint256 unspent = address(this).balance;
                if (unspent != 0) TokenTransfers.sendNative(gateway, unspent);
            }
        } else {
            revert InvalidPayload();
        }
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        _payOwed(amount0, amount1, data);
    }

    function pancakeV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        _payOwed(amount0, amount1, data);
    }

    function algebraSwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        _payOwed(amount0, amount1, data);
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        bool expected = expectedCallback == _callbackFrom(msg.sender, msg.sig) && unlockData == keccak256(data);
        if (!expected) revert UnexpectedCallback(msg.sender);
        expectedCallback = 0;
        address outer = openManager;
        openManager = msg.sender;
        (uint256 paid, uint256 bought) = _swapInLock(abi.decode(data, (V4Swap)), data[V4_SWAP:]);
        openManager = outer;
        return abi.encode(paid, bought);
    }

    // ---------------------------------------------------------------------------------------------- exact-in

    function _exactIn(address sellToken, uint256 sellAmount, address buyToken, address payTo, bytes calldata payload)
        private
    {
        uint256 count = uint8(payload[0]) + 2;
        address[] memory tokens = new address[](count);
        tokens[0] = sellToken;
        tokens[1] = buyToken;
        uint256 at = 1;
        for (uint256 i = 2; i < count; ++i) {
            tokens[i] = address(bytes20(payload[at:at + 20]));
            at += 20;
        }
        bytes calldata fills = payload[at:];
        if (fills.length % EXACT_IN_FILL != 0) revert InvalidPayload();

        // What is left of each token. It counts what venues say they paid; a venue that lies makes the payment to the
        // next one fail, since nothing else is here.
        uint256[] memory left = new uint256[](count);
        left[0] = sellAmount;
        bool paid = false;
        for (at = 0; at < fills.length;) {
            Fill fill = _fillAt(fills, at);
            uint256 next = at + (fill.venueOf() == V4_POOL ? 2 * EXACT_IN_FILL : EXACT_IN_FILL);
            uint256 amount = left[fill.soldOf()];
            if (fill.shareOf() != SHARE_ONE) amount = amount * fill.shareOf() / SHARE_ONE;
            left[fill.soldOf()] -= amount;

            address to = address(this);
            if (fill.destinationOf() == TO_PAYEE) to = payTo;
            else if (fill.destinationOf() == TO_NEXT) to = _fillAt(fills, next).poolOf();
            else if (fill.destinationOf() != TO_EXECUTOR) revert InvalidPayload();

            uint256 got = _sell(
                fill, fills[at + EXACT_IN_FILL:next], tokens[fill.soldOf()], tokens[fill.boughtOf()], amount, paid, to
            );
            if (fill.destinationOf() == TO_PAYEE) {
                if (fill.boughtOf() != 1) revert InvalidPayload();
            } else {
                left[fill.boughtOf()] += got;
            }
            paid = fill.destinationOf() == TO_NEXT;
            at = next;
        }
        for (uint256 i = 0; i < count; ++i) {
            if (left[i] != 0) revert Unspent(tokens[i], left[i]);
        }
    }

    function _fillAt(bytes calldata fills, uint256 at) private pure returns (Fill) {
        return Fill.wrap(uint256(bytes32(bytes30(fills[at:at + EXACT_IN_FILL]))));
    }

    function _sell(
        Fill fill,
        bytes calldata more,
        address sold,
        address bought,
        uint256 amount,
        bool paid,
        address to
    ) private returns (uint256) {
        bool fromSeller = fill.soldOf() == 0 && sold != NATIVE_TOKEN;
        if (fill.venueOf() == V2_PAIR || fill.venueOf() == SOLIDLY_POOL) {
            if (!paid) {
                if (fromSeller) IPull(gateway).pull(fill.poolOf(), amount);
                else sold.send(fill.poolOf(), amount);
            }
            if (fill.venueOf() == SOLIDLY_POOL) return _sellToSolidly(fill.poolOf(), sold, sold < bought, amount, to);
            return _sellToPair(fill.poolOf(), fill.feePpmOf(), sold < bought, amount, to);
        }
        if (paid) revert InvalidPayload();
        if (fill.venueOf() == V4_POOL) {
            V4Swap memory swap = _v4Swap(fill.poolOf(), fill.feePpmOf(), more, sold, bought);
            (swap.amount, swap.most, swap.to) = (_signed(amount), amount, to);
            swap.payer = fromSeller ? SELLER : SELF;
            (uint256 used, uint256 made) = _swapV4(swap, msg.data[0:0]);
            if (used != amount) revert PartialFill(swap.manager);
            return made;
        }
        bytes4 callback = _callbackOf(fill.venueOf());
        if (callback != 0) {
            return _sellToPool(fill.poolOf(), callback, sold, sold < bought, amount, fromSeller ? SELLER : SELF, to);
        }
        if (fromSeller) IPull(gateway).pull(address(this), amount);
        if (fill.venueOf() == CURVE_POOL) return _exchange(fill.poolOf(), fill.feePpmOf(), sold, bought, amount, to);
        if (fill.venueOf() == VAULT) return _sellToVault(fill.poolOf(), sold, bought, amount, to);
        if (fill.venueOf() != WRAPPED_NATIVE) revert InvalidPayload();
        _convert(sold, bought, amount, to);
        return amount;
    }

    /// Curve's pools draw what they sell for; the oldest of them neither name a receiver nor say what they paid.
    function _exchange(address pool, uint256 coins, address sold, address bought, uint256 amount, address to)
        private
        returns (uint256 got)
    {
        uint256 before = bought.balanceOf(address(this));
        sold.approve(pool, amount);
        ICurvePool(pool).exchange(int128(uint128(coins >> 8)), int128(uint128(coins & 0xff)), amount, 0);
        _assertDrawn(sold, pool);
        got = bought.balanceOf(address(this)) - before;
        if (to != address(this)) bought.send(to, got);
    }

    /// Into an ERC-4626 vault for its shares, or out of it with them.
    function _sellToVault(address vault, address sold, address bought, uint256 amount, address to)
        private
        returns (uint256 got)
    {
        if (sold == vault) return IVault(vault).redeem(amount, to, address(this));
        if (bought != vault) revert InvalidPayload();
        sold.approve(vault, amount);
        got = IVault(vault).deposit(amount, to);
        _assertDrawn(sold, vault);
    }

    function _sellToPair(address pair, uint256 feePpm, bool zeroForOne, uint256 amount, address to)
        private
        returns (uint256 bought)
    {
        (uint256 reserveIn, uint256 reserveOut) = _reserves(pair, zeroForOne);
        uint256 afterFee = amount * (PPM - feePpm);
        bought = afterFee * reserveOut / (reserveIn * PPM + afterFee);
        _swapPair(pair, zeroForOne, bought, to);
    }

    function _sellToSolidly(address pool, address sold, bool zeroForOne, uint256 amount, address to)
        private
        returns (uint256 bought)
    {
        bought = ISolidlyPool(pool).getAmountOut(amount, sold);
        _swapPair(pool, zeroForOne, bought, to);
    }

    function _sellToPool(
        address pool,
        bytes4 callback,
        address sold,
        bool zeroForOne,
        uint256 amount,
        bytes32 payer_,
        address to
    ) private returns (uint256) {
        (uint256 used, uint256 bought) =
            _swapPool(pool, callback, zeroForOne, _signed(amount), sold, amount, payer_, to, msg.data[0:0]);
        if (used != amount) revert PartialFill(pool);
        return bought;
    }

    // --------------------------------------------------------------------------------------------- exact-out

    /// Makes `needed` of `token` at `to` by the nodes, one after another.
    function _make(bytes calldata nodes, address token, uint256 needed, address to) private {
        while (nodes.length != 0) {
            Node memory node = _nodeAt(nodes);
            uint256 amount = needed;
            // Rounded up, and never above what is needed: the share is at most a whole, or the subtraction fails.
            if (node.share != SHARE_ONE) amount = (needed * node.share + SHARE_ONE - 1) / SHARE_ONE;
            needed -= amount;
            _buy(node, nodes[EXACT_OUT_NODE:EXACT_OUT_NODE * node.size], token, amount, to);
            nodes = nodes[EXACT_OUT_NODE * node.size:];
        }
        if (needed != 0) revert Unmade(token, needed);
    }

    function _nodeAt(bytes calldata nodes) private pure returns (Node memory) {
        uint256 tail = uint256(uint64(bytes8(nodes[41:49])));
        return Node({
            venue: uint8(nodes[0]),
            pool: address(bytes20(nodes[1:21])),
            takes: address(bytes20(nodes[21:41])),
            feePpm: tail >> 40,
            share: uint32(tail >> 8),
            size: uint8(tail)
        });
    }

    function _buy(Node memory node, bytes calldata inputs, address bought, uint256 amount, address to) private {
        bool zeroForOne = node.takes < bought;
        if (node.venue == V2_PAIR || node.venue == SOLIDLY_POOL) {
            (uint256 reserveIn, uint256 reserveOut) = _reserves(node.pool, zeroForOne);
            if (amount >= reserveOut) revert InsufficientLiquidity(node.pool);
            uint256 left = reserveOut - amount;
            // A pair's router rounds once; a Solidly pool takes its fee out first, and is volatile here: a stable one
            // refuses what this gives it.
            uint256 cost = node.venue == V2_PAIR
                ? reserveIn * amount * PPM / (left * (PPM - node.feePpm)) + 1
                : ((reserveIn * amount + left - 1) / left - 1) * PPM / (PPM - node.feePpm) + 1;
            _supply(inputs, node.takes, cost, node.pool);
            _swapPair(node.pool, zeroForOne, amount, to);
        } else if (node.venue == WRAPPED_NATIVE) {
            _supply(inputs, node.takes, amount, address(this));
            _convert(node.takes, bought, amount, to);
        } else if (node.venue == VAULT) {
            _buyFromVault(node, inputs, bought, amount, to);
        } else if (node.venue == V4_POOL) {
            V4Swap memory swap = _v4Swap(node.pool, node.feePpm, inputs, node.takes, bought);
            inputs = inputs[EXACT_OUT_NODE:];
            (swap.amount, swap.most, swap.to) = (-_signed(amount), type(uint256).max, to);
            if (inputs.length == 0) swap.payer = node.takes == NATIVE_TOKEN ? SELF : SELLER;
            (, uint256 made) = _swapV4(swap, inputs);
            if (made != amount) revert PartialFill(node.pool);
        } else {
            bytes4 callback = _callbackOf(node.venue);
            if (callback == 0) revert InvalidPayload();
            bytes32 payer_ = inputs.length == 0 ? SELLER : keccak256(inputs);
            (, uint256 made) = _swapPool(
                node.pool, callback, zeroForOne, -_signed(amount), node.takes, type(uint256).max, payer_, to, inputs
            );
            if (made != amount) revert PartialFill(node.pool);
        }
    }

    /// What a vault asks for an exact output is what its own preview says.
    function _buyFromVault(Node memory node, bytes calldata inputs, address bought, uint256 amount, address to)
        private
    {
        IVault vault = IVault(node.pool);
        if (bought == node.pool) {
            uint256 cost = vault.previewMint(amount);
            _supply(inputs, node.takes, cost, address(this));
            node.takes.approve(node.pool, cost);
            vault.mint(amount, to);
            _assertDrawn(node.takes, node.pool);
        } else {
            if (node.takes != node.pool) revert InvalidPayload();
            _supply(inputs, node.takes, vault.previewWithdraw(amount), address(this));
            vault.withdraw(amount, to, address(this));
        }
    }

    /// Brings `amount` of `token` to `to`: made by `inputs`, or where there are none, the seller's own.
    function _supply(bytes calldata inputs, address token, uint256 amount, address to) private {
        if (inputs.length != 0) _make(inputs, token, amount, to);
        else if (token != NATIVE_TOKEN) IPull(gateway).pull(to, amount);
    }

    // ------------------------------------------------------------------------------------------------ venues

    function _reserves(address pair, bool zeroForOne) private view returns (uint256 reserveIn, uint256 reserveOut) {
        (uint112 reserve0, uint112 reserve1,) = IUniswapV2Pair(pair).getReserves();
        return zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
    }

    function _swapPair(address pair, bool zeroForOne, uint256 bought, address to) private {
        (uint256 out0, uint256 out1) = zeroForOne ? (uint256(0), bought) : (bought, uint256(0));
        IUniswapV2Pair(pair).swap(out0, out1, to, "");
    }

    /// An approval is of exactly what is sold, and nothing of it is left open.
    function _assertDrawn(address token, address spender) private view {
        if (IERC20(token).allowance(address(this), spender) != 0) revert PartialFill(spender);
    }

    /// The callback in which a concentrated pool of this venue asks for its payment; zero for every other venue.
    function _callbackOf(uint256 venue) private pure returns (bytes4) {
        if (venue == V3_POOL) return this.uniswapV3SwapCallback.selector;
        if (venue == PANCAKE_V3_POOL) return this.pancakeV3SwapCallback.selector;
        if (venue == ALGEBRA_POOL) return this.algebraSwapCallback.selector;
        return 0;
    }

    function _swapPool(
        address pool,
        bytes4 callback,
        bool zeroForOne,
        int256 amount,
        address token,
        uint256 most,
        bytes32 payer_,
        address to,
        bytes calldata inputs
    ) private returns (uint256 paid, uint256 bought) {
        expectedCallback = _callbackFrom(pool, callback);
        paymentToken = token;
        paymentMost = most;
        payer = payer_;
        (int256 amount0, int256 amount1) =
            IUniswapV3Pool(pool).swap(to, zeroForOne, amount, zeroForOne ? MIN_SQRT_PRICE : MAX_SQRT_PRICE, inputs);
        if (expectedCallback != 0) revert CallbackMissing(pool);
        return zeroForOne ? (uint256(amount0), uint256(-amount1)) : (uint256(amount1), uint256(-amount0));
    }

    // ------------------------------------------------------------------------------------------- Uniswap V4

    /// The pool of two tokens by its terms: tick spacing (3 bytes) and hooks (20 bytes) at the beginning of `terms`.
    function _v4Swap(address manager, uint256 fee, bytes calldata terms, address sold, address bought)
        private
        pure
        returns (V4Swap memory swap)
    {
        (address give, address take) = (_currencyOf(sold), _currencyOf(bought));
        (swap.manager, swap.sold, swap.zeroForOne) = (manager, sold, give < take);
        (address lower, address upper) = give < take ? (give, take) : (take, give);
        int24 tickSpacing = int24(uint24(bytes3(terms[0:3])));
        swap.key = PoolKey(lower, upper, uint24(fee), tickSpacing, address(bytes20(terms[3:23])));
    }

    function _currencyOf(address token) private pure returns (address) {
        return token == NATIVE_TOKEN ? address(0) : token;
    }

    /// Swaps under a lock that was opened from here: one that is open already, or its own.
    function _swapV4(V4Swap memory swap, bytes calldata inputs) private returns (uint256 paid, uint256 bought) {
        if (openManager == swap.manager) return _swapInLock(swap, inputs);
        bytes memory data = bytes.concat(abi.encode(swap), inputs);
        expectedCallback = _callbackFrom(swap.manager, this.unlockCallback.selector);
        unlockData = keccak256(data);
        bytes memory answer = IPoolManager(swap.manager).unlock(data);
        if (expectedCallback != 0) revert CallbackMissing(swap.manager);
        return abi.decode(answer, (uint256, uint256));
    }

    function _swapInLock(V4Swap memory swap, bytes calldata inputs) private returns (uint256 paid, uint256 bought) {
        IPoolManager manager = IPoolManager(swap.manager);
        SwapParams memory params =
            SwapParams(swap.zeroForOne, -swap.amount, swap.zeroForOne ? MIN_SQRT_PRICE : MAX_SQRT_PRICE);
        int256 delta = manager.swap(swap.key, params, "");
        (int256 delta0, int256 delta1) = (delta >> 128, int128(delta));
        (int256 owed, int256 gained) = swap.zeroForOne ? (-delta0, delta1) : (-delta1, delta0);
        if (owed <= 0 || gained < 0) revert UnexpectedCallback(swap.manager);
        (paid, bought) = (uint256(owed), uint256(gained));
        if (paid > swap.most) revert ExcessivePayment(swap.most, paid);

        // What is owed is here before the manager notes its balance: making it may use the manager again.
        if (swap.payer == 0) _make(inputs, swap.sold, paid, address(this));
        manager.sync(_currencyOf(swap.sold));
        if (swap.sold == NATIVE_TOKEN) {
            if (paid > address(this).balance) revert ExcessivePayment(address(this).balance, paid);
            manager.settle{value: paid}();
        } else {
            if (swap.payer == SELLER) IPull(gateway).pull(swap.manager, paid);
            else swap.sold.send(swap.manager, paid);
            manager.settle();
        }
        manager.take(_currencyOf(swap.zeroForOne ? swap.key.currency1 : swap.key.currency0), swap.to, bought);
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
        if (amount > paymentMost) revert ExcessivePayment(paymentMost, amount);
        bytes32 payer_ = payer;
        if (payer_ == SELLER) IPull(gateway).pull(msg.sender, amount);
        else if (payer_ == SELF) paymentToken.send(msg.sender, amount);
        else if (payer_ == keccak256(data)) _make(data, paymentToken, amount, msg.sender);
        else revert UnexpectedCallback(msg.sender);
    }

    function _callbackFrom(address pool, bytes4 callback) private pure returns (bytes32) {
        return bytes32(uint256(uint160(pool)) << 32 | uint32(callback));
    }

    /// Wraps or unwraps what is here and brings it to `to`.
    function _convert(address sold, address bought, uint256 amount, address to) private {
        address wrapped = wrappedNative;
        if (sold == NATIVE_TOKEN && bought == wrapped) {
            if (amount > address(this).balance) revert ExcessivePayment(address(this).balance, amount);
            IWrappedNative(wrapped).deposit{value: amount}();
        } else if (sold == wrapped && bought == NATIVE_TOKEN) IWrappedNative(wrapped).withdraw(amount);
        else revert InvalidPayload();
        if (to != address(this)) bought.send(to, amount);
    }

    function _signed(uint256 amount) private pure returns (int256) {
        if (amount > uint256(type(int256).max)) revert AmountTooLarge(amount);
        return int256(amount);
    }
}
