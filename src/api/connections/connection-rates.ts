import type { DoorBounds } from "../limits/bounds.ts";
import type { Ledger, Rate } from "../limits/ledger.ts";

/** Seconds' worth of new connections that may come at once. */
const NEW_BURST_SECONDS = 5;

/** Seconds' worth of resets that may come at once. */
const RESET_BURST_SECONDS = 2;

/** How many times as many connections an address may open from which a valid key came lately. */
const KNOWN_FACTOR = 5;

/** Addresses from which valid keys came, and milliseconds for which that is remembered. */
const MOST_KNOWN = 10_000;
const KNOWN_MS = 600_000;

type Bounds = Pick<DoorBounds, "connections" | "resetsPerSecond">;

/** How fast networks may open connections and reset streams. Those from which a valid key came lately may open more. */
export class ConnectionRates {
  readonly #ledger: Ledger;
  readonly #bounds: Bounds;
  readonly #newInAll: Rate;
  /** When a valid key last came from a network, oldest first. */
  readonly #known = new Map<string, number>();

  constructor(ledger: Ledger, bounds: Bounds) {
    this.#ledger = ledger;
    this.#bounds = bounds;
    this.#newInAll = rateOf("new connections", "", bounds.connections.newPerSecond);
  }

  /** Charges another connection of a network. @returns what it was charged to, or undefined where that is spent */
  chargeNew(network: string): readonly Rate[] | undefined {
    const charged = this.#ratesFor(network);
    return charged.every((rate) => this.#ledger.spend(rate).allowed) ? charged : undefined;
  }

  refund(charged: readonly Rate[]): void {
    for (const rate of charged) this.#ledger.refund(rate);
  }

  /** A valid key came from a network. */
  welcome(network: string): void {
    this.#known.delete(network);
    this.#known.set(network, performance.now());
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value!);
  }

  isKnown(network: string): boolean {
    return performance.now() - (this.#known.get(network) ?? Number.NEGATIVE_INFINITY) < KNOWN_MS;
  }

  /** Notes that a caller has reset a stream. @returns false where its network has done so too often */
  reset(network: string): boolean {
    return this.#ledger.owe(this.#resetsOf(network));
  }

  /** Whether a network has reset more streams than it may. */
  isResetting(network: string): boolean {
    return this.#ledger.isSpent(this.#resetsOf(network));
  }

  #ratesFor(network: string): readonly Rate[] {
    const { newPerSecondAndAddress } = this.#bounds.connections;
    if (!this.isKnown(network)) return [rateOf("new connections", network, newPerSecondAndAddress), this.#newInAll];
    return [rateOf("new connections of a known address", network, newPerSecondAndAddress * KNOWN_FACTOR)];
  }

  #resetsOf(who: string): Rate {
    const { resetsPerSecond } = this.#bounds;
    return { what: "resets", who, perSecond: resetsPerSecond, burst: resetsPerSecond * RESET_BURST_SECONDS };
  }
}

function rateOf(what: string, who: string, perSecond: number): Rate {
  return { what, who, perSecond, burst: perSecond * NEW_BURST_SECONDS };
}
