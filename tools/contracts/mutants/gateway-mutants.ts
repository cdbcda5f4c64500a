import { type Mutant, mutant } from "./mutant.ts";

const OPEN_AGAIN = "        running = 0;\n    }\n\n    /// As `swap`";
const REFUND = "        if (msg.value != 0) {\n            uint256 unspent";
const BEFORE = "        uint256 before = token.balanceOf(recipient);\n        token.send(recipient, rest);\n";
const PAY_REST = "        bought = _payRest(terms.buyToken, recipient, gross - fee);\n";
const FEE = "        if (fee != 0) terms.buyToken.send(terms.feeRecipient, fee);\n";

const LOCK = "        if (running != 0) revert Reentered();\n";
const DRAWN = "            drawableAmount = left - amount;";
const TOO_MUCH = "        if (amount > left) revert SellAmountExceeded(left, amount);\n";

/** Faults in what Gateway.sol does by plain terms, and in what both ways of swapping share. */
export const TERMS_MUTANTS: readonly Mutant[] = [
  mutant("a swap within a swap is let in", `${LOCK}        address recipient`, "        address recipient"),
  mutant("the lock is never opened again", OPEN_AGAIN, "    }\n\n    /// As `swap`"),
  {
    name: "the lock is opened before the refund",
    changes: [[REFUND, `        running = 0;\n${REFUND}`]],
  },
  mutant("native token is taken at rest", "if (running == 0) revert UnexpectedNative();"),
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

  mutant("anybody may draw", "if (uint160(msg.sender) | HELD != running) revert NotTheExecutor(msg.sender);"),
  mutant("more than the maximum is drawn", `${TOO_MUCH}        unchecked`, "        unchecked"),
  mutant("what was drawn may be drawn again", DRAWN, DRAWN.replace(" - amount", "")),
  mutant("what was not drawn stays open", "        );\n        drawableAmount = 0;\n", "        );\n"),
  mutant("somebody else's tokens are drawn", "drawableToken.sendFrom(seller,", "drawableToken.sendFrom(tx.origin,"),

  mutant("native token that was here is refunded", "return address(this).balance - msg.value;", "return 0;"),
  mutant("tokens that were here are output", ": buyToken.balanceOf(address(this));", ": 0;"),
  mutant(
    "what the recipient had counts, without a fee",
    "uint256 before = buyToken.balanceOf(recipient);\n            uint256 made",
    "uint256 before = 0;\n            uint256 made",
  ),
  mutant(
    "what came from elsewhere counts",
    "            if (made < bought) bought = made;\n        } else {\n            uint256 own",
    "        } else {\n            uint256 own",
  ),
  mutant(
    "what the executor says is enough",
    "            if (made < bought) bought = made;\n        } else {\n            uint256 own",
    "            bought = made;\n        } else {\n            uint256 own",
  ),
  mutant("what the recipient had counts, with a fee", BEFORE, BEFORE.replace("token.balanceOf(recipient)", "0")),
  mutant("the fee is not taken off", PAY_REST, PAY_REST.replace("gross - fee", "gross")),
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

const RECIPIENT = "order.recipient == address(0) ? owner : order.recipient";
const SOUND = "rate != 0 && rate <= MAX_FEE_PPM - total && to != address(0) && !_unfit(to, order.executor);";
const without = (part: string) => SOUND.replace(part, "").replace(/^ && /, "");
const SCALED = "(amount * sale.amount + order.maxSellAmount - 1) / order.maxSellAmount";
const SOLD_FEE = "sale.amount * order.fees[i].ratePpm / PPM * sold / sale.most";
const DIRECT = "order.feesFromSold || order.fees.length == 0";
const OWN_BEFORE = "direct || order.buyToken != NATIVE_TOKEN ? order.buyToken.balanceOf(payTo) : nativeBefore";
const BOUGHT_FEE = "                if (fee != 0) order.buyToken.send(order.fees[i].recipient, fee);\n";
const CAP = "            if (made < bought) bought = made;\n        } else {\n            bought = _payOut";
const END = "        _settle(order, sale, sold);\n        running = 0;\n";
const HELD_TOO_MUCH = `${TOO_MUCH}        drawableAmount`;

/** Faults in what it does by orders. */
export const GATEWAY_ORDER_MUTANTS: readonly Mutant[] = [
  mutant("an order within a swap is let in", `${LOCK}        if (block`, "        if (block"),
  mutant("the lock stays after an order", END, END.replace("        running = 0;\n", "")),
  {
    name: "the lock is opened before fees are paid",
    changes: [[END, `        running = 0;\n        _settle(order, sale, sold);\n`]],
  },
  mutant("an order's last second is refused", "block.timestamp > order.deadline", "block.timestamp >= order.deadline"),
  mutant(
    "an order's deadline is let pass",
    "if (block.timestamp > order.deadline) revert DeadlinePassed(order.deadline);",
  ),
  mutant("an order's minimum of nothing is let in", "if (order.minBuyAmount == 0) revert ZeroMinimum();"),
  mutant(
    "an order sells a token for itself",
    "if (order.sellToken == order.buyToken) revert SameToken(order.sellToken);",
  ),
  mutant("an order's recipient is always its owner", RECIPIENT, "owner"),
  {
    name: "an order's recipient is its bringer",
    changes: [
      [
        "function _recipientOf(Order calldata order, address owner) private pure",
        "function _recipientOf(Order calldata order, address) private view",
      ],
      [RECIPIENT, RECIPIENT.replace("owner", "msg.sender")],
    ],
  },
  mutant(
    "a contract of ours is an order's recipient",
    "if (_unfit(recipient, order.executor)) revert InvalidRecipient(recipient);",
  ),
  mutant("any number of fees is let in", "if (order.fees.length > MAX_FEES) revert TooManyFees(order.fees.length);"),
  mutant("four fees are too many", "order.fees.length > MAX_FEES", "order.fees.length >= MAX_FEES"),
  mutant("a fee of nothing is let in", SOUND, without("rate != 0")),
  mutant("an order's fees have no cap", SOUND, without(" && rate <= MAX_FEE_PPM - total")),
  mutant("the highest fees are refused", SOUND, SOUND.replace("rate <= MAX", "rate < MAX")),
  mutant("each fee has a cap of its own", "            total += rate;\n"),
  mutant("an order's fee goes to nobody", SOUND, without(" && to != address(0)")),
  mutant("an order's fee goes to a contract of ours", SOUND, without(" && !_unfit(to, order.executor)")),
  mutant("who brings an order is its seller", "        seller = owner;", "        seller = msg.sender;"),

  mutant("more than all of a balance is a share", "order.balanceShare > SHARE_ONE || isNative", "isNative"),
  mutant("all of a balance is no share", "order.balanceShare > SHARE_ONE", "order.balanceShare >= SHARE_ONE"),
  mutant("native token has a share", "order.balanceShare > SHARE_ONE || isNative", "order.balanceShare > SHARE_ONE"),
  mutant("a share is always the whole", " * order.balanceShare / SHARE_ONE", ""),
  mutant("the whole balance goes beyond the maximum", "if (part < amount) amount = part;", "amount = part;"),
  mutant(
    "the bringer's balance is shared",
    "order.sellToken.balanceOf(owner)",
    "order.sellToken.balanceOf(msg.sender)",
  ),
  mutant("nothing is sold", "if (amount == 0) revert NothingToSell();"),
  mutant("any native value comes with an order", "if (msg.value != value) revert WrongValue(value, msg.value);"),
  mutant("the executor may sell what the fees take", "most -= amount * order", "most -= 0 * amount * order"),
  mutant("the minimum is not scaled", SCALED, "amount"),
  mutant("the scaled minimum is rounded down", SCALED, "amount * sale.amount / order.maxSellAmount"),
  mutant("an order's minimum is not asked for", "if (bought < minimum) revert InsufficientOutput(minimum, bought);"),
  mutant("one less than an order's minimum is enough", "bought < minimum)", "bought + 1 < minimum)"),
  mutant("an order's minimum itself is too little", "bought < minimum)", "bought <= minimum)"),

  mutant("a sold fee's output comes by here", DIRECT, "order.fees.length == 0"),
  mutant("without fees the output comes by here", DIRECT, "order.feesFromSold"),
  mutant(
    "what was here is an order's output",
    OWN_BEFORE,
    "direct || order.buyToken != NATIVE_TOKEN ? order.buyToken.balanceOf(payTo) : 0",
  ),
  mutant("what the recipient had is an order's output", OWN_BEFORE, "0"),
  mutant(
    "what came along is an order's output",
    CAP,
    CAP.replace("            if (made < bought) bought = made;\n", ""),
  ),
  mutant("what an executor says is an order's output", CAP, CAP.replace("if (made < bought) ", "")),
  mutant("what an order has not drawn stays open", "        drawableAmount = 0;\n\n"),
  mutant(
    "native token that came back was sold",
    "address(this).balance - nativeBefore - (sale.amount - sale.most)",
    "0",
  ),
  mutant("native token for fees came back", " - nativeBefore - (sale.amount - sale.most)", " - nativeBefore"),
  mutant(
    "what Permit2 brought is drawn on its owner",
    "            if (sale.held) running = uint160(order.executor) | HELD;\n",
  ),
  mutant("a bought fee is not paid", BOUGHT_FEE),
  mutant("a bought fee of nothing is sent", BOUGHT_FEE, BOUGHT_FEE.replace("if (fee != 0) ", "")),
  mutant(
    "a bought fee is not taken off",
    "                rest -= fee;\n            }\n        }\n        uint256 quoted",
    "            }\n        }\n        uint256 quoted",
  ),
  mutant("bought fees are parts of what fees leave", "uint256 fee = gross * order", "uint256 fee = rest * order"),
  mutant("a sold fee is one of the maximum", SOLD_FEE, "sale.amount * order.fees[i].ratePpm / PPM"),
  mutant("a sold fee is one of what is swapped", SOLD_FEE, "sold * order.fees[i].ratePpm / PPM"),
  mutant("a sold fee of nothing is sent", "if (fee == 0) continue;"),
  mutant(
    "a sold fee is always drawn",
    "if (sale.held) order.sellToken.send(to, fee);\n                else order",
    "order",
  ),
  mutant("a sold fee is never drawn", "else order.sellToken.sendFrom(sale.owner, to, fee);"),
  mutant(
    "a sold fee is given back as well",
    "                rest -= fee;\n            }\n        }\n        if (sale.held",
    "            }\n        }\n        if (sale.held",
  ),
  mutant("what an order leaves is kept", "if (sale.held && rest != 0) order.sellToken.send(sale.owner, rest);"),
  mutant(
    "what an order leaves goes to its bringer",
    "order.sellToken.send(sale.owner, rest)",
    "order.sellToken.send(msg.sender, rest)",
  ),
  mutant("what an order leaves is paid though not here", "if (sale.held && rest != 0)", "if (rest != 0)"),
  mutant("a rest of nothing is sent", "if (sale.held && rest != 0)", "if (sale.held)"),

  mutant("more than Permit2 brought for it is drawn", HELD_TOO_MUCH, "        drawableAmount"),
  mutant(
    "what Permit2 brought may be drawn again",
    "        drawableAmount = left - amount;\n        drawableToken.send(",
    "        drawableToken.send(",
  ),
];
