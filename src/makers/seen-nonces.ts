import type { MakerOrder } from "../domain/maker-order.ts";
import type { SourceId } from "../domain/source.ts";

/** Nonces that are remembered of each maker: an order that was given out before is no new one. */
const NONCES = 10_000;

/** Nonces of the orders that makers gave out lately. */
export class SeenNonces {
  readonly #seen = new Map<SourceId, Set<string>>();

  /** Whether an order's nonce is new; from now on it is not. */
  isFresh(source: SourceId, { maker, nonce }: Pick<MakerOrder, "maker" | "nonce">): boolean {
    const seen = this.#seen.get(source) ?? new Set();
    this.#seen.set(source, seen);
    const key = `${maker} ${nonce}`;
    if (seen.has(key)) return false;
    seen.add(key);
    const [oldest] = seen;
    if (seen.size > NONCES && oldest !== undefined) seen.delete(oldest);
    return true;
  }
}
