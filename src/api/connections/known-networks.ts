/** Networks that are remembered, and milliseconds for which they are. */
const MOST_KNOWN = 10_000;
const KNOWN_MS = 600_000;

/** Networks from which valid keys came lately. */
export class KnownNetworks {
  /** When a valid key last came from each, oldest first. */
  readonly #seenAt = new Map<string, number>();

  note(network: string): void {
    this.#seenAt.delete(network);
    this.#seenAt.set(network, performance.now());
    if (this.#seenAt.size > MOST_KNOWN) this.#seenAt.delete(this.#seenAt.keys().next().value!);
  }

  has(network: string): boolean {
    return performance.now() - (this.#seenAt.get(network) ?? Number.NEGATIVE_INFINITY) < KNOWN_MS;
  }
}
