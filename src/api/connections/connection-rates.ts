import type { ServerBounds } from "../limits/bounds.ts";
import type { Ledger, Rate } from "../limits/ledger.ts";

/** Seconds' worth of new connections that may come at once. */
const NEW_BURST_SECONDS = 5;

/** Factor for connections of an address from which a valid key came lately. */
const KNOWN_FACTOR = 5;

/** Networks that are remembered, and milliseconds for which they are. */
const MAX_KNOWN = 10_000;
const KNOWN_MS = 600_000;

/** Rates at which networks may open connections. Those from which a valid key came lately may open more. */
export class ConnectionRates {
  readonly #ledger: Ledger;
  readonly #newPerSecondAndAddress: number;
  readonly #newInAll: Rate;
  /** When a valid key last came from each network, oldest first. */
  readonly #seenAt = new Map<string, number>();

  constructor(ledger: Ledger, bounds: ServerBounds["connections"]) {
    this.#ledger = ledger;
    this.#newPerSecondAndAddress = bounds.newPerSecondAndAddress;
    this.#newInAll = rateOf("new connections", "", bounds.newPerSecond);
  }

  /** Charges another connection of a network. @returns what it was charged to, or undefined where that is spent */
  charge(network: string): readonly Rate[] | undefined {
    const charged = this.#ratesFor(network);
    return charged.every((rate) => this.#ledger.spend(rate).allowed) ? charged : undefined;
  }

  refund(charged: readonly Rate[]): void {
    for (const rate of charged) this.#ledger.refund(rate);
  }

  /** A valid key came from a network. */
  welcome(network: string): void {
    this.#seenAt.delete(network);
    this.#seenAt.set(network, performance.now());
    if (this.#seenAt.size > MAX_KNOWN) this.#seenAt.delete(this.#seenAt.keys().next().value!);
  }

  isKnown(network: string): boolean {
    return performance.now() - (this.#seenAt.get(network) ?? Number.NEGATIVE_INFINITY) < KNOWN_MS;
  }

  #ratesFor(network: string): readonly Rate[] {
    const perSecond = this.#newPerSecondAndAddress;
    if (!this.isKnown(network)) return [rateOf("new connections", network, perSecond), this.#newInAll];
    return [rateOf("new connections of a known address", network, perSecond * KNOWN_FACTOR)];
  }
}

function rateOf(what: string, who: string, perSecond: number): Rate {
  return { what, who, perSecond, burst: perSecond * NEW_BURST_SECONDS };
}
