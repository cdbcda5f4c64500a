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

/** Simulations made before, by what makes transactions alike: parties, tokens, and pools or their number. */
export class SimulatedBefore {
  readonly #shown = new Map<string, Shown>();

  like(request: SimulationRequest): Shown | undefined {
    return this.#shown.get(keyOf(request));
  }

  keep(request: SimulationRequest, outcome: SimulationOutcome, first: FirstRun, isFunded: boolean): void {
    const isMissed = this.like(request)?.gasUsed !== undefined && first.gas === undefined;
    const isFirst = outcome.kind === "done" && outcome.gasLimit === firstLimit(request, outcome.gasUsed);
    this.#set(request, { isFunded, gasUsed: isFirst && !isMissed ? outcome.gasUsed : undefined });
  }

  /** One that the node refused to run is not tried unaided the next time. */
  keepRefused(request: SimulationRequest): void {
    this.#set(request, { isFunded: false, gasUsed: undefined });
  }

  #set(request: SimulationRequest, shown: Shown): void {
    const key = keyOf(request);
    this.#shown.delete(key);
    this.#shown.set(key, shown);
    if (this.#shown.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#shown.keys();
    if (oldest !== undefined) this.#shown.delete(oldest);
  }
}

function keyOf(request: SimulationRequest): string {
  const { terms, transaction, avoidHolders } = request;
  const parties = [senderOf(request), recipientOf(request), terms.sellToken, terms.buyToken];
  return [...parties, transaction.to, transaction.data.length, ...avoidHolders].join();
}
