// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

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

/// The one contract that takers approve. It has no owner, keeps nothing, and moves only its caller's own tokens, only
/// during that caller's call, only at the request of the executor that the caller named, at most `maxSellAmount`.
/// The executor is not trusted: whatever it does, the caller's minimum reaches the recipient or everything reverts.
contract Gateway {
    using TokenTransfers for address;

    /// What the caller agrees to.
    struct Terms {
        address executor;
        address sellToken;
        /// Exact-in: what is sold. Exact-out: the most that may be sold.
        uint256 maxSellAmount;
        address buyToken;
        /// The least that reaches the recipient, after the fee. Above zero.
        uint256 minBuyAmount;
        /// Zero: the caller.
        address recipient;
        /// Unix seconds; the last second in which the swap may happen.
        uint256 deadline;
        /// Parts per million of what is bought; zero with a zero recipient means no fee.
        uint256 feeRatePpm;
        address feeRecipient;
    }

    error Reentered();
    error DeadlinePassed(uint256 deadline);
    error ZeroMinimum();
    error InvalidRecipient(address recipient);
    error InvalidFee(uint256 ratePpm, address recipient);
    error SameToken(address token);
    error WrongValue(uint256 expected, uint256 actual);
    error InsufficientOutput(uint256 minimum, uint256 actual);
    error NotTheExecutor(address caller);
    error SellAmountExceeded(uint256 left, uint256 wanted);
    error UnexpectedNative();

    /// The highest fee: 10 %.
    uint256 public constant MAX_FEE_PPM = 100_000;
    uint256 private constant PPM = 1_000_000;

    /// The executor of the swap that is running; zero when none is: this is the lock as well.
    address private transient runningExecutor;
    /// Who swaps now; whose tokens the running executor may draw.
    address public transient seller;
    address private transient drawableToken;
    uint256 private transient drawableAmount;

    /// Native token comes from executors during a swap: refunds, and output that a fee is due on.
    receive() external payable {
        if (runningExecutor == address(0)) revert UnexpectedNative();
    }

    /// Swaps by the plan in `payload`, which is the executor's to read.
    /// @return bought what reached the recipient by this swap
    function swap(Terms calldata terms, bytes calldata payload) external payable returns (uint256 bought) {
        if (runningExecutor != address(0)) revert Reentered();
        address recipient = _check(terms);
        runningExecutor = terms.executor;
        seller = msg.sender;

        uint256 nativeBefore = address(this).balance - msg.value;
        if (terms.sellToken == NATIVE_TOKEN) {
            if (msg.value != terms.maxSellAmount) revert WrongValue(terms.maxSellAmount, msg.value);
        } else {
            if (msg.value != 0) revert WrongValue(0, msg.value);
            drawableToken = terms.sellToken;
            drawableAmount = terms.maxSellAmount;
        }

        if (terms.feeRatePpm == 0) {
            uint256 before = terms.buyToken.balanceOf(recipient);
            uint256 made = _execute(terms, recipient, payload);
            bought = _gain(terms.buyToken, recipient, before);
            // What else came meanwhile, as what somebody on the way owes the recipient anyway, counts for nothing.
            if (made < bought) bought = made;
        } else {
            uint256 ownBefore = terms.buyToken == NATIVE_TOKEN ? nativeBefore : terms.buyToken.balanceOf(address(this));
            _execute(terms, address(this), payload);
            bought = _split(terms, recipient, _gain(terms.buyToken, address(this), ownBefore));
        }
        if (bought < terms.minBuyAmount) revert InsufficientOutput(terms.minBuyAmount, bought);

        if (msg.value != 0) {
            uint256 unspent = address(this).balance - nativeBefore;
            if (unspent != 0) TokenTransfers.sendNative(msg.sender, unspent);
        }
        runningExecutor = address(0);
    }

    /// For the running executor: moves `amount` of the token that is being sold from its owner to `to`.
    function pull(address to, uint256 amount) external {
        if (msg.sender != runningExecutor) revert NotTheExecutor(msg.sender);
        uint256 left = drawableAmount;
        if (amount > left) revert SellAmountExceeded(left, amount);
        unchecked {
            drawableAmount = left - amount;
        }
        drawableToken.sendFrom(seller, to, amount);
    }

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
        uint256 before = terms.buyToken.balanceOf(recipient);
        terms.buyToken.send(recipient, gross - fee);
        bought = _gain(terms.buyToken, recipient, before);
    }

    function _gain(address token, address owner, uint256 before) private view returns (uint256) {
        uint256 current = token.balanceOf(owner);
        return current > before ? current - before : 0;
    }
}
