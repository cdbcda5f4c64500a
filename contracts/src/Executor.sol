// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {ExecutorState, IGateway} from "./ExecutorState.sol";
import {IExecutor} from "./Gateway.sol";
import {partOf} from "./PartAddresses.sol";
import {
    FILL,
    Fill,
    InvalidPayload,
    PartialFill,
    TOKEN,
    fillAt,
    isOrder,
    moreOf,
    mostOfOrder,
    readRest,
    saysMore,
    tokenAt,
    writeRest
} from "./Payload.sol";
import {NATIVE_TOKEN, TokenTransfers} from "./TokenTransfers.sol";
import {
    ALGEBRA_POOL,
    BALANCER_V3_BUFFER,
    CURVE_POOL,
    FLUID_POOL,
    KURU_MARKET,
    MAKER_ORDER,
    PANCAKE_V3_POOL,
    PANGOLIN_V3_POOL,
    SOLIDLY_POOL,
    V2_PAIR,
    V3_POOL,
    WRAPPED_NATIVE
} from "./VenueCodes.sol";
import {Trade, VenuePart, runPart} from "./VenuePart.sol";
import {CallbackPools} from "./venues/CallbackPools.sol";
import {Locks} from "./venues/Locks.sol";
import {Pairs} from "./venues/Pairs.sol";
import {LockedSwap} from "./venues/UniswapV4.sol";
import {Wrapping} from "./venues/Wrapping.sol";

/// Runs routes for the gateway: one typed action per kind of venue, and no call whose target, function and arguments
/// a caller chooses. It has no owner, holds nothing between calls, and approves exactly what a venue draws at once.
///
/// Pairs, pools that call back, locks with Uniswap V4 and wrapping are compiled in. The code of all other venues stands at
/// addresses that are constants here (PartAddresses.sol, made of the parts' own code). Payload.sol has the payload, byte
/// by byte.
contract Executor is IExecutor, CallbackPools, Locks, Wrapping {
    using TokenTransfers for address;

    error NotTheGateway(address caller);
    error UnexpectedNative(address sender);
    error Unspent(address token, uint256 amount);
    error Unmade(address token, uint256 amount);

    uint256 private constant SHARE_ONE = 1_000_000_000;

    /// The venues that a plain transfer to their pool pays, a bit each.
    uint256 private constant PAID_STRAIGHT = 1 << V2_PAIR | 1 << SOLIDLY_POOL | 1 << V3_POOL | 1 << PANCAKE_V3_POOL
        | 1 << ALGEBRA_POOL | 1 << PANGOLIN_V3_POOL | 1 << MAKER_ORDER;

    /// The venues with a part whose pool pays native token, a bit each.
    uint256 private constant PAYS_NATIVE = 1 << CURVE_POOL | 1 << FLUID_POOL | 1 << KURU_MARKET;

    uint256 private constant TO_EXECUTOR = 0;
    uint256 private constant TO_PAYEE = 1;
    /// Straight into the next fill's pair, which takes all of it.
    uint256 private constant TO_NEXT = 2;

    /// Where in transient storage an exact-out keeps what is still needed of each token, and where those that make it
    /// send it: by the token's number, above all slots that the compiler gives to variables.
    uint256 private constant NEEDED = 1 << 16;
    uint256 private constant PAID_TO = 1 << 17;

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

    constructor(address gateway_, address wrappedNative_) ExecutorState(gateway_, wrappedNative_) {}

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
            Fill fill = fillAt(fills, at);
            at += FILL;
            (uint256 sold, uint256 bought, uint256 destination) = (fill.soldOf(), fill.boughtOf(), fill.destinationOf());
            uint256 whole = left[sold];
            uint256 amount = whole;
            if (fill.shareOf() != SHARE_ONE) amount = amount * fill.shareOf() / SHARE_ONE;
            bytes calldata more = msg.data[0:0];
            if (saysMore(fill.venueOf())) {
                more = moreOf(fill, fills[at:]);
                at += more.length;
                if (isOrder(fill.venueOf())) {
                    uint256 most = mostOfOrder(fill.venueOf(), more);
                    if (amount > most) {
                        // What the maker does not take is for the fills after this one, or the seller's.
                        if (fill.shareOf() == SHARE_ONE) {
                            whole -= amount - most;
                            if (sold != 0) tokens[sold].send(IGateway(gateway).seller(), amount - most);
                        }
                        amount = most;
                    }
                }
            }
            left[sold] = whole - amount;

            address to = address(this);
            if (destination == TO_PAYEE) {
                if (bought != 1) revert InvalidPayload();
                to = payTo;
            } else if (destination == TO_NEXT) {
                to = fillAt(fills, at).poolOf();
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

    function _sell(
        Fill fill,
        bytes calldata more,
        address sold,
        address bought,
        uint256 amount,
        bool paid,
        address to
    ) private returns (uint256 got) {
        uint256 venue = fill.venueOf();
        bool fromSeller = _isSellers(fill, sold);
        if (Pairs.isPair(venue)) {
            if (!paid) _deliver(fromSeller, sold, amount, fill.poolOf());
            return Pairs.sell(fill, sold, sold < bought, amount, to);
        }
        if (paid) revert InvalidPayload();
        bytes4 callback = _callbackOf(venue);
        if (callback != 0) {
            return _sellToPool(fill.poolOf(), callback, sold, sold < bought, amount, fromSeller ? SELLER : SELF, to);
        }
        if (_isLocked(venue)) {
            LockedSwap memory swap = _lockedSwap(fill, more, sold, bought);
            (swap.amount, swap.most, swap.to) = (_signed(amount), amount, to);
            swap.fromSeller = fromSeller;
            (uint256 used, uint256 made) = _swapLocked(swap);
            if (used != amount) revert PartialFill(swap.manager);
            return made;
        }
        if (venue == WRAPPED_NATIVE) {
            if (fromSeller) IGateway(gateway).pull(address(this), amount);
            _convert(sold, bought, amount, to);
            return amount;
        }
        bool paysNative = bought == NATIVE_TOKEN && PAYS_NATIVE >> venue & 1 != 0;
        if (paysNative) nativeSource = fill.poolOf();
        Trade memory trade = Trade(fill, sold, bought, amount, to, gateway, fromSeller);
        got = abi.decode(runPart(partOf(venue), abi.encodeCall(VenuePart.sell, (trade, more))), (uint256));
        if (paysNative) nativeSource = address(0);
    }

    /// Whether what a fill takes is the seller's, and comes by the gateway.
    function _isSellers(Fill fill, address sold) private pure returns (bool) {
        return fill.soldOf() == 0 && sold != NATIVE_TOKEN;
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
    function _make(bytes memory tokens, bytes calldata fills) internal override {
        Opened memory last;
        uint256 at = 0;
        while (at != fills.length) {
            Fill fill = fillAt(fills, at);
            (uint256 venue, uint256 sold) = (fill.venueOf(), fill.soldOf());
            if (_isLocked(venue) && !_isOpen(venue, fill.poolOf())) {
                _unlock(venue, fill.poolOf(), writeRest(tokens, fills[at:]));
                break;
            }
            if (sold == 1 || fill.boughtOf() == 0) revert InvalidPayload();
            uint256 amount = _takeShare(fill);
            address to = _receiverOf(fill);
            if (_callbackOf(venue) != 0) {
                if (sold != 0) {
                    _buyByRest(fill, tokens, amount, to, writeRest(tokens, fills[at:]));
                    break;
                }
                _buyFromPool(fill, tokens, amount, to);
                at += FILL;
                continue;
            }
            at += FILL;
            bytes calldata more = msg.data[0:0];
            if (saysMore(venue)) more = moreOf(fill, fills[at:]);
            uint256 cost = _open(fill, more, tokenAt(tokens, sold), tokenAt(tokens, fill.boughtOf()), amount);
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

    /// Has what a pool asks for made by the fills after its own.
    function _payByRest(uint256 amount, bytes calldata data) internal override {
        (bytes memory tokens, bytes calldata fills) = readRest(data);
        Fill fill = fillAt(fills, 0);
        _need(fill.soldOf(), amount);
        _make(tokens, fills[FILL:]);
        if (fill.destinationOf() == 0) tokenAt(tokens, fill.soldOf()).send(msg.sender, amount);
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
            if (needed != 0) revert Unmade(tokenAt(tokens, i), needed);
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

    /// What it costs to buy `amount`. Under a lock the swap is done, and neither side of it paid.
    function _open(Fill fill, bytes calldata more, address sold, address bought, uint256 amount)
        private
        returns (uint256 cost)
    {
        uint256 venue = fill.venueOf();
        if (Pairs.isPair(venue)) return Pairs.costOf(fill, sold < bought, amount);
        if (venue == WRAPPED_NATIVE) return amount;
        if (_isLocked(venue)) {
            LockedSwap memory swap = _lockedSwap(fill, more, sold, bought);
            swap.amount = -_signed(amount);
            uint256 made;
            (cost, made) = _openInLock(swap);
            if (venue != BALANCER_V3_BUFFER && made != amount) revert PartialFill(swap.manager);
            return cost;
        }
        Trade memory trade = Trade(fill, sold, bought, amount, address(0), gateway, false);
        return abi.decode(runPart(partOf(venue), abi.encodeCall(VenuePart.costOf, (trade, more))), (uint256));
    }

    /// Pays what a fill costs, which is here, comes from the seller, or went to its pool straight, and trades.
    function _close(Opened memory opened, bytes memory tokens, bytes calldata fills) private {
        Fill fill = opened.fill;
        (uint256 venue, address pool) = (fill.venueOf(), fill.poolOf());
        (address sold, address bought) = (tokenAt(tokens, fill.soldOf()), tokenAt(tokens, fill.boughtOf()));
        (uint256 amount, uint256 cost, address to) = (opened.amount, opened.cost, opened.to);
        bool fromSeller = _isSellers(fill, sold);
        bytes calldata more = msg.data[0:0];
        if (saysMore(venue)) more = moreOf(fill, fills[opened.at:]);

        if (Pairs.isPair(venue)) {
            if (fill.destinationOf() == 0) _deliver(fromSeller, sold, cost, pool);
            Pairs.swap(pool, sold < bought, amount, to);
        } else if (_isLocked(venue)) {
            LockedSwap memory swap = _lockedSwap(fill, more, sold, bought);
            (swap.amount, swap.fromSeller, swap.to) = (-_signed(amount), fromSeller, to);
            if (_closeInLock(swap, cost, amount) != amount) revert PartialFill(pool);
        } else if (venue == WRAPPED_NATIVE) {
            if (fromSeller) IGateway(gateway).pull(address(this), cost);
            _convert(sold, bought, amount, to);
        } else {
            bool paysNative = venue == FLUID_POOL && bought == NATIVE_TOKEN;
            if (paysNative) nativeSource = pool;
            Trade memory trade = Trade(fill, sold, bought, amount, to, gateway, fromSeller);
            runPart(partOf(venue), abi.encodeCall(VenuePart.buy, (trade, more, cost)));
            if (paysNative) nativeSource = address(0);
        }
    }
}
