import type { PoolId } from "../../domain/route.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Follower } from "../blocks/follower.ts";

/** Order in which the audit reads pools: each pool once per round, since there may be millions. */
export class AuditRounds {
  readonly #follower: Pick<Follower, "ids" | "changed">;
  readonly #poolsPerBlock: number;
  #round: readonly PoolId[] = [];
  /** Pools of the round that were audited already. */
  #cursor = 0;

  constructor(follower: Pick<Follower, "ids" | "changed">, poolsPerBlock: number) {
    this.#follower = follower;
    this.#poolsPerBlock = poolsPerBlock;
  }

  /** The next pools in turn of those that the snapshot has, and those that its block changed last. */
  next({ graph }: Snapshot): readonly PoolId[] {
    const chosen = new Set<PoolId>();
    for (let rounds = 0; chosen.size < this.#poolsPerBlock; this.#cursor++) {
      if (this.#cursor >= this.#round.length) {
        if (rounds++ > 0) break;
        this.#round = this.#follower.ids();
        this.#cursor = 0;
      }
      const id = this.#round[this.#cursor];
      if (id !== undefined && graph.pool(id) !== undefined) chosen.add(id);
    }
    return [...new Set([...chosen, ...this.#follower.changed().slice(-this.#poolsPerBlock)])];
  }
}
