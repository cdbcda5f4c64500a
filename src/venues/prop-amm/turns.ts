import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";

/** Picks the next of many: the one whose last turn is longest ago, so that failing ones hold no place. */
export class Turns {
  readonly #most: number;
  readonly #turns = new Map<PoolId, { readonly place: number; readonly time: bigint }>();
  #given = 0;
  #block: { readonly number: bigint; readonly left: number } | undefined;

  /** `most`: turns that are given at one block, however often it is read. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Those whose turn it is at a block. */
  take(refs: readonly PoolRef[], { number, timestamp }: BlockRef): readonly PoolRef[] {
    const left = this.#block?.number === number ? this.#block.left : this.#most;
    const placeOf = ({ id }: PoolRef) => this.#turns.get(id)?.place ?? -1;
    const chosen = refs.toSorted((one, other) => placeOf(one) - placeOf(other)).slice(0, left);
    for (const { id } of chosen) this.#turns.set(id, { place: this.#given++, time: timestamp });
    this.#block = { number, left: left - chosen.length };
    return chosen;
  }

  /** When a pool had its last turn, unix seconds. */
  lastOf(id: PoolId): bigint | undefined {
    return this.#turns.get(id)?.time;
  }
}
