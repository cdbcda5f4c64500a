import { keccak256 } from "viem/utils";
import { isAddressText, toAddress } from "../domain/address.ts";
import type { LoggedQuote } from "../domain/logged-quote.ts";
import type { Simulator } from "./ports.ts";

/** How a quote of the past does today, at its own block. */
export type Replay =
  /** It does to the wei what was promised. */
  | { readonly kind: "holds"; readonly gasUsed: bigint }
  /** It does something else, or reverts. */
  | { readonly kind: "differs"; readonly reason: string }
  /** It cannot be run: the node has not kept that block's state, say. */
  | { readonly kind: "gone"; readonly reason: string };

/** Runs the transaction of a recorded quote again, at the block that it was made for. */
export async function replay(quote: LoggedQuote, simulator: Simulator): Promise<Replay> {
  if (keccak256(quote.transaction.data) !== quote.calldataHash) {
    return { kind: "differs", reason: "the recorded calldata is not that of its hash: the record was changed" };
  }
  const { terms, sellAmount, buyAmount } = quote;
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
    case "done": {
      const { bought, sold, gasUsed, secondsLater } = outcome;
      // Which pools move with time is on no record.
      const when = secondsLater === 0n ? "" : `, run ${secondsLater} s later than it was quoted for`;
      // A taker that is the fee's recipient as well gets the fee on top.
      const least = fee !== undefined && fee.recipient === quote.taker ? bought >= buyAmount : bought === buyAmount;
      if (!least) return { kind: "differs", reason: `it pays ${bought} instead of ${buyAmount}${when}` };
      if (sold !== sellAmount) return { kind: "differs", reason: `it takes ${sold} instead of ${sellAmount}${when}` };
      return { kind: "holds", gasUsed };
    }
  }
}
