import { type Mutant, mutant } from "./mutant.ts";

const OPEN_AGAIN = "        runningExecutor = address(0);\n    }\n\n    /// For the running";
const REFUND = "        if (msg.value != 0) {\n            uint256 unspent";
const BEFORE = "        uint256 before = terms.buyToken.balanceOf(recipient);\n        terms.buyToken.send(recipient";
const FEE = "        if (fee != 0) terms.buyToken.send(terms.feeRecipient, fee);\n";

/** Faults in Gateway.sol. */
export const GATEWAY_MUTANTS: readonly Mutant[] = [
  mutant("a swap within a swap is let in", "if (runningExecutor != address(0)) revert Reentered();"),
  mutant("the lock is never opened again", OPEN_AGAIN, "    }\n\n    /// For the running"),
  {
    name: "the lock is opened before the refund",
    changes: [[REFUND, `        runningExecutor = address(0);\n${REFUND}`]],
  },
  mutant("native token is taken at rest", "if (runningExecutor == address(0)) revert UnexpectedNative();"),
  mutant(
    "any native value is let in",
    "if (msg.value != terms.maxSellAmount) revert WrongValue(terms.maxSellAmount, msg.value);",
  ),
  mutant("native value is let in with a token", "if (msg.value != 0) revert WrongValue(0, msg.value);"),
  mutant(
    "any output is enough",
    "if (bought < terms.minBuyAmount) revert InsufficientOutput(terms.minBuyAmount, bought);",
  ),
  mutant("the minimum itself is too little", "bought < terms.minBuyAmount", "bought <= terms.minBuyAmount"),
  mutant("one less than the minimum is enough", "bought < terms.minBuyAmount", "bought + 1 < terms.minBuyAmount"),
  mutant("the last second is refused", "block.timestamp > terms.deadline", "block.timestamp >= terms.deadline"),
  mutant(
    "a second after the last is let in",
    "block.timestamp > terms.deadline",
    "block.timestamp - 1 > terms.deadline",
  ),
  mutant("a minimum of nothing is let in", "if (terms.minBuyAmount == 0) revert ZeroMinimum();"),
  mutant("a token is sold for itself", "if (terms.sellToken == terms.buyToken) revert SameToken(terms.sellToken);"),
  mutant(
    "the recipient is always the caller",
    "terms.recipient == address(0) ? msg.sender : terms.recipient",
    "msg.sender",
  ),
  mutant(
    "a contract of ours is a recipient",
    "if (_unfit(recipient, terms.executor)) revert InvalidRecipient(recipient);",
  ),
  mutant("the gateway is a receiver", "receiver == address(this) || receiver == executor", "receiver == executor"),
  mutant(
    "the executor is a receiver",
    "receiver == address(this) || receiver == executor",
    "receiver == address(this)",
  ),
  mutant("a fee above the highest is let in", "terms.feeRatePpm <= MAX_FEE_PPM && ", ""),
  mutant("the highest fee is refused", "terms.feeRatePpm <= MAX_FEE_PPM", "terms.feeRatePpm < MAX_FEE_PPM"),
  mutant("a fee goes to nobody", " && terms.feeRecipient != address(0)\n", "\n"),
  mutant("a fee goes to a contract of ours", "\n                && !_unfit(terms.feeRecipient, terms.executor)"),
  mutant("no fee may have a recipient", "? terms.feeRecipient == address(0)", "? true"),

  mutant("anybody may draw", "if (msg.sender != runningExecutor) revert NotTheExecutor(msg.sender);"),
  mutant("more than the maximum is drawn", "if (amount > left) revert SellAmountExceeded(left, amount);"),
  mutant("what was drawn may be drawn again", "drawableAmount = left - amount;", "drawableAmount = left;"),
  mutant("what was not drawn stays open", "        drawableAmount = 0;\n"),
  mutant("somebody else's tokens are drawn", "drawableToken.sendFrom(seller,", "drawableToken.sendFrom(tx.origin,"),

  mutant("native token that was here is refunded", "address(this).balance - msg.value;", "0;"),
  mutant("tokens that were here are output", ": terms.buyToken.balanceOf(address(this));", ": 0;"),
  mutant(
    "what the recipient had counts, without a fee",
    "uint256 before = terms.buyToken.balanceOf(recipient);\n            uint256 made",
    "uint256 before = 0;\n            uint256 made",
  ),
  mutant("what came from elsewhere counts", "            if (made < bought) bought = made;\n"),
  mutant("what the executor says is enough", "if (made < bought) bought = made;", "bought = made;"),
  mutant(
    "what the recipient had counts, with a fee",
    BEFORE,
    BEFORE.replace("terms.buyToken.balanceOf(recipient)", "0"),
  ),
  {
    name: "what came with the fee counts",
    changes: [
      [FEE, ""],
      [BEFORE, BEFORE.replace("        terms.buyToken.send", `${FEE}        terms.buyToken.send`)],
    ],
  },
  mutant(
    "the fee is not taken off",
    "terms.buyToken.send(recipient, gross - fee)",
    "terms.buyToken.send(recipient, gross)",
  ),
  mutant("the fee is not paid", FEE),
  mutant("the fee is rounded up", "gross * terms.feeRatePpm / PPM", "(gross * terms.feeRatePpm + PPM - 1) / PPM"),
  mutant("a fee of nothing is sent", "if (fee != 0) terms.buyToken", "terms.buyToken"),
  mutant("what is not spent is kept", "if (unspent != 0) TokenTransfers.sendNative(msg.sender, unspent);"),
  mutant(
    "what is not spent goes to the recipient",
    "sendNative(msg.sender, unspent)",
    "sendNative(recipient, unspent)",
  ),
];

/** Faults in TokenTransfers.sol, which is a part of all three contracts. */
export const TRANSFER_MUTANTS: readonly Mutant[] = [
  mutant("a token that says no is believed to have moved", "size >= 32 && answer == 1", "size >= 32"),
  mutant("any number is a yes", "answer == 1;", "answer != 0;"),
  mutant("a short answer is a yes", "size >= 32 && answer == 1", "answer == 1"),
  mutant("what has no code is a token", "token.code.length != 0", "true"),
  mutant("a token that returns nothing is none", "size == 0 ? token.code.length != 0 :", ""),
  mutant("a transfer that reverts without a reason was done", "if (!done || !accepted)", "if (!accepted)"),
  mutant("a token's reason is lost", "if (!done && size != 0) {", "if (false) {"),
  mutant("a token's reason may be of any length", "if gt(size, 1024) { size := 1024 }"),
  mutant("native token that is refused was sent", "if (!done) revert NativeTransferFailed(to);"),
];
