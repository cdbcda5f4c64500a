import type { SimulationOutcome } from "../../quoting/ports.ts";
import { type FirstRun, firstLimit } from "./proven-run.ts";
import { recipientOf, type SimulationRequest, senderOf } from "./simulation-request.ts";

/** Transactions that are remembered; the oldest are forgotten. */
const MAX_REMEMBERED = 5_000;

/** Facts that a simulation has shown, as a guess for the next one like it. A wrong one costs a run, and changes no outcome. */
interface Shown {
  /** Whether the sender had and had approved what it needed. */
  readonly isFunded: boolean;
  /** Gas used, where a run with little more than that may prove the limit. */
  readonly gasUsed: bigint | undefined;
}

/** Simulations made before, by what makes transactions alike: tokens, pools or their number, and the parties if these are known. */
export class SimulatedBefore {
  readonly #shown = new Map<string, Shown>();

  /** Facts that one of the same parties has shown; if there is none, the gas that anybody's has used. */
  like(request: SimulationRequest): Partial<Shown> {
    const own = this.#shown.get(keyOf(request));
    return own ?? { gasUsed: this.#shown.get(tradeOf(request))?.gasUsed };
  }

  keep(request: SimulationRequest, outcome: SimulationOutcome, first: FirstRun, isFunded: boolean): void {
    const isMissed = this.like(request).gasUsed !== undefined && first.gas === undefined;
    const isFirst = outcome.kind === "done" && outcome.gasLimit === firstLimit(request, outcome.gasUsed);
    this.#set(request, { isFunded, gasUsed: isFirst && !isMissed ? outcome.gasUsed : undefined });
  }

  /** One that the node refused to run is not tried unaided the next time. */
  keepRefused(request: SimulationRequest): void {
    this.#set(request, { isFunded: false, gasUsed: undefined });
  }

  #set(request: SimulationRequest, shown: Shown): void {
    for (const key of [keyOf(request), tradeOf(request)]) {
      this.#shown.delete(key);
      this.#shown.set(key, shown);
    }
    for (const oldest of this.#shown.keys()) {
      if (this.#shown.size <= MAX_REMEMBERED) return;
      this.#shown.delete(oldest);
    }
  }
}

function keyOf(request: SimulationRequest): string {
  return [senderOf(request), recipientOf(request), tradeOf(request)].join();
}

/** Key of a transaction for whoever sends it. */
function tradeOf({ terms, transaction, avoidHolders }: SimulationRequest): string {
  return [terms.sellToken, terms.buyToken, transaction.to, transaction.data.length, ...avoidHolders].join();
}
