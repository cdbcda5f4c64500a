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

/// One fill of a payload, its 30 bytes in the high end of a word.
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
/// Payload, exact-out: a one byte; the amount to make of the bought token (32 bytes); tokens as above; then fills of the
/// same 30 bytes, back to front: those that take a token stand before those that make it. Other than above:
///   1 high four bits: 1 where what it takes comes to its pool straight from those that make it, or 0
///   4 share: the part, in billionths, of what is still needed of the token it gives, rounded up
///
/// Venues, with their pool, their detail (zero where it has no meaning), and what follows the fill to say more of it: as
/// many bytes as whole further fills have, zeros at the end.
///   0 V2 pair, 3 Solidly pool: the fee in parts per million
///   1 V3 pool, 8 PancakeSwap V3 pool, 9 Algebra pool
///   2 wrapped native token; pool zero
///   4 Curve pool: which of its functions, the numbers of the coins sold and bought (1 byte each); see DrawnVenues
///   5 ERC-4626 vault
///   6 maker's order; pool: the OrderSettlement; detail: how many further fills follow. Maker (20), amounts of the maker
///     and of the taker, least of the taker (16 each), expiry (8), nonce (32), refillable (1), signature (2 for its length,
///     then itself)
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
    /// The venues of which further fills say more, a bit each.
    uint256 private constant SAY_MORE =
        1 << MAKER_ORDER | 1 << BALANCER_V2_POOL | 1 << V4_POOL | 1 << BALANCER_V3_POOL | 1 << BALANCER_V3_BUFFER;
    /// The venues that are traded under a lock, a bit each.
    uint256 private constant LOCKED = 1 << V4_POOL | 1 << BALANCER_V3_POOL | 1 << BALANCER_V3_BUFFER;
    /// The venues that a plain transfer to their pool pays, a bit each.
    uint256 private constant PAID_STRAIGHT = 1 << V2_PAIR | 1 << SOLIDLY_POOL | 1 << V3_POOL | 1 << PANCAKE_V3_POOL
        | 1 << ALGEBRA_POOL | 1 << MAKER_ORDER;

    uint256 private constant TO_EXECUTOR = 0;
    uint256 private constant TO_PAYEE = 1;
    /// Straight into the next fill's pair, which takes all of it.
    uint256 private constant TO_NEXT = 2;

    uint256 private constant FILL = 30;
    uint256 private constant TOKEN = 20;
    /// The first byte of the rest of an exact-out. An encoded LockedSwap begins with a zero byte.
    bytes1 private constant REST = 0x01;

    /// Where in transient storage an exact-out keeps what is still needed of each token, and where those that make it
    /// send it: by the token's number, above all slots that the compiler gives to variables.
    uint256 private constant NEEDED = 1 << 16;
    uint256 private constant PAID_TO = 1 << 17;

    uint160 private constant MIN_SQRT_PRICE = 4295128740;
    uint160 private constant MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970341;

    address public immutable gateway;
    address public immutable wrappedNative;

    /// The one callback that may come now: pool and selector; zero when none may. Cleared by the callback itself.
    bytes32 private transient expectedCallback;
    address private transient paymentToken;
    uint256 private transient paymentMost;
    /// Who pays: the seller through the gateway, this contract, or the rest of an exact-out with this hash.
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

    /// A fill of an exact-out of which the cost is known and which is neither paid nor traded yet.
    struct Opened {
        /// The one before it in memory; zero: there is none.
        uint256 previous;
        Fill fill;
        /// Where what follows the fill begins.
        uint256 at;
        uint256 amount;
        uint256 cost;
        address to;
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
        /// Whether the seller pays, or this contract.
        bool fromSeller;
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
            _exactOut(sellToken, buyToken, payTo, made, payload[33:]);
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
        (address manager, address vault) = (openManager, openVault);
        bytes memory answer;
        if (data[0] == REST) {
            (bytes memory tokens, bytes calldata fills) = _readRest(data);
            _noteOpen(_fillAt(fills, 0).venueOf());
            _make(tokens, fills);
        } else {
            LockedSwap memory swap = abi.decode(data, (LockedSwap));
            _noteOpen(swap.venue);
            (uint256 paid, uint256 bought) = _swapInLock(swap);
            answer = abi.encode(paid, bought);
        }
        (openManager, openVault) = (manager, vault);
        return answer;
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
        if (fills.length % FILL != 0) revert InvalidPayload();

        // What is left of each token. It counts what venues say they paid; a venue that lies makes the payment to the
        // next one fail, since nothing else is here.
        uint256[] memory left = new uint256[](count);
        left[0] = sellAmount;
        bool paid = false;
        for (at = 0; at < fills.length;) {
            Fill fill = _fillAt(fills, at);
            at += FILL;
            (uint256 sold, uint256 bought, uint256 destination) = (fill.soldOf(), fill.boughtOf(), fill.destinationOf());
            uint256 whole = left[sold];
            uint256 amount = whole;
            if (fill.shareOf() != SHARE_ONE) amount = amount * fill.shareOf() / SHARE_ONE;
            bytes calldata more = msg.data[0:0];
            if (_saysMore(fill.venueOf())) {
                more = _moreOf(fill, fills[at:]);
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
        return Fill.wrap(uint256(bytes32(bytes30(fills[at:at + FILL]))));
    }

    /// Whether further fills are there only to say more of this one.
    function _saysMore(uint256 venue) private pure returns (bool) {
        return SAY_MORE >> venue & 1 != 0;
    }

    function _isLocked(uint256 venue) private pure returns (bool) {
        return LOCKED >> venue & 1 != 0;
    }

    /// What is there to say more of a fill, of the bytes after it.
    function _moreOf(Fill fill, bytes calldata rest) private pure returns (bytes calldata) {
        return rest[:FILL * (fill.venueOf() == MAKER_ORDER ? fill.detailOf() : 1)];
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
            swap.fromSeller = fromSeller;
            (uint256 used, uint256 made) = _swapLocked(swap);
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
            _swapPool(pool, callback, zeroForOne, _signed(amount), sold, amount, payer_, to);
        if (used != amount) revert PartialFill(pool);
        return bought;
    }

    // --------------------------------------------------------------------------------------------- exact-out

    function _exactOut(address sellToken, address buyToken, address payTo, uint256 amount, bytes calldata payload)
        private
    {
        uint256 at = 1 + TOKEN * uint8(payload[0]);
        _store(NEEDED + 1, amount);
        _store(PAID_TO + 1, uint256(uint160(payTo)));
        _make(abi.encodePacked(sellToken, buyToken, payload[1:at]), payload[at:]);
    }

    /// Makes by these fills what is needed of each token. Opens them one after another, so that it is known of each token
    /// how much is needed before any is made; then closes them the other way round, so that what is paid is there. A pool
    /// that asks for its payment in a callback has those after it made there, and so has a lock that is to be opened.
    function _make(bytes memory tokens, bytes calldata fills) private {
        Opened memory last;
        uint256 at = 0;
        while (at != fills.length) {
            Fill fill = _fillAt(fills, at);
            (uint256 venue, uint256 sold) = (fill.venueOf(), fill.soldOf());
            if (_isLocked(venue) && !_isOpen(venue, fill.poolOf())) {
                _unlock(venue != V4_POOL, fill.poolOf(), _writeRest(tokens, fills[at:]));
                break;
            }
            if (sold == 1 || fill.boughtOf() == 0) revert InvalidPayload();
            uint256 amount = _takeShare(fill);
            address to = _receiverOf(fill);
            if (_callbackOf(venue) != 0) {
                if (sold != 0) {
                    _buyByRest(fill, tokens, amount, to, _writeRest(tokens, fills[at:]));
                    break;
                }
                _buyFromPool(fill, tokens, amount, to);
                at += FILL;
                continue;
            }
            at += FILL;
            bytes calldata more = msg.data[0:0];
            if (_saysMore(venue)) more = _moreOf(fill, fills[at:]);
            uint256 cost = _open(fill, more, _tokenAt(tokens, sold), _tokenAt(tokens, fill.boughtOf()), amount);
            if (sold != 0) _need(sold, cost);
            uint256 previous;
            assembly ("memory-safe") {
                previous := last
            }
            last = Opened(previous, fill, at, amount, cost, to);
            at += more.length;
        }
        if (at == fills.length) _assertMade(tokens);
        while (last.previous != 0) {
            _close(last, tokens, fills);
            uint256 previous = last.previous;
            assembly ("memory-safe") {
                last := previous
            }
        }
    }

    /// Takes a fill's share off what is needed of the token it makes.
    function _takeShare(Fill fill) private returns (uint256 amount) {
        uint256 needed = _load(NEEDED + fill.boughtOf());
        amount = needed;
        // Rounded up, and never above what is needed: the share is at most a whole, or the subtraction fails.
        if (fill.shareOf() != SHARE_ONE) amount = (needed * fill.shareOf() + SHARE_ONE - 1) / SHARE_ONE;
        _store(NEEDED + fill.boughtOf(), needed - amount);
    }

    /// Where a fill sends what it makes. Notes where those that make what it takes do.
    function _receiverOf(Fill fill) private returns (address to) {
        if (fill.destinationOf() != 0) {
            bool straight = fill.destinationOf() == 1 && fill.soldOf() != 0 && PAID_STRAIGHT >> fill.venueOf() & 1 != 0;
            if (!straight) revert InvalidPayload();
            _store(PAID_TO + fill.soldOf(), uint256(uint160(fill.poolOf())));
        }
        to = address(uint160(_load(PAID_TO + fill.boughtOf())));
        if (to == address(0)) to = address(this);
    }

    /// All was made that is needed. Leaves nothing behind for a swap that comes later in this transaction.
    function _assertMade(bytes memory tokens) private {
        for (uint256 i = tokens.length / TOKEN - 1; i != 0; --i) {
            uint256 needed = _load(NEEDED + i);
            if (needed != 0) revert Unmade(_tokenAt(tokens, i), needed);
            _store(PAID_TO + i, 0);
        }
    }

    function _need(uint256 token, uint256 amount) private {
        _store(NEEDED + token, _load(NEEDED + token) + amount);
    }

    function _load(uint256 slot) private view returns (uint256 value) {
        assembly ("memory-safe") {
            value := tload(slot)
        }
    }

    function _store(uint256 slot, uint256 value) private {
        assembly ("memory-safe") {
            tstore(slot, value)
        }
    }

    function _tokenAt(bytes memory tokens, uint256 index) private pure returns (address token) {
        uint256 end = (index + 1) * TOKEN;
        if (end > tokens.length) revert InvalidPayload();
        assembly ("memory-safe") {
            token := and(mload(add(tokens, end)), 0xffffffffffffffffffffffffffffffffffffffff)
        }
    }

    /// An exact-out from here on, as a callback has it: how many intermediate tokens there are, all tokens, the fills.
    function _writeRest(bytes memory tokens, bytes calldata fills) private pure returns (bytes memory) {
        return abi.encodePacked(REST, uint8(tokens.length / TOKEN - 2), tokens, fills);
    }

    function _readRest(bytes calldata data) private pure returns (bytes memory tokens, bytes calldata fills) {
        uint256 end = 2 + TOKEN * (2 + uint256(uint8(data[1])));
        return (data[2:end], data[end:]);
    }

    /// A pool that asks for its payment in a callback and takes the sold token: the seller pays.
    function _buyFromPool(Fill fill, bytes memory tokens, uint256 amount, address to) private {
        (address pool, address sold) = (fill.poolOf(), _tokenAt(tokens, 0));
        bool zeroForOne = sold < _tokenAt(tokens, fill.boughtOf());
        bytes4 callback = _callbackOf(fill.venueOf());
        (, uint256 made) =
            _swapPool(pool, callback, zeroForOne, -_signed(amount), sold, type(uint256).max, SELLER, to);
        if (made != amount) revert PartialFill(pool);
    }

    /// One that takes another token: in its callback the rest makes what it asks for.
    function _buyByRest(Fill fill, bytes memory tokens, uint256 amount, address to, bytes memory rest) private {
        expectedCallback = _callbackFrom(fill.poolOf(), _callbackOf(fill.venueOf()));
        payer = keccak256(rest);
        bool zeroForOne = _tokenAt(tokens, fill.soldOf()) < _tokenAt(tokens, fill.boughtOf());
        (int256 amount0, int256 amount1) = IUniswapV3Pool(fill.poolOf()).swap(
            to, zeroForOne, -_signed(amount), zeroForOne ? MIN_SQRT_PRICE : MAX_SQRT_PRICE, rest
        );
        if (expectedCallback != 0) revert CallbackMissing(fill.poolOf());
        if (uint256(-(zeroForOne ? amount1 : amount0)) != amount) revert PartialFill(fill.poolOf());
    }

    /// What it costs to buy `amount`. Under a lock the swap is done, and neither side of it paid.
    function _open(Fill fill, bytes calldata more, address sold, address bought, uint256 amount)
        private
        returns (uint256 cost)
    {
        (uint256 venue, address pool) = (fill.venueOf(), fill.poolOf());
        if (venue == V2_PAIR || venue == SOLIDLY_POOL) {
            (uint256 reserveIn, uint256 reserveOut) = _reserves(pool, sold < bought);
            if (amount >= reserveOut) revert InsufficientLiquidity(pool);
            uint256 left = reserveOut - amount;
            // A pair's router rounds once; a Solidly pool takes its fee out first, and is volatile here: a stable one
            // refuses what this gives it.
            return venue == V2_PAIR
                ? reserveIn * amount * PPM / (left * (PPM - fill.detailOf())) + 1
                : ((reserveIn * amount + left - 1) / left - 1) * PPM / (PPM - fill.detailOf()) + 1;
        }
        if (venue == WRAPPED_NATIVE) return amount;
        if (venue == VAULT) {
            if (bought == pool) return IVault(pool).previewMint(amount);
            if (sold != pool) revert InvalidPayload();
            return IVault(pool).previewWithdraw(amount);
        }
        if (_isLocked(venue)) {
            LockedSwap memory swap = _lockedSwap(venue, pool, fill.detailOf(), more, sold, bought);
            swap.amount = -_signed(amount);
            uint256 made;
            (cost, made) = _openInLock(swap);
            if (venue != BALANCER_V3_BUFFER && made != amount) revert PartialFill(pool);
            return cost;
        }
        if (venue == BALANCER_V2_POOL) {
            bytes32 poolId = _poolIdOf(pool, fill.detailOf(), more);
            return DrawnVenues.costOnBalancerV2(_addressAt(more, 0), poolId, sold, bought, amount);
        }
        if (venue == MAKER_ORDER) {
            uint256 makerAmount = _makerAmountOf(more);
            return (amount * _takerAmountOf(more) + makerAmount - 1) / makerAmount;
        }
        if (venue != PSM) revert InvalidPayload();
        return fill.detailOf() == 0 ? DrawnVenues.costOfGem(pool, amount) : DrawnVenues.gemThatBrings(pool, amount);
    }

    /// Pays what a fill costs, which is here, comes from the seller, or went to its pool straight, and trades.
    function _close(Opened memory opened, bytes memory tokens, bytes calldata fills) private {
        Fill fill = opened.fill;
        (uint256 venue, address pool) = (fill.venueOf(), fill.poolOf());
        (address sold, address bought) = (_tokenAt(tokens, fill.soldOf()), _tokenAt(tokens, fill.boughtOf()));
        (uint256 amount, uint256 cost, address to) = (opened.amount, opened.cost, opened.to);
        bool fromSeller = fill.soldOf() == 0 && sold != NATIVE_TOKEN;
        bytes calldata more = msg.data[0:0];
        if (_saysMore(venue)) more = _moreOf(fill, fills[opened.at:]);

        if (_isLocked(venue)) {
            LockedSwap memory swap = _lockedSwap(venue, pool, fill.detailOf(), more, sold, bought);
            (swap.amount, swap.fromSeller, swap.to) = (-_signed(amount), fromSeller, to);
            if (_closeInLock(swap, cost, amount) != amount) revert PartialFill(pool);
        } else if (PAID_STRAIGHT >> venue & 1 != 0) {
            if (fill.destinationOf() == 0) _deliver(fromSeller, sold, cost, pool);
            if (venue == MAKER_ORDER) {
                MakerOrder memory order = _orderOf(more, sold, bought);
                IOrderSettlement(pool).fill(order, _signatureOf(more), cost, amount, to);
            } else {
                _swapPair(pool, sold < bought, amount, to);
            }
        } else {
            if (fromSeller) IGateway(gateway).pull(address(this), cost);
            _buyDrawn(fill, more, sold, bought, amount, cost, to);
        }
    }

    /// What it costs is here.
    function _buyDrawn(
        Fill fill,
        bytes calldata more,
        address sold,
        address bought,
        uint256 amount,
        uint256 cost,
        address to
    ) private {
        (uint256 venue, address pool) = (fill.venueOf(), fill.poolOf());
        if (venue == WRAPPED_NATIVE) {
            _convert(sold, bought, amount, to);
        } else if (venue == VAULT) {
            _buyFromVault(pool, sold, bought, amount, cost, to);
        } else if (venue == BALANCER_V2_POOL) {
            bytes32 poolId = _poolIdOf(pool, fill.detailOf(), more);
            DrawnVenues.swapOnBalancerV2(_addressAt(more, 0), poolId, 1, sold, bought, amount, cost, to);
        } else if (fill.detailOf() == 0) {
            DrawnVenues.buyGem(pool, sold, cost, amount, to);
        } else {
            // Gem comes in units only: what the last one brings beyond `amount` is the seller's.
            uint256 got = DrawnVenues.sellGem(pool, sold, bought, cost, address(this));
            if (to != address(this)) bought.send(to, amount);
            if (got != amount) _giveBack(bought, got - amount);
        }
    }

    /// What a vault asks for an exact output is exactly what its own preview says, or there is no swap.
    function _buyFromVault(address vault, address sold, address bought, uint256 amount, uint256 cost, address to)
        private
    {
        if (bought == vault) {
            sold.approve(vault, cost);
            IVault(vault).mint(amount, to);
            DrawnVenues.assertDrawn(sold, vault);
        } else if (IVault(vault).withdraw(amount, to, address(this)) != cost) {
            // A preview may be above what is burnt; what is not would stay here.
            revert PartialFill(vault);
        }
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

    function _makerAmountOf(bytes calldata more) private pure returns (uint256) {
        return uint128(bytes16(more[20:36]));
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

    function _isOpen(uint256 venue, address manager) private view returns (bool) {
        return (venue == V4_POOL ? openManager : openVault) == manager;
    }

    /// The lock of who calls is open.
    function _noteOpen(uint256 venue) private {
        if (venue == V4_POOL) openManager = msg.sender;
        else openVault = msg.sender;
    }

    /// Opens a lock, which calls back with `data`. A PoolManager calls `unlockCallback` with what it is given; a vault of
    /// Balancer makes what it is given its call.
    function _unlock(bool balancer, address manager, bytes memory data) private returns (bytes memory answer) {
        expectedCallback = _callbackFrom(manager, this.unlockCallback.selector);
        unlockData = keccak256(data);
        if (balancer) data = abi.encodeCall(this.unlockCallback, (data));
        answer = IPoolManager(manager).unlock(data);
        if (expectedCallback != 0) revert CallbackMissing(manager);
        if (balancer) answer = abi.decode(answer, (bytes));
    }

    /// Swaps under a lock that was opened from here: one that is open already, or its own.
    function _swapLocked(LockedSwap memory swap) private returns (uint256 paid, uint256 bought) {
        if (_isOpen(swap.venue, swap.manager)) return _swapInLock(swap);
        return abi.decode(_unlock(swap.venue != V4_POOL, swap.manager, abi.encode(swap)), (uint256, uint256));
    }

    function _swapInLock(LockedSwap memory swap) private returns (uint256 paid, uint256 bought) {
        (paid, bought) = _openInLock(swap);
        if (paid > swap.most) revert ExcessivePayment(swap.most, paid);
        bought = _closeInLock(swap, paid, bought);
    }

    /// What a swap costs and brings; a buffer does not say yet what it brings.
    function _openInLock(LockedSwap memory swap) private returns (uint256 paid, uint256 bought) {
        if (swap.venue == BALANCER_V3_BUFFER) return (_costInBuffer(swap), 0);
        return swap.venue == V4_POOL ? _swapInManager(swap) : _swapInVault(swap);
    }

    /// Pays for a swap and takes what it brings. What is owed is here, or the seller's.
    function _closeInLock(LockedSwap memory swap, uint256 paid, uint256 bought) private returns (uint256) {
        bool balancer = swap.venue != V4_POOL;
        IPoolManager manager = IPoolManager(swap.manager);
        if (!balancer) manager.sync(_currencyOf(swap.sold));
        if (swap.sold == NATIVE_TOKEN) {
            if (paid > address(this).balance) revert ExcessivePayment(address(this).balance, paid);
            manager.settle{value: paid}();
        } else {
            _deliver(swap.fromSeller, swap.sold, paid, swap.manager);
            if (!balancer) manager.settle();
        }
        address currency = swap.zeroForOne ? swap.key.currency1 : swap.key.currency0;
        if (balancer) {
            IBalancerV3Vault(swap.manager).settle(swap.sold, paid);
            // A buffer that is short goes on to its ERC-4626 vault with what is there.
            if (swap.venue == BALANCER_V3_BUFFER) bought = _swapInBuffer(swap, paid);
            IBalancerV3Vault(swap.manager).sendTo(currency, swap.to, bought);
        } else {
            manager.take(currency, swap.to, bought);
        }
        return bought;
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
        bytes32 payer_ = payer;
        if (payer_ == SELLER || payer_ == SELF) {
            if (amount > paymentMost) revert ExcessivePayment(paymentMost, amount);
            _deliver(payer_ == SELLER, paymentToken, amount, msg.sender);
        } else {
            if (payer_ != keccak256(data)) revert UnexpectedCallback(msg.sender);
            _payByRest(amount, data);
        }
    }

    /// Has what a pool asks for made by the fills after its own.
    function _payByRest(uint256 amount, bytes calldata data) private {
        (bytes memory tokens, bytes calldata fills) = _readRest(data);
        Fill fill = _fillAt(fills, 0);
        _need(fill.soldOf(), amount);
        _make(tokens, fills[FILL:]);
        if (fill.destinationOf() == 0) _tokenAt(tokens, fill.soldOf()).send(msg.sender, amount);
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
