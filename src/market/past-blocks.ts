import type { Hex } from "../domain/address.ts";
import type { Snapshot } from "./snapshot.ts";

/** Blocks that prices are told of besides the newest: search threads keep as many states of the market, and some more. */
export const PAST_BLOCKS = 64;

/** The newest snapshots, each whole and exact for its block: they share all that did not change between them. */
export class PastBlocks {
  readonly #canonicalHash: (blockNumber: bigint) => Hex | undefined;
  readonly #current: () => Snapshot | undefined;
  readonly #renewed: (snapshot: Snapshot) => void;
  /** By the number of their blocks, the oldest first. */
  #snapshots: readonly Snapshot[] = [];

  /**
   * `canonicalHash`: of a block of the chain that is followed now; undefined where it is not known any more. `current`: the
   * newest block as it is shown now: taxes that were measured since it came are in it. `renewed`: told of a block that took
   * the place of the one that was held of it, before anybody else is shown it.
   */
  constructor(
    canonicalHash: (blockNumber: bigint) => Hex | undefined,
    current: () => Snapshot | undefined,
    renewed: (snapshot: Snapshot) => void,
  ) {
    this.#canonicalHash = canonicalHash;
    this.#current = current;
    this.#renewed = renewed;
  }

  /** Takes the next snapshot; those of its block and of later ones were left by the chain, or were corrected. */
  add(snapshot: Snapshot): void {
    const before = this.#snapshots.filter(({ block }) => block.number < snapshot.block.number);
    this.#snapshots = [...before, snapshot].slice(-PAST_BLOCKS);
  }

  /** Takes a block's snapshot in the place of the one that was held of it, if it is the newest that is held. */
  renew(snapshot: Snapshot): void {
    const last = this.#snapshots.at(-1);
    if (last === snapshot || last?.block.hash !== snapshot.block.hash) return;
    this.add(snapshot);
    this.#renewed(snapshot);
  }

  /** The market at a block of the chain; undefined for one that is not held. */
  at(blockNumber: bigint): Snapshot | undefined {
    const current = this.#current();
    if (current !== undefined) this.renew(current);
    const found = this.#snapshots.find(({ block }) => block.number === blockNumber);
    return found !== undefined && this.#isCanonical(found) ? found : undefined;
  }

  /** The oldest and the newest block that is held; undefined while there is none. A block in between may be missing. */
  range(): { readonly oldest: bigint; readonly newest: bigint } | undefined {
    const oldest = this.#snapshots.find((snapshot) => this.#isCanonical(snapshot));
    const newest = this.#snapshots.findLast((snapshot) => this.#isCanonical(snapshot));
    return oldest && newest && { oldest: oldest.block.number, newest: newest.block.number };
  }

  #isCanonical({ block }: Snapshot): boolean {
    return this.#canonicalHash(block.number) === block.hash;
  }
}
