import { type Mutant, mutant } from "./mutant.ts";

const NONE = "? quoted == 0 && to == address(0)";
const SOUND = ": rate <= MAX_SURPLUS_PPM && quoted >= order.minBuyAmount && to != address(0)";
const UNFIT = "\n                && !_unfit(to, order.executor);\n        if (!isSound) revert InvalidSurplusShare";
const DIRECT = "order.surplusPpm == 0 && (order.feesFromSold";
const SHARE = "rest > quoted ? (rest - quoted) * order.surplusPpm / PPM : 0";
const PAID = "        order.buyToken.send(order.surplusRecipient, share);\n";
const REST = "_payRest(order.buyToken, recipient, rest - share)";

/** Faults in what Gateway.sol does about surplus. */
export const SURPLUS_MUTANTS: readonly Mutant[] = [
  mutant("any share is let in", "        _checkSurplus(order);\n"),
  mutant("a share without a rate may have a recipient", NONE, "? quoted == 0"),
  mutant("a share without a rate may have a quoted amount", NONE, "? to == address(0)"),
  mutant("a share has no cap", SOUND, SOUND.replace("rate <= MAX_SURPLUS_PPM && ", "")),
  mutant("half of the surplus is too much", SOUND, SOUND.replace("<=", "<")),
  mutant("surplus counts from below the minimum", SOUND, SOUND.replace("quoted >= order.minBuyAmount && ", "")),
  mutant("the minimum itself is no quoted amount", SOUND, SOUND.replace(">=", ">")),
  mutant("a share goes to nobody", SOUND, SOUND.replace(" && to != address(0)", "")),
  mutant("a share goes to a contract of ours", UNFIT, ";\n        if (!isSound) revert InvalidSurplusShare"),
  mutant("the output to share of goes straight to its recipient", DIRECT, "(order.feesFromSold"),
  mutant("fees on the sold token are taken of the bought one too", "if (!order.feesFromSold) {", "{"),
  mutant("the quoted amount is not scaled", "_scaled(order, sale, order.quotedBuyAmount)", "order.quotedBuyAmount"),
  mutant("all that comes is surplus", SHARE, "rest * order.surplusPpm / PPM"),
  mutant("surplus counts from the minimum", "_scaled(order, sale, order.quotedBuyAmount)", "order.minBuyAmount"),
  mutant("fees are surplus", SHARE, SHARE.replace("(rest - quoted)", "(gross - quoted)")),
  mutant("a share is rounded up", SHARE, SHARE.replace("order.surplusPpm / PPM", "order.surplusPpm / PPM + 1")),
  mutant("nothing is shared", SHARE, "0"),
  mutant("a share is not paid", PAID),
  mutant("a share is the recipient's", PAID, PAID.replace("order.surplusRecipient", "recipient")),
  mutant("a share is not taken off", REST, REST.replace("rest - share", "rest")),
  mutant(
    "a token may keep of what was quoted",
    "        if (bought < quoted) revert InsufficientOutput(quoted, bought);\n",
  ),
  mutant("one less than was quoted is enough", "(bought < quoted)", "(bought + 1 < quoted)"),
  mutant("what was quoted itself is too little", "(bought < quoted)", "(bought <= quoted)"),
];
