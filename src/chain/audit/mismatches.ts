import type { PoolId } from "../../domain/route.ts";
import type { Market } from "../../market/market.ts";
import type { Logger } from "../../ops/logger.ts";
import type { Follower } from "../blocks/follower.ts";

/** Times that a pool may differ before it stays in quarantine: what keeps going wrong is not understood. */
const MAX_MISMATCHES = 3;

/** So many pools that differ within so many blocks put everything in doubt that was read. */
const TOO_MANY = 3;
const LATELY_BLOCKS = 20n;

interface MismatchOptions {
  readonly follower: Pick<Follower, "tracked" | "repair" | "startOver">;
  readonly market: Pick<Market, "quarantine">;
  readonly logger: Logger;
}

/** Pools that differed from the chain, and what that comes to: quarantine, another reading, or reading everything anew. */
export class Mismatches {
  readonly #options: MismatchOptions;
  readonly #times = new Map<PoolId, number>();
  /** Pools that differed in the last blocks. */
  #lately: readonly { readonly id: PoolId; readonly block: bigint }[] = [];
  #count = 0;

  constructor(options: MismatchOptions) {
    this.#options = options;
  }

  /** Pools that differed since the start. */
  get count(): number {
    return this.#count;
  }

  /** A pool differed at the block of this number. */
  note(id: PoolId, block: bigint): void {
    const { follower, market, logger } = this.#options;
    this.#count += 1;
    const times = (this.#times.get(id) ?? 0) + 1;
    this.#times.set(id, times);
    market.quarantine(id, `its state differed from the chain's at block ${block}`);
    logger.error({ pool: id, block: Number(block), times }, "a pool's state differs from the chain's");
    if (times < MAX_MISMATCHES) follower.repair([id]);
    // Anybody can make pools that differ by what foreign contracts answer: these put nothing else in doubt.
    if (follower.tracked(id)?.source.callsForeignContracts) return;
    this.#lately = [...this.#lately.filter((earlier) => block - earlier.block < LATELY_BLOCKS), { id, block }];
    if (new Set(this.#lately.map((entry) => entry.id)).size < TOO_MANY) return;
    this.#lately = [];
    follower.startOver("Several pools differed from the chain: everything is read anew.", "announcements");
  }
}
