import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import { divide } from "../../domain/ratio.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Pool } from "../../pools/pool.ts";
import { depthsOf } from "./pool-depth.ts";
import { placeOf, TokenRanking, tokenAt } from "./token-ranking.ts";
import { type PoolDepths, type TokenTotal, TokenTotals } from "./token-totals.ts";

/** Milliseconds from the beginning of one count to the next: where blocks come faster, some are passed over. */
export const COUNT_EVERY_MS = 1_000;
/** Changes of pools that are counted at once; with more, all pools are counted anew. */
const MAX_CHANGES = 4_096;
/** Tokens that are ranked anew with each count beside those whose pools have changed: rates move without them. */
const RANKED_PER_COUNT = 256;

/** Parts of a snapshot from which tokens are counted. */
export type CountedSnapshot = Pick<Snapshot, "block" | "graph" | "rates">;

/** Something to wait for when other work is due. */
type Pause = () => Promise<void> | undefined;

/** Tokens of the market at one block. */
export interface CountedTokens {
  readonly snapshot: CountedSnapshot;
  readonly totals: TokenTotals;
  readonly ranking: TokenRanking;
}

/**
 * Pools, depth and place of every token, kept from block to block in the background: a count costs what has changed since
 * the one before, and leaves other work its turns.
 */
export class MarketTokens {
  readonly #wrappedNative: Address;
  readonly #pausing: () => Pause;
  /** Milliseconds of a clock that never goes back. */
  readonly #elapsed: () => number;
  readonly #depths = new WeakMap<Pool, PoolDepths>();
  #counted: CountedTokens | undefined;
  #next: CountedSnapshot | undefined;
  #counting: Promise<void> | undefined;
  #begunAt = Number.NEGATIVE_INFINITY;
  /** Place of the token that was ranked last by turn. */
  #turn: string | undefined;

  constructor(options: {
    readonly wrappedNative: Address;
    /** Pauses for work that begins now. */
    readonly pausing: () => Pause;
    readonly elapsed: () => number;
  }) {
    this.#wrappedNative = options.wrappedNative;
    this.#pausing = options.pausing;
    this.#elapsed = options.elapsed;
  }

  /** The last count; undefined before the first. Its parts are of one block as long as nothing is waited for. */
  get counted(): CountedTokens | undefined {
    return this.#counted;
  }

  /** Counts a snapshot, or the newest that is shown meanwhile. Settles when none is being counted. */
  look(snapshot: CountedSnapshot): Promise<void> {
    this.#next = snapshot;
    this.#counting ??= this.#countAll().finally(() => {
      this.#counting = undefined;
    });
    return this.#counting;
  }

  async #countAll(): Promise<void> {
    while (this.#next !== undefined) {
      const snapshot = this.#next;
      this.#next = undefined;
      // The next snapshot asks again.
      if (this.#counted !== undefined && this.#elapsed() - this.#begunAt < COUNT_EVERY_MS) continue;
      this.#begunAt = this.#elapsed();
      await this.#count(snapshot, this.#pausing());
    }
  }

  async #count(snapshot: CountedSnapshot, pause: Pause): Promise<void> {
    const changes = this.#counted && changesBetween(this.#counted.snapshot, snapshot);
    if (this.#counted === undefined || changes === undefined || changes.length > MAX_CHANGES) {
      this.#counted = await this.#countAnew(snapshot, pause);
      return;
    }
    for (const { pool } of changes) {
      await pause();
      if (pool !== undefined) this.#depthsOf(pool, snapshot);
    }
    const { totals, ranking } = this.#counted;
    const used = new Set<Address>();
    for (const { before, pool } of changes) {
      if (before !== undefined) for (const token of this.#add(totals, before, snapshot, -1)) used.add(token);
      if (pool !== undefined) for (const token of this.#add(totals, pool, snapshot, 1)) used.add(token);
    }
    const counted = { snapshot, totals, ranking };
    this.#counted = counted;
    // The native token has the pools of its wrapper.
    await this.#rank([NATIVE_TOKEN, ...used, ...this.#turnOf(ranking)], counted, pause);
  }

  async #countAnew(snapshot: CountedSnapshot, pause: Pause): Promise<CountedTokens> {
    const totals = new TokenTotals(this.#wrappedNative);
    for (const chunk of snapshot.graph.chunks()) {
      await pause();
      for (const pool of chunk) if (pool !== undefined) this.#add(totals, pool, snapshot, 1);
    }
    const counted = { snapshot, totals, ranking: new TokenRanking() };
    await this.#rank([NATIVE_TOKEN, ...totals.tokens()], counted, pause);
    return counted;
  }

  #add(totals: TokenTotals, pool: Pool, snapshot: CountedSnapshot, sign: 1 | -1): ReadonlySet<Address> {
    return totals.count(pool, this.#depthsOf(pool, snapshot), sign);
  }

  #depthsOf(pool: Pool, { graph }: CountedSnapshot): PoolDepths {
    let depths = this.#depths.get(pool);
    if (depths === undefined) {
      depths = depthsOf(pool, graph.time);
      this.#depths.set(pool, depths);
    }
    return depths;
  }

  async #rank(tokens: readonly Address[], { snapshot, totals, ranking }: CountedTokens, pause: Pause): Promise<void> {
    for (const token of tokens) {
      await pause();
      const total = totals.of(token);
      ranking.put(token, total && placeOf(token, depthWei(token, total, snapshot) ?? 0n));
    }
  }

  /** The tokens whose turn it is to be ranked anew. */
  #turnOf(ranking: TokenRanking): readonly Address[] {
    const places = ranking.after(this.#turn, RANKED_PER_COUNT);
    this.#turn = places.length < RANKED_PER_COUNT ? undefined : places.at(-1);
    return places.map(tokenAt);
  }
}

/** Wei that a token's depth is worth; undefined where it has no rate. */
export function depthWei(token: Address, { depth }: TokenTotal, { rates }: CountedSnapshot): bigint | undefined {
  const rate = rates.perNative(token);
  return rate === undefined || rate.num === 0n ? undefined : divide(depth * rate.den, rate.num, "down");
}

/** Pools that differ between two snapshots. */
function changesBetween(
  before: CountedSnapshot,
  after: CountedSnapshot,
): readonly { readonly before: Pool | undefined; readonly pool: Pool | undefined }[] {
  const [old, now] = [before.graph.chunks(), after.graph.chunks()];
  const changes: { before: Pool | undefined; pool: Pool | undefined }[] = [];
  for (let index = 0; index < Math.max(old.length, now.length); index++) {
    if (old[index] === now[index]) continue;
    const places = Math.max(old[index]?.length ?? 0, now[index]?.length ?? 0);
    for (let place = 0; place < places; place++) {
      const [was, pool] = [old[index]?.[place], now[index]?.[place]];
      if (was !== pool) changes.push({ before: was, pool });
    }
  }
  return changes;
}
