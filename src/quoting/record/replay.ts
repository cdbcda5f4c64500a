import { keccak256 } from "viem/utils";
import { isAddressText, toAddress, ZERO_ADDRESS } from "../../domain/address.ts";
import type { LoggedQuote } from "../../domain/terms/logged-quote.ts";
import { partsOf } from "../../domain/terms/swap-fee.ts";
import type { SimulationOutcome, Simulator } from "../ports.ts";
import { isWithinTolerance } from "../quote/deviations.ts";

/** Result of a past quote run again today, at its own block. */
export type Replay =
  /** It does to the wei what was promised. */
  | { readonly kind: "holds"; readonly gasUsed: bigint }
  /** It does so but for what time alone may change: the node runs nothing at the quoted second, only later. */
  | { readonly kind: "near"; readonly reason: string }
  /** It does something else, or reverts. */
  | { readonly kind: "differs"; readonly reason: string }
  /** It cannot be run: the node has not kept that block's state, say. */
  | { readonly kind: "gone"; readonly reason: string };

/** Runs the transaction of a recorded quote again, at the block that it was made for. */
export async function replay(quote: LoggedQuote, simulator: Simulator): Promise<Replay> {
  if (keccak256(quote.transaction.data) !== quote.calldataHash) {
    return { kind: "differs", reason: "the recorded calldata is not that of its hash: the record was changed" };
  }
  const { terms } = quote;
  const { fee, ...plain } = terms;
  const outcome = await simulator.simulate({
    transaction: quote.transaction,
    taker: quote.taker,
    terms: fee === undefined ? plain : { ...plain, fee },
    allowanceTarget: quote.allowanceTarget,
    avoidHolders: quote.route.flatMap(({ pool }) => (isAddressText(pool) ? [toAddress(pool)] : [])),
    at: quote.block,
  });
  switch (outcome.kind) {
    case "incomplete":
      return { kind: "gone", reason: outcome.reason };
    case "reverted":
      return { kind: "differs", reason: `it reverts: ${outcome.reason}` };
    case "done":
      return judge(outcome, quote);
  }
}

/** Holds an outcome against what was promised. Which pools move with time is on no record: run later, any of them may have. */
function judge(outcome: Extract<SimulationOutcome, { kind: "done" }>, quote: LoggedQuote): Replay {
  const { bought, sold, gasUsed, secondsLater } = outcome;
  const { sellAmount, buyAmount, taker, terms } = quote;
  const when = secondsLater === 0n ? "" : `, run ${secondsLater} s later than it was quoted for`;
  // A payee that takes a part of the fee gets that on top.
  const payee = terms.recipient === ZERO_ADDRESS ? taker : terms.recipient;
  const isPaid = partsOf(terms.fee).some(({ recipient }) => recipient === payee) && bought >= buyAmount;
  const keeps = partsOf(terms.fee).some(({ recipient }) => recipient === taker) && sold <= sellAmount;
  const differences = [
    { actual: isPaid && terms.fee?.fromSold !== true ? buyAmount : bought, promised: buyAmount, does: "pays" },
    { actual: keeps && terms.fee?.fromSold === true ? sellAmount : sold, promised: sellAmount, does: "takes" },
  ]
    .filter(({ actual, promised }) => actual !== promised)
    .map(({ actual, promised, does }) => ({
      kind: isWithinTolerance(actual, promised, secondsLater, true) ? ("near" as const) : ("differs" as const),
      reason: `it ${does} ${actual} instead of ${promised}${when}`,
    }));
  return differences.find(({ kind }) => kind === "differs") ?? differences[0] ?? { kind: "holds", gasUsed };
}
