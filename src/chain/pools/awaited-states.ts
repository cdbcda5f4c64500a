import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { HeldPools } from "./block-changes.ts";
import type { Found } from "./found-pools.ts";
import type { PoolState } from "./read-pools.ts";

/** States that pools have at a block, which may be gone. */
export interface LaterStates {
  readonly at: BlockRef;
  readonly states: ReadonlyMap<PoolId, PoolState>;
}

type Block = Pick<BlockRef, "number" | "hash">;

/** States that pools get at a block above the tip, where the chain leads through that very block. */
export class AwaitedStates {
  readonly #pools: Pick<HeldPools, "tracked" | "store">;
  #later: LaterStates | undefined;

  constructor(pools: Pick<HeldPools, "tracked" | "store">) {
    this.#pools = pools;
  }

  begin(later: LaterStates | undefined, base: Block): void {
    this.#later = later !== undefined && later.at.number > base.number ? later : undefined;
  }

  /** Whether a pool without a state awaits one. */
  has(id: PoolId): boolean {
    const { tracked, store } = this.#pools;
    return this.#later?.states.has(id) === true && tracked.has(id) && store.get(id) === undefined;
  }

  /** Pools to read with the next block: of the `unread` those that await nothing, and all others if it is not the one they await. */
  toRead(block: Block, unread: ReadonlyMap<PoolId, Found>): ReadonlyMap<PoolId, Found> {
    const missed = this.#isDue(block) && this.#later?.at.hash !== block.hash ? this.#waiting() : [];
    const others = [...unread].filter(([id]) => !this.has(id));
    return new Map([...others, ...missed.map((id) => [id, this.#pools.tracked.get(id)!] as const)]);
  }

  /** The states at a block that the tip has come to. After the block of that number nothing is awaited. */
  take(block: Block): ReadonlyMap<PoolId, PoolState> {
    if (this.#later === undefined || !this.#isDue(block)) return new Map();
    const { at, states } = this.#later;
    const waiting = at.hash === block.hash ? this.#waiting() : [];
    this.#later = undefined;
    return new Map(waiting.map((id) => [id, states.get(id)!]));
  }

  #isDue({ number }: Block): boolean {
    return this.#later?.at.number === number;
  }

  #waiting(): readonly PoolId[] {
    return [...(this.#later?.states.keys() ?? [])].filter((id) => this.has(id));
  }
}
