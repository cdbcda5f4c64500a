import type { Hex } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { FeedState } from "../../market/feed/feed-state.ts";
import { FeedFollower } from "../../market/feed/follower.ts";
import { leftOutOf } from "../../market/left-out.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Snapshot, SourceState } from "../../market/snapshot.ts";
import { withoutTax } from "../../market/taxed-pools.ts";
import { decodeUpdate } from "../../snapshot/feed-codec.ts";
import type { FleetEntry, PoolsFound, SourceStanding } from "../../snapshot/fleet-codec.ts";
import type { KeptPool, KeptSearch, KeptState } from "../../snapshot/kept-state.ts";
import type { Found } from "../pools/found-pools.ts";

/** Snapshots that are held: of the newest whose block is still on the chain another process goes on. */
const SNAPSHOTS_HELD = 32;
/** Blocks whose hashes are known: what was read at an older one is not expected to go. */
const BLOCKS_KNOWN = 256;

/** Knowledge from one whole state of a fleet's feed and the updates after it. */
export class HeldFeed {
  readonly #sources: ReadonlyMap<SourceId, LiquiditySource>;
  readonly #follower = new FeedFollower();
  readonly #found = new Map<PoolId, Found>();
  #told: Omit<PoolsFound, "pools"> | undefined;
  #snapshots: readonly Snapshot[] = [];
  /** Fencing token of the lease that all of it was told under. */
  #token = 0;
  #isOlder = false;

  constructor(sources: readonly LiquiditySource[]) {
    this.#sources = new Map(sources.map((source) => [source.id, source]));
  }

  get token(): number {
    return this.#token;
  }

  get sequence(): number {
    return this.#follower.newest?.sequence ?? 0;
  }

  get state(): FeedState | undefined {
    return this.#follower.newest;
  }

  /** A pool as it was announced. */
  tracked(id: PoolId): Found | undefined {
    return this.#found.get(id);
  }

  /**
   * Takes an entry that follows on what was told. Answers the snapshot that it leads to; undefined: to none.
   * @throws RangeError for one that does not follow
   */
  take({ token, parts, sources, found, isOlder }: FleetEntry): Snapshot | undefined {
    this.#token = token;
    this.#isOlder = isOlder === true;
    if (found !== undefined) this.#find(found);
    let state: FeedState | undefined;
    for (const part of parts)
      state = this.#follower.take(decodeUpdate(part, (slot) => this.#follower.poolAt(slot))) ?? state;
    if (state === undefined) return undefined;
    const { market } = state;
    const snapshot = {
      ...market,
      sources: this.#sourceStates(sources, market),
      tokens: this.#follower.tokens(),
    };
    this.#snapshots = [...this.#snapshots.slice(1 - SNAPSHOTS_HELD), snapshot];
    return snapshot;
  }

  /**
   * State that following the chain can go on from: the newest snapshot whose block is still on it; undefined if there
   * is none. Pools that change without a log come without a state, like sleeping ones, and so do all that the version before told.
   * @throws the errors of `isCanonical`
   */
  async kept(isCanonical: (block: Snapshot["block"]) => Promise<boolean>): Promise<KeptState | undefined> {
    if (this.#told === undefined) return undefined;
    for (const shown of this.#snapshots.toReversed()) {
      const { block, graph } = shown;
      if (!(await isCanonical(block))) continue;
      const { sources, deepSince } = this.#told;
      const searches = this.#searchesUpTo(block.number, this.#told);
      return { block, sources, deepSince, searches, shown, pools: [...this.#keptPools(graph)] };
    }
    return undefined;
  }

  /**
   * Searches for pools left up to a block, which may lie below the feed's: the unfinished ones, and all blocks since.
   */
  #searchesUpTo(last: bigint, { upTo, searches = [], sources }: Omit<PoolsFound, "pools">): readonly KeptSearch[] {
    const announcing = sources.filter((id) => this.#sources.get(id)?.creation !== undefined);
    const since = announcing.length === 0 ? [] : [{ sources: announcing, next: upTo + 1n, to: last }];
    return [...searches, ...since]
      .map((search) => ({ ...search, to: search.to < last ? search.to : last }))
      .filter(({ next, to }) => next <= to);
  }

  /** Those with a state first, in their order: it breaks ties. */
  *#keptPools(graph: Snapshot["graph"]): Generator<KeptPool> {
    for (const pool of graph.all()) {
      const found = this.#found.get(pool.id);
      if (found === undefined) continue;
      const { ref, source } = found;
      const isWhole = source.refresh === undefined && !this.#isOlder;
      yield { source: source.id, ref, pool: isWhole ? withoutTax(pool) : undefined };
    }
    for (const { ref, source } of this.#found.values())
      if (graph.pool(ref.id) === undefined) yield { source: source.id, ref, pool: undefined, asleep: true };
  }

  #find({ pools, ...told }: PoolsFound): void {
    this.#told = told;
    for (const { source: id, ref } of pools) {
      const source = this.#sources.get(id);
      if (source !== undefined) this.#found.set(ref.id, { ref, source });
    }
  }

  #sourceStates(
    standing: readonly SourceStanding[],
    { graph, block }: Pick<Snapshot, "graph" | "block">,
  ): ReadonlyMap<SourceId, SourceState> {
    const byId = new Map(standing.map((each) => [each.id, each]));
    const withheld = new Map(standing.map((each) => [each.id, each.withheld]));
    const leftOut = leftOutOf(graph, withheld, (id) => byId.get(id)?.unserved ?? []);
    return new Map(
      standing.map(({ id, pools, asleep, off }): [SourceId, SourceState] => {
        const status = off === undefined ? { status: "live" as const } : { status: "off" as const, reason: off };
        return [id, { pools, asleep, ...status, blockNumber: block.number, leftOut: () => leftOut(id) }];
      }),
    );
  }
}

/** Hashes of the last blocks of a feed by their heights. */
export class FeedBlocks {
  readonly #hashes = new Map<bigint, Hex>();

  hashAt(height: bigint): Hex | undefined {
    return this.#hashes.get(height);
  }

  /**
   * Notes the newest block, which need not be the next one. @returns the height above which blocks have left the chain, 0 where
   * nobody can tell; undefined: none have
   */
  note({ number, hash, parentHash }: Snapshot["block"]): bigint | undefined {
    const [known, parent] = [this.#hashes.get(number), this.#hashes.get(number - 1n)];
    const isLower = [...this.#hashes.keys()].some((height) => height > number);
    const hasLeft = isLower || (known ?? hash) !== hash || (parent ?? parentHash) !== parentHash;
    const left = known === hash ? number : parent === parentHash ? number - 1n : 0n;
    if (hasLeft) for (const height of this.#hashes.keys()) if (height > left) this.#hashes.delete(height);
    this.#hashes.set(number, hash);
    const [oldest] = this.#hashes.keys();
    if (this.#hashes.size > BLOCKS_KNOWN && oldest !== undefined) this.#hashes.delete(oldest);
    return hasLeft ? left : undefined;
  }
}
