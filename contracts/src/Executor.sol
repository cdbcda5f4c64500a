// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {DrawnVenues, InvalidPayload, PartialFill} from "./DrawnVenues.sol";
import {IExecutor} from "./Gateway.sol";
import {IOrderSettlement, MakerOrder} from "./MakerOrder.sol";
import {NATIVE_TOKEN, TokenTransfers} from "./TokenTransfers.sol";
import {
    BufferWrapOrUnwrapParams,
    IBalancerV3Vault,
    IPoolManager,
    ISolidlyPool,
    IUniswapV2Pair,
    IUniswapV3Pool,
    IVault,
    IWrappedNative,
    PoolKey,
    SwapParams,
    VaultSwapParams
} from "./Venues.sol";

interface IGateway {
    function pull(address to, uint256 amount) external;
    function seller() external view returns (address);
}

/// One fill of an exact-in payload, its 30 bytes in the high end of a word.
type Fill is uint256;

using {venueOf, destinationOf, soldOf, boughtOf, shareOf, detailOf, poolOf} for Fill global;

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

function detailOf(Fill fill) pure returns (uint256) {
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
///   3 detail, with a meaning of the venue's own
///  20 pool
///
/// Payload, exact-out: a one byte; the amount to make of the bought token (32 bytes); then nodes of 49 bytes, each
/// followed by the nodes that make what it takes:
///   1 venue
///  20 pool
///  20 the token it takes
///   3 detail
///   4 share of what is still needed of the token it makes, rounded up; a whole billion makes the rest
///   1 number of nodes from here to the last one below it, itself included; what follows only to say more of a venue
///     counts too. None below it: it takes the sold token itself
///
/// Venues, with their pool, their detail (zero where it has no meaning), and what follows the fill or node to say more
/// of it: as many bytes as whole further fills or nodes have, zeros at the end.
///   0 V2 pair, 3 Solidly pool: the fee in parts per million
///   1 V3 pool, 8 PancakeSwap V3 pool, 9 Algebra pool
///   2 wrapped native token; pool zero
///   4 Curve pool: which of its functions, the numbers of the coins sold and bought (1 byte each); see DrawnVenues
///   5 ERC-4626 vault
///   6 maker's order; pool: the OrderSettlement; detail: how many further fills or nodes follow. Maker (20), amounts of
///     the maker and of the taker, least of the taker (16 each), expiry (8), nonce (32), refillable (1), signature (2 for
///     its length, then itself)
///   7 Balancer V2 pool: bytes 20 to 22 of the pool's id, which begins with the pool. Vault (20), last 9 bytes of the id
///  10 Uniswap V4 pool; pool: the PoolManager; detail: the fee of its key. Tick spacing (3) and hooks (20) of its key
///  11 Balancer V3 pool; pool: the vault. The pool itself (20)
///  12 rate token
///  13 price stability module: 1 sells gem to it, 0 buys gem from it
///  14 Balancer V3's buffer of an ERC-4626 vault; pool: Balancer's vault. The ERC-4626 vault (20)
contract Executor is IExecutor {
    using TokenTransfers for address;

    error NotTheGateway(address caller);
    error UnexpectedNative(address sender);
    error UnexpectedCallback(address caller);
    error ExcessivePayment(uint256 most, uint256 wanted);
    error CallbackMissing(address pool);
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
    uint256 private constant MAKER_ORDER = 6;
    uint256 private constant BALANCER_V2_POOL = 7;
    uint256 private constant PANCAKE_V3_POOL = 8;
    uint256 private constant ALGEBRA_POOL = 9;
    uint256 private constant V4_POOL = 10;
    uint256 private constant BALANCER_V3_POOL = 11;
    uint256 private constant RATE_TOKEN = 12;
    uint256 private constant PSM = 13;
    uint256 private constant BALANCER_V3_BUFFER = 14;
    /// The venues of which further fills or nodes say more, a bit each.
    uint256 private constant SAY_MORE =
        1 << MAKER_ORDER | 1 << BALANCER_V2_POOL | 1 << V4_POOL | 1 << BALANCER_V3_POOL | 1 << BALANCER_V3_BUFFER;
    /// The venues that are traded under a lock, a bit each.
    uint256 private constant LOCKED = 1 << V4_POOL | 1 << BALANCER_V3_POOL | 1 << BALANCER_V3_BUFFER;

    uint256 private constant TO_EXECUTOR = 0;
    uint256 private constant TO_PAYEE = 1;
    /// Straight into the next fill's pair, which takes all of it.
    uint256 private constant TO_NEXT = 2;

    uint256 private constant EXACT_IN_FILL = 30;
    uint256 private constant EXACT_OUT_NODE = 49;
    /// Bytes of an encoded LockedSwap.
    uint256 private constant LOCKED_SWAP = 13 * 32;

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
    /// The same of Balancer V3's vaults.
    address private transient openVault;
    /// What the lock that is being opened must call back with.
    bytes32 private transient unlockData;

    /// The pool that may send native token now, since it is paying out; zero when none may.
    address private transient nativeSource;

    bytes32 private constant SELLER = keccak256("tributary.payer.seller");
    bytes32 private constant SELF = keccak256("tributary.payer.self");

    struct Node {
        uint256 venue;
        address pool;
        address takes;
        uint256 detail;
        uint256 share;
        uint256 size;
    }

    /// One swap under the lock of a PoolManager of Uniswap V4 or of a vault of Balancer V3, everything about its payment
    /// included.
    struct LockedSwap {
        uint256 venue;
        address manager;
        /// Of a vault of Balancer: what is sold and what is bought as currencies, and pool or ERC-4626 vault as hooks.
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
        bool expected = msg.sender == wrappedNative || msg.sender == openManager || msg.sender == nativeSource;
        if (!expected) revert UnexpectedNative(msg.sender);
    }

    function execute(address sellToken, uint256 sellAmount, address buyToken, address payTo, bytes calldata payload)
        external
        payable
        returns (uint256 made)
    {
        if (msg.sender != gateway) revert NotTheGateway(msg.sender);
        uint256 kind = uint8(payload[0]);
        if (kind == 0) {
            made = _exactIn(sellToken, sellAmount, buyToken, payTo, payload[1:]);
        } else if (kind == 1) {
            made = uint256(bytes32(payload[1:33]));
            _make(payload[33:], buyToken, made, payTo);
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
        LockedSwap memory swap = abi.decode(data, (LockedSwap));
        (address manager, address vault) = (openManager, openVault);
        if (swap.venue == V4_POOL) openManager = msg.sender;
        else openVault = msg.sender;
        (uint256 paid, uint256 bought) = _swapInLock(swap, data[LOCKED_SWAP:]);
        (openManager, openVault) = (manager, vault);
        return abi.encode(paid, bought);
    }

    // ---------------------------------------------------------------------------------------------- exact-in

    function _exactIn(address sellToken, uint256 sellAmount, address buyToken, address payTo, bytes calldata payload)
        private
        returns (uint256 made)
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
            at += EXACT_IN_FILL;
            (uint256 sold, uint256 bought, uint256 destination) = (fill.soldOf(), fill.boughtOf(), fill.destinationOf());
            uint256 whole = left[sold];
            uint256 amount = whole;
            if (fill.shareOf() != SHARE_ONE) amount = amount * fill.shareOf() / SHARE_ONE;
            bytes calldata more = msg.data[0:0];
            if (_saysMore(fill.venueOf())) {
                more = _after(fills[at:], EXACT_IN_FILL, fill.venueOf(), fill.detailOf());
                at += more.length;
                if (fill.venueOf() == MAKER_ORDER && amount > _takerAmountOf(more)) {
                    // What the maker does not take is for the fills after this one, or the seller's.
                    if (fill.shareOf() == SHARE_ONE) {
                        uint256 excess = amount - _takerAmountOf(more);
                        whole -= excess;
                        if (sold != 0) _giveBack(tokens[sold], excess);
                    }
                    amount = _takerAmountOf(more);
                }
            }
            left[sold] = whole - amount;

            address to = address(this);
            if (destination == TO_PAYEE) {
                if (bought != 1) revert InvalidPayload();
                to = payTo;
            } else if (destination == TO_NEXT) {
                to = _fillAt(fills, at).poolOf();
            } else if (destination != TO_EXECUTOR) {
                revert InvalidPayload();
            }

            uint256 got = _sell(fill, more, tokens[sold], tokens[bought], amount, paid, to);
            if (destination == TO_PAYEE) made += got;
            else left[bought] += got;
            paid = destination == TO_NEXT;
        }
        for (uint256 i = 0; i < count; ++i) {
            if (left[i] != 0) revert Unspent(tokens[i], left[i]);
        }
    }

    function _fillAt(bytes calldata fills, uint256 at) private pure returns (Fill) {
        return Fill.wrap(uint256(bytes32(bytes30(fills[at:at + EXACT_IN_FILL]))));
    }

    /// Whether further fills or nodes are there only to say more of this one.
    function _saysMore(uint256 venue) private pure returns (bool) {
        return SAY_MORE >> venue & 1 != 0;
    }

    function _isLocked(uint256 venue) private pure returns (bool) {
        return LOCKED >> venue & 1 != 0;
    }

    /// What is there to say more of a fill or node, of the bytes after it.
    function _after(bytes calldata rest, uint256 entry, uint256 venue, uint256 detail)
        private
        pure
        returns (bytes calldata)
    {
        return rest[:entry * (venue == MAKER_ORDER ? detail : 1)];
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
            if (!paid) _deliver(fromSeller, sold, amount, fill.poolOf());
            if (fill.venueOf() == SOLIDLY_POOL) return _sellToSolidly(fill.poolOf(), sold, sold < bought, amount, to);
            return _sellToPair(fill.poolOf(), fill.detailOf(), sold < bought, amount, to);
        }
        if (paid) revert InvalidPayload();
        bytes4 callback = _callbackOf(fill.venueOf());
        if (callback != 0) {
            return _sellToPool(fill.poolOf(), callback, sold, sold < bought, amount, fromSeller ? SELLER : SELF, to);
        }
        if (_isLocked(fill.venueOf())) {
            LockedSwap memory swap = _lockedSwap(fill.venueOf(), fill.poolOf(), fill.detailOf(), more, sold, bought);
            (swap.amount, swap.most, swap.to) = (_signed(amount), amount, to);
            swap.payer = fromSeller ? SELLER : SELF;
            (uint256 used, uint256 made) = _swapLocked(swap, msg.data[0:0]);
            if (used != amount) revert PartialFill(swap.manager);
            return made;
        }
        if (fill.venueOf() == MAKER_ORDER) return _sellToMaker(fill, more, sold, bought, amount, fromSeller, to);
        if (fill.venueOf() == PSM && fill.detailOf() == 0) return _buyGem(fill, sold, amount, fromSeller, to);
        if (fromSeller) IGateway(gateway).pull(address(this), amount);
        return _sellDrawn(fill, more, sold, bought, amount, to);
    }

    /// What is sold is here.
    function _sellDrawn(Fill fill, bytes calldata more, address sold, address bought, uint256 amount, address to)
        private
        returns (uint256 got)
    {
        (uint256 venue, address pool) = (fill.venueOf(), fill.poolOf());
        if (venue == WRAPPED_NATIVE) {
            _convert(sold, bought, amount, to);
            return amount;
        }
        if (venue == CURVE_POOL) {
            if (bought == NATIVE_TOKEN) nativeSource = pool;
            got = DrawnVenues.exchangeOnCurve(pool, fill.detailOf(), sold, bought, amount, to);
            nativeSource = address(0);
            return got;
        }
        if (venue == VAULT) return DrawnVenues.sellToVault(pool, sold, bought, amount, to);
        if (venue == BALANCER_V2_POOL) {
            bytes32 poolId = _poolIdOf(pool, fill.detailOf(), more);
            return
                DrawnVenues.swapOnBalancerV2(_addressAt(more, 0), poolId, 0, sold, bought, amount, amount, to);
        }
        if (venue == RATE_TOKEN) return DrawnVenues.convertAtRate(pool, sold, bought, amount, to);
        if (venue == PSM) return DrawnVenues.sellGem(pool, sold, bought, amount, to);
        revert InvalidPayload();
    }

    /// What is too little for one more unit of gem stays with the seller.
    function _buyGem(Fill fill, address sold, uint256 amount, bool fromSeller, address to)
        private
        returns (uint256 gem)
    {
        uint256 cost;
        (gem, cost) = DrawnVenues.gemFor(fill.poolOf(), amount);
        if (fromSeller) IGateway(gateway).pull(address(this), cost);
        else if (cost != amount) _giveBack(sold, amount - cost);
        DrawnVenues.buyGem(fill.poolOf(), sold, cost, gem, to);
    }

    function _sellToMaker(
        Fill fill,
        bytes calldata more,
        address sold,
        address bought,
        uint256 amount,
        bool fromSeller,
        address to
    ) private returns (uint256 got) {
        MakerOrder memory order = _orderOf(more, sold, bought);
        got = amount * order.makerAmount / order.takerAmount;
        _deliver(fromSeller, sold, amount, fill.poolOf());
        IOrderSettlement(fill.poolOf()).fill(order, _signatureOf(more), amount, got, to);
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
            detail: tail >> 40,
            share: uint32(tail >> 8),
            size: uint8(tail)
        });
    }

    function _buy(Node memory node, bytes calldata inputs, address bought, uint256 amount, address to) private {
        bytes calldata more = msg.data[0:0];
        if (_saysMore(node.venue)) {
            more = _after(inputs, EXACT_OUT_NODE, node.venue, node.detail);
            inputs = inputs[more.length:];
        }
        bool zeroForOne = node.takes < bought;
        if (node.venue == V2_PAIR || node.venue == SOLIDLY_POOL) {
            (uint256 reserveIn, uint256 reserveOut) = _reserves(node.pool, zeroForOne);
            if (amount >= reserveOut) revert InsufficientLiquidity(node.pool);
            uint256 left = reserveOut - amount;
            // A pair's router rounds once; a Solidly pool takes its fee out first, and is volatile here: a stable one
            // refuses what this gives it.
            uint256 cost = node.venue == V2_PAIR
                ? reserveIn * amount * PPM / (left * (PPM - node.detail)) + 1
                : ((reserveIn * amount + left - 1) / left - 1) * PPM / (PPM - node.detail) + 1;
            _supply(inputs, node.takes, cost, node.pool);
            _swapPair(node.pool, zeroForOne, amount, to);
        } else if (node.venue == WRAPPED_NATIVE) {
            _supply(inputs, node.takes, amount, address(this));
            _convert(node.takes, bought, amount, to);
        } else if (node.venue == VAULT) {
            _buyFromVault(node, inputs, bought, amount, to);
        } else if (_isLocked(node.venue)) {
            LockedSwap memory swap = _lockedSwap(node.venue, node.pool, node.detail, more, node.takes, bought);
            (swap.amount, swap.most, swap.to) = (-_signed(amount), type(uint256).max, to);
            if (inputs.length == 0) swap.payer = node.takes == NATIVE_TOKEN ? SELF : SELLER;
            (, uint256 made) = _swapLocked(swap, inputs);
            if (made != amount) revert PartialFill(node.pool);
        } else if (node.venue == BALANCER_V2_POOL) {
            bytes32 poolId = _poolIdOf(node.pool, node.detail, more);
            address vault = _addressAt(more, 0);
            uint256 cost = DrawnVenues.costOnBalancerV2(vault, poolId, node.takes, bought, amount);
            _supply(inputs, node.takes, cost, address(this));
            DrawnVenues.swapOnBalancerV2(vault, poolId, 1, node.takes, bought, amount, cost, to);
        } else if (node.venue == MAKER_ORDER) {
            MakerOrder memory order = _orderOf(more, node.takes, bought);
            uint256 cost = (amount * order.takerAmount + order.makerAmount - 1) / order.makerAmount;
            _supply(inputs, node.takes, cost, node.pool);
            IOrderSettlement(node.pool).fill(order, _signatureOf(more), cost, amount, to);
        } else if (node.venue == PSM) {
            _buyFromPsm(node, inputs, bought, amount, to);
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

    /// What a vault asks for an exact output is exactly what its own preview says, or there is no swap.
    function _buyFromVault(Node memory node, bytes calldata inputs, address bought, uint256 amount, address to)
        private
    {
        IVault vault = IVault(node.pool);
        if (bought == node.pool) {
            uint256 cost = vault.previewMint(amount);
            _supply(inputs, node.takes, cost, address(this));
            node.takes.approve(node.pool, cost);
            vault.mint(amount, to);
            DrawnVenues.assertDrawn(node.takes, node.pool);
        } else {
            if (node.takes != node.pool) revert InvalidPayload();
            uint256 cost = vault.previewWithdraw(amount);
            _supply(inputs, node.takes, cost, address(this));
            // A preview may be above what is burnt; what is not would stay here.
            if (vault.withdraw(amount, to, address(this)) != cost) revert PartialFill(node.pool);
        }
    }

    /// Gem comes in units only: what the last one brings beyond `amount` is the seller's.
    function _buyFromPsm(Node memory node, bytes calldata inputs, address bought, uint256 amount, address to) private {
        if (node.detail == 0) {
            uint256 cost = DrawnVenues.costOfGem(node.pool, amount);
            _supply(inputs, node.takes, cost, address(this));
            DrawnVenues.buyGem(node.pool, node.takes, cost, amount, to);
            return;
        }
        uint256 gem = DrawnVenues.gemThatBrings(node.pool, amount);
        _supply(inputs, node.takes, gem, address(this));
        uint256 got = DrawnVenues.sellGem(node.pool, node.takes, bought, gem, address(this));
        if (to != address(this)) bought.send(to, amount);
        if (got != amount) _giveBack(bought, got - amount);
    }

    /// Brings `amount` of `token` to `to`: made by `inputs`, or where there are none, the seller's own.
    function _supply(bytes calldata inputs, address token, uint256 amount, address to) private {
        if (inputs.length != 0) _make(inputs, token, amount, to);
        else if (token != NATIVE_TOKEN) IGateway(gateway).pull(to, amount);
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

    /// Brings `amount` of `token` to `to`: the seller's own, or what is here.
    function _deliver(bool fromSeller, address token, uint256 amount, address to) private {
        if (fromSeller) IGateway(gateway).pull(to, amount);
        else token.send(to, amount);
    }

    /// Surplus of any token goes to who swaps.
    function _giveBack(address token, uint256 amount) private {
        token.send(IGateway(gateway).seller(), amount);
    }

    function _addressAt(bytes calldata more, uint256 at) private pure returns (address) {
        return address(bytes20(more[at:at + 20]));
    }

    /// The id of a Balancer V2 pool: its address, three bytes of detail, and nine after the vault's address.
    function _poolIdOf(address pool, uint256 detail, bytes calldata more) private pure returns (bytes32) {
        return bytes32(uint256(uint160(pool)) << 96 | detail << 72 | uint72(bytes9(more[20:29])));
    }

    function _takerAmountOf(bytes calldata more) private pure returns (uint256) {
        return uint128(bytes16(more[36:52]));
    }

    /// The order with what is known here: only this contract may fill it, and only for who swaps.
    function _orderOf(bytes calldata more, address sold, address bought) private view returns (MakerOrder memory) {
        return MakerOrder({
            maker: _addressAt(more, 0),
            taker: address(this),
            trader: IGateway(gateway).seller(),
            makerToken: bought,
            takerToken: sold,
            makerAmount: uint128(bytes16(more[20:36])),
            takerAmount: uint128(bytes16(more[36:52])),
            minTakerAmount: uint128(bytes16(more[52:68])),
            expiry: uint64(bytes8(more[68:76])),
            nonce: uint256(bytes32(more[76:108])),
            refillable: more[108] != 0
        });
    }

    function _signatureOf(bytes calldata more) private pure returns (bytes calldata) {
        return more[111:111 + uint16(bytes2(more[109:111]))];
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

    // ------------------------------------------------------------------------------------------------- locks

    /// `terms`: of a V4 pool tick spacing (3 bytes) and hooks (20 bytes), of a Balancer pool the pool (20 bytes), of a
    /// buffer its ERC-4626 vault (20 bytes).
    function _lockedSwap(
        uint256 venue,
        address manager,
        uint256 fee,
        bytes calldata terms,
        address sold,
        address bought
    ) private pure returns (LockedSwap memory swap) {
        (swap.venue, swap.manager, swap.sold) = (venue, manager, sold);
        if (venue != V4_POOL) {
            swap.zeroForOne = true;
            (swap.key.currency0, swap.key.currency1, swap.key.hooks) = (sold, bought, _addressAt(terms, 0));
        } else {
            (address give, address take) = (_currencyOf(sold), _currencyOf(bought));
            swap.zeroForOne = give < take;
            (swap.key.currency0, swap.key.currency1) = give < take ? (give, take) : (take, give);
            (swap.key.fee, swap.key.tickSpacing) = (uint24(fee), int24(uint24(bytes3(terms[0:3]))));
            swap.key.hooks = _addressAt(terms, 3);
        }
    }

    function _currencyOf(address token) private pure returns (address) {
        return token == NATIVE_TOKEN ? address(0) : token;
    }

    /// Swaps under a lock that was opened from here: one that is open already, or its own. A PoolManager calls
    /// `unlockCallback` with what it is given; a vault of Balancer makes what it is given its call.
    function _swapLocked(LockedSwap memory swap, bytes calldata inputs)
        private
        returns (uint256 paid, uint256 bought)
    {
        bool balancer = swap.venue != V4_POOL;
        if ((balancer ? openVault : openManager) == swap.manager) return _swapInLock(swap, inputs);
        bytes memory data = bytes.concat(abi.encode(swap), inputs);
        expectedCallback = _callbackFrom(swap.manager, this.unlockCallback.selector);
        unlockData = keccak256(data);
        if (balancer) data = abi.encodeCall(this.unlockCallback, (data));
        bytes memory answer = IPoolManager(swap.manager).unlock(data);
        if (expectedCallback != 0) revert CallbackMissing(swap.manager);
        if (balancer) answer = abi.decode(answer, (bytes));
        return abi.decode(answer, (uint256, uint256));
    }

    function _swapInLock(LockedSwap memory swap, bytes calldata inputs)
        private
        returns (uint256 paid, uint256 bought)
    {
        bool balancer = swap.venue != V4_POOL;
        bool buffered = swap.venue == BALANCER_V3_BUFFER;
        if (buffered) paid = _costInBuffer(swap);
        else (paid, bought) = balancer ? _swapInVault(swap) : _swapInManager(swap);
        if (paid > swap.most) revert ExcessivePayment(swap.most, paid);

        // What is owed is here before the manager notes its balance: making it may use the manager again.
        if (swap.payer == 0) _make(inputs, swap.sold, paid, address(this));
        IPoolManager manager = IPoolManager(swap.manager);
        if (!balancer) manager.sync(_currencyOf(swap.sold));
        if (swap.sold == NATIVE_TOKEN) {
            if (paid > address(this).balance) revert ExcessivePayment(address(this).balance, paid);
            manager.settle{value: paid}();
        } else {
            _deliver(swap.payer == SELLER, swap.sold, paid, swap.manager);
            if (!balancer) manager.settle();
        }
        address currency = swap.zeroForOne ? swap.key.currency1 : swap.key.currency0;
        if (balancer) {
            IBalancerV3Vault(swap.manager).settle(swap.sold, paid);
            // A buffer that is short goes on to its ERC-4626 vault with what is there.
            if (buffered) bought = _swapInBuffer(swap, paid);
            IBalancerV3Vault(swap.manager).sendTo(currency, swap.to, bought);
        } else {
            manager.take(currency, swap.to, bought);
        }
    }

    function _swapInManager(LockedSwap memory swap) private returns (uint256, uint256) {
        SwapParams memory params =
            SwapParams(swap.zeroForOne, -swap.amount, swap.zeroForOne ? MIN_SQRT_PRICE : MAX_SQRT_PRICE);
        int256 delta = IPoolManager(swap.manager).swap(swap.key, params, "");
        (int256 delta0, int256 delta1) = (delta >> 128, int128(delta));
        (int256 owed, int256 gained) = swap.zeroForOne ? (-delta0, delta1) : (-delta1, delta0);
        if (owed <= 0 || gained < 0) revert UnexpectedCallback(swap.manager);
        return (uint256(owed), uint256(gained));
    }

    function _swapInVault(LockedSwap memory swap) private returns (uint256 paid, uint256 bought) {
        bool sells = swap.amount > 0;
        VaultSwapParams memory params = VaultSwapParams({
            kind: sells ? 0 : 1,
            pool: swap.key.hooks,
            tokenIn: swap.sold,
            tokenOut: swap.key.currency1,
            amountGivenRaw: uint256(sells ? swap.amount : -swap.amount),
            limitRaw: sells ? 0 : type(uint256).max,
            userData: ""
        });
        (, paid, bought) = IBalancerV3Vault(swap.manager).swap(params);
    }

    /// What Balancer's vault will ask for: of its buffers an exact output costs what the preview says of one unit more,
    /// and one more.
    function _costInBuffer(LockedSwap memory swap) private view returns (uint256) {
        if (swap.amount > 0) return uint256(swap.amount);
        uint256 amount = uint256(-swap.amount) + 1;
        IVault vault = IVault(swap.key.hooks);
        return (swap.sold == address(vault) ? vault.previewWithdraw(amount) : vault.previewMint(amount)) + 1;
    }

    /// What it costs is paid already; a vault that asks for anything else leaves its lock unsettled.
    function _swapInBuffer(LockedSwap memory swap, uint256 paid) private returns (uint256 bought) {
        bool sells = swap.amount > 0;
        BufferWrapOrUnwrapParams memory params = BufferWrapOrUnwrapParams({
            kind: sells ? 0 : 1,
            direction: swap.sold == swap.key.hooks ? 1 : 0,
            wrappedToken: swap.key.hooks,
            amountGivenRaw: uint256(sells ? swap.amount : -swap.amount),
            limitRaw: sells ? 0 : paid
        });
        (,, bought) = IBalancerV3Vault(swap.manager).erc4626BufferWrapOrUnwrap(params);
    }

    // ---------------------------------------------------------------------------------------------- payments

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
        if (payer_ == SELLER || payer_ == SELF) _deliver(payer_ == SELLER, paymentToken, amount, msg.sender);
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
