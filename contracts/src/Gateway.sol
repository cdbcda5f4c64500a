// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

import {SignedTransfers} from "./SignedTransfers.sol";
import {Order, Permit2Transfer, Terms} from "./Terms.sol";
import {NATIVE_TOKEN, TokenTransfers} from "./TokenTransfers.sol";

/// What the gateway asks of an executor. The selector is fixed and is none of a token's.
interface IExecutor {
    /// Swaps `sellAmount` at most of `sellToken` and brings what it buys to `payTo`. Draws an ERC-20 by
    /// `Gateway.pull`; native token comes with the call, and what is left of it goes back to the gateway.
    /// @return made what its venues say they brought to `payTo`
    function execute(address sellToken, uint256 sellAmount, address buyToken, address payTo, bytes calldata payload)
        external
        payable
        returns (uint256 made);
}

/// The one contract that takers approve. It has no owner and keeps nothing. It moves only the tokens of its caller, or of
/// whoever signed this very swap for Permit2, only during that call, only at the request of the executor that was named,
/// at most `maxSellAmount`. The executor is not trusted: whatever it does, the minimum reaches the recipient or
/// everything reverts.
contract Gateway is SignedTransfers {
    using TokenTransfers for address;

    error Reentered();
    error DeadlinePassed(uint256 deadline);
    error ZeroMinimum();
    error InvalidRecipient(address recipient);
    error InvalidFee(uint256 ratePpm, address recipient);
    error TooManyFees(uint256 count);
    error InvalidShare(uint256 share);
    error InvalidSurplusShare(uint256 quotedBuyAmount, uint256 ratePpm, address recipient);
    error NothingToSell();
    error SameToken(address token);
    error WrongValue(uint256 expected, uint256 actual);
    error InsufficientOutput(uint256 minimum, uint256 actual);
    error NotTheExecutor(address caller);
    error SellAmountExceeded(uint256 left, uint256 wanted);
    error UnexpectedNative();

    /// The highest fee, of all recipients together: 10 %.
    uint256 public constant MAX_FEE_PPM = 100_000;
    /// The highest share of surplus: half of it.
    uint256 private constant MAX_SURPLUS_PPM = 500_000;
    uint256 private constant MAX_FEES = 4;
    uint256 private constant PPM = 1_000_000;
    /// A share of one whole balance.
    uint256 private constant SHARE_ONE = 1_000_000_000;
    /// Set in `running` where the sold tokens are here already.
    uint256 private constant HELD = 1 << 160;

    /// The executor of the swap that is running, and whether it draws on what is held here; zero when none is: this is the
    /// lock as well.
    uint256 private transient running;
    /// Who swaps now; whose tokens the running executor may draw.
    address public transient seller;
    address private transient drawableToken;
    uint256 private transient drawableAmount;

    /// Native token comes from executors during a swap: refunds, and output that a fee is due on.
    receive() external payable {
        if (running == 0) revert UnexpectedNative();
    }

    /// Swaps by the plan in `payload`, which is the executor's to read.
    /// @return bought what reached the recipient by this swap
    function swap(Terms calldata terms, bytes calldata payload) external payable returns (uint256 bought) {
        if (running != 0) revert Reentered();
        address recipient = _check(terms);
        running = uint160(terms.executor);
        seller = msg.sender;

        uint256 nativeBefore = _nativeBefore();
        (address sellToken, address buyToken) = (terms.sellToken, terms.buyToken);
        if (sellToken == NATIVE_TOKEN) {
            if (msg.value != terms.maxSellAmount) revert WrongValue(terms.maxSellAmount, msg.value);
        } else {
            if (msg.value != 0) revert WrongValue(0, msg.value);
            drawableToken = sellToken;
            drawableAmount = terms.maxSellAmount;
        }

        if (terms.feeRatePpm == 0) {
            uint256 before = buyToken.balanceOf(recipient);
            uint256 made = _execute(terms, recipient, payload);
            bought = _gain(buyToken, recipient, before);
            // What else came meanwhile, as what somebody on the way owes the recipient anyway, counts for nothing.
            if (made < bought) bought = made;
        } else {
            uint256 ownBefore = buyToken == NATIVE_TOKEN ? nativeBefore : buyToken.balanceOf(address(this));
            _execute(terms, address(this), payload);
            bought = _split(terms, recipient, _gain(buyToken, address(this), ownBefore));
        }
        if (bought < terms.minBuyAmount) revert InsufficientOutput(terms.minBuyAmount, bought);

        if (msg.value != 0) {
            uint256 unspent;
            // It was sent before whatever came of it.
            unchecked {
                unspent = address(this).balance - nativeBefore;
            }
            if (unspent != 0) TokenTransfers.sendNative(msg.sender, unspent);
        }
        running = 0;
    }

    /// As `swap`, with what an order has beyond terms.
    function swapByOrder(Order calldata order, bytes calldata payload) external payable returns (uint256 bought) {
        _open(order, msg.sender);
        bought = _swap(order, _saleOf(order, msg.sender), payload);
    }

    /// As `swapByOrder`, with the caller's approval by EIP-2612, or by DAI's permit. A permit that somebody else has brought
    /// before, or that a token answers without doing anything, changes nothing: the allowance that stands then is what
    /// counts.
    /// @param signature the owner's, 65 bytes r, s, v, until the order's deadline: of exactly `maxSellAmount`, or of all
    /// that DAI's permit allows, with the owner's present nonce
    function swapOrderWithApproval(Order calldata order, bytes calldata signature, bytes calldata payload)
        external
        returns (uint256 bought)
    {
        _open(order, msg.sender);
        _permit(order, signature);
        bought = _swap(order, _saleOf(order, msg.sender), payload);
    }

    /// As `swapByOrder`, with the tokens of whoever signed a transfer of Permit2's with this order and this payload as its
    /// witness. Anybody may bring it: nothing of it is the caller's to choose.
    function swapSignedOrder(Order calldata order, Permit2Transfer calldata permit, bytes calldata payload)
        external
        returns (uint256 bought)
    {
        _open(order, permit.owner);
        Sale memory sale = _saleOf(order, permit.owner);
        sale.held = true;
        _transferSigned(order, permit, sale.amount, payload);
        bought = _swap(order, sale, payload);
    }

    /// For the running executor: moves `amount` of the token that is being sold from its owner to `to`.
    function pull(address to, uint256 amount) external {
        if (uint160(msg.sender) != running) return _pullHeld(to, amount);
        uint256 left = drawableAmount;
        if (amount > left) revert SellAmountExceeded(left, amount);
        unchecked {
            drawableAmount = left - amount;
        }
        drawableToken.sendFrom(seller, to, amount);
    }

    /// As `pull`, of what is here. It stands by itself, so that `pull` has no gas to spend on asking.
    function _pullHeld(address to, uint256 amount) private {
        if (uint160(msg.sender) | HELD != running) revert NotTheExecutor(msg.sender);
        uint256 left = drawableAmount;
        if (amount > left) revert SellAmountExceeded(left, amount);
        drawableAmount = left - amount;
        drawableToken.send(to, amount);
    }

    // ---------------------------------------------------------------------------------------------------- terms

    function _check(Terms calldata terms) private view returns (address recipient) {
        if (block.timestamp > terms.deadline) revert DeadlinePassed(terms.deadline);
        if (terms.minBuyAmount == 0) revert ZeroMinimum();
        if (terms.sellToken == terms.buyToken) revert SameToken(terms.sellToken);
        recipient = terms.recipient == address(0) ? msg.sender : terms.recipient;
        if (_unfit(recipient, terms.executor)) revert InvalidRecipient(recipient);
        bool feeIsSound = terms.feeRatePpm == 0
            ? terms.feeRecipient == address(0)
            : terms.feeRatePpm <= MAX_FEE_PPM && terms.feeRecipient != address(0)
                && !_unfit(terms.feeRecipient, terms.executor);
        if (!feeIsSound) revert InvalidFee(terms.feeRatePpm, terms.feeRecipient);
    }

    /// Whether tokens sent to `receiver` would be out of everybody's reach, or in reach of the next caller.
    function _unfit(address receiver, address executor) private view returns (bool) {
        return receiver == address(this) || receiver == executor;
    }

    function _execute(Terms calldata terms, address payTo, bytes calldata payload) private returns (uint256 made) {
        made = IExecutor(terms.executor).execute{value: msg.value}(
            terms.sellToken, terms.maxSellAmount, terms.buyToken, payTo, payload
        );
        drawableAmount = 0;
    }

    /// The fee is a part of what really came; all the rest is the recipient's, whatever was expected.
    /// @return bought what the payment of that rest brought: nothing that came to the recipient before, as from whoever
    /// takes the fee, counts for the minimum
    function _split(Terms calldata terms, address recipient, uint256 gross) private returns (uint256 bought) {
        uint256 fee = gross * terms.feeRatePpm / PPM;
        if (fee != 0) terms.buyToken.send(terms.feeRecipient, fee);
        bought = _payRest(terms.buyToken, recipient, gross - fee);
    }

    function _nativeBefore() private view returns (uint256) {
        unchecked {
            return address(this).balance - msg.value;
        }
    }

    function _payRest(address token, address recipient, uint256 rest) private returns (uint256 bought) {
        uint256 before = token.balanceOf(recipient);
        token.send(recipient, rest);
        bought = _gain(token, recipient, before);
    }

    function _gain(address token, address owner, uint256 before) private view returns (uint256) {
        uint256 current = token.balanceOf(owner);
        unchecked {
            return current > before ? current - before : 0;
        }
    }

    // --------------------------------------------------------------------------------------------------- orders

    /// What an order sells now.
    struct Sale {
        address owner;
        /// At the most, fees on it included.
        uint256 amount;
        /// At the most by the executor.
        uint256 most;
        /// Whether it is here: native token, and what Permit2 has brought.
        bool held;
    }

    /// Locks, and refuses an order that `owner` could lose by.
    function _open(Order calldata order, address owner) private {
        if (running != 0) revert Reentered();
        if (block.timestamp > order.deadline) revert DeadlinePassed(order.deadline);
        if (order.minBuyAmount == 0) revert ZeroMinimum();
        if (order.sellToken == order.buyToken) revert SameToken(order.sellToken);
        address recipient = _recipientOf(order, owner);
        if (_unfit(recipient, order.executor)) revert InvalidRecipient(recipient);
        if (order.fees.length > MAX_FEES) revert TooManyFees(order.fees.length);
        uint256 total = 0;
        for (uint256 i = 0; i < order.fees.length; ++i) {
            (uint256 rate, address to) = (order.fees[i].ratePpm, order.fees[i].recipient);
            bool isSound = rate != 0 && rate <= MAX_FEE_PPM - total && to != address(0) && !_unfit(to, order.executor);
            if (!isSound) revert InvalidFee(rate, to);
            total += rate;
        }
        _checkSurplus(order);
        running = uint160(order.executor);
        seller = owner;
    }

    /// A share of surplus has a recipient, at most half, and never counts from below the minimum.
    function _checkSurplus(Order calldata order) private view {
        (uint256 quoted, uint256 rate, address to) = (order.quotedBuyAmount, order.surplusPpm, order.surplusRecipient);
        bool isSound = rate == 0
            ? quoted == 0 && to == address(0)
            : rate <= MAX_SURPLUS_PPM && quoted >= order.minBuyAmount && to != address(0)
                && !_unfit(to, order.executor);
        if (!isSound) revert InvalidSurplusShare(quoted, rate, to);
    }

    function _recipientOf(Order calldata order, address owner) private pure returns (address) {
        return order.recipient == address(0) ? owner : order.recipient;
    }

    /// What `owner` sells: `maxSellAmount`, or a share of what it has where that is less.
    function _saleOf(Order calldata order, address owner) private view returns (Sale memory sale) {
        uint256 amount = order.maxSellAmount;
        bool isNative = order.sellToken == NATIVE_TOKEN;
        if (order.balanceShare != 0) {
            // How much native token is sold is said by its coming along.
            if (order.balanceShare > SHARE_ONE || isNative) revert InvalidShare(order.balanceShare);
            uint256 part = order.sellToken.balanceOf(owner) * order.balanceShare / SHARE_ONE;
            if (part < amount) amount = part;
        }
        if (amount == 0) revert NothingToSell();
        uint256 value = isNative ? amount : 0;
        if (msg.value != value) revert WrongValue(value, msg.value);
        uint256 most = amount;
        if (order.feesFromSold) {
            for (uint256 i = 0; i < order.fees.length; ++i) most -= amount * order.fees[i].ratePpm / PPM;
        }
        return Sale(owner, amount, most, isNative);
    }

    function _swap(Order calldata order, Sale memory sale, bytes calldata payload) private returns (uint256 bought) {
        uint256 sold;
        (bought, sold) = _trade(order, sale, payload);
        uint256 minimum = _scaled(order, sale, order.minBuyAmount);
        if (bought < minimum) revert InsufficientOutput(minimum, bought);
        _settle(order, sale, sold);
        running = 0;
    }

    /// An amount for `maxSellAmount` as one for what is sold, rounded up.
    function _scaled(Order calldata order, Sale memory sale, uint256 amount) private pure returns (uint256) {
        if (sale.amount == order.maxSellAmount) return amount;
        return (amount * sale.amount + order.maxSellAmount - 1) / order.maxSellAmount;
    }

    /// Has the executor swap, and pays out what it bought.
    /// @return bought what reached the recipient by this
    /// @return sold what the executor took
    function _trade(Order calldata order, Sale memory sale, bytes calldata payload)
        private
        returns (uint256 bought, uint256 sold)
    {
        uint256 nativeBefore = _nativeBefore();
        address recipient = _recipientOf(order, sale.owner);
        bool direct = order.surplusPpm == 0 && (order.feesFromSold || order.fees.length == 0);
        address payTo = direct ? recipient : address(this);
        uint256 before = direct || order.buyToken != NATIVE_TOKEN ? order.buyToken.balanceOf(payTo) : nativeBefore;
        uint256 value = 0;
        if (order.sellToken == NATIVE_TOKEN) {
            value = sale.most;
        } else {
            if (sale.held) running = uint160(order.executor) | HELD;
            drawableToken = order.sellToken;
            drawableAmount = sale.most;
        }
        uint256 made = IExecutor(order.executor).execute{value: value}(
            order.sellToken, sale.most, order.buyToken, payTo, payload
        );
        // Of native token, what is here beside the fees has come back.
        uint256 left = value == 0 ? drawableAmount : address(this).balance - nativeBefore - (sale.amount - sale.most);
        sold = sale.most - left;
        drawableAmount = 0;

        bought = _gain(order.buyToken, payTo, before);
        if (direct) {
            if (made < bought) bought = made;
        } else {
            bought = _payOut(order, sale, recipient, bought);
        }
    }

    /// Pays fees on what was bought and the share of its surplus, and the rest to the recipient.
    /// @return bought what the payment of that rest brought
    function _payOut(Order calldata order, Sale memory sale, address recipient, uint256 gross)
        private
        returns (uint256 bought)
    {
        uint256 rest = gross;
        if (!order.feesFromSold) {
            for (uint256 i = 0; i < order.fees.length; ++i) {
                uint256 fee = gross * order.fees[i].ratePpm / PPM;
                if (fee != 0) order.buyToken.send(order.fees[i].recipient, fee);
                rest -= fee;
            }
        }
        uint256 quoted = _scaled(order, sale, order.quotedBuyAmount);
        uint256 share = rest > quoted ? (rest - quoted) * order.surplusPpm / PPM : 0;
        if (share == 0) return _payRest(order.buyToken, recipient, rest);
        order.buyToken.send(order.surplusRecipient, share);
        bought = _payRest(order.buyToken, recipient, rest - share);
        // A token that keeps a part of transfers may have no surplus taken of it that the recipient does not see.
        if (bought < quoted) revert InsufficientOutput(quoted, bought);
    }

    /// Pays fees on what was sold, and gives back what was not sold of what is here.
    function _settle(Order calldata order, Sale memory sale, uint256 sold) private {
        uint256 rest = sale.amount - sold;
        if (order.feesFromSold) {
            for (uint256 i = 0; i < order.fees.length; ++i) {
                address to = order.fees[i].recipient;
                // As much of the fee on the whole amount as was sold of what fees left of it.
                uint256 fee = sale.amount * order.fees[i].ratePpm / PPM * sold / sale.most;
                if (fee == 0) continue;
                if (sale.held) order.sellToken.send(to, fee);
                else order.sellToken.sendFrom(sale.owner, to, fee);
                rest -= fee;
            }
        }
        if (sale.held && rest != 0) order.sellToken.send(sale.owner, rest);
    }
}
