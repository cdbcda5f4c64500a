import type { Address } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import { CatalogFault, type CatalogMark, type KnownPool, type PoolCatalog } from "../../market/pool-catalog.ts";
import { type Clock, slicing } from "../rpc/clock.ts";
import { createCatalogInMemory } from "./catalog-in-memory.ts";

/** Pools that are added at a time: some 10 ms (bench/chain/sleeping.ts). */
const AT_ONCE = 100;
/** Pools that are held in memory while the catalog cannot take them; with more, none are found any more. */
const MAX_HELD = 100_000;

interface SleepingOptions {
  /** Without one all are in memory. */
  readonly catalog: PoolCatalog | undefined;
  readonly clock: Clock;
  /** Takes what the catalog fails with; nobody by default. */
  readonly onFault?: ((fault: CatalogFault) => void) | undefined;
}

/**
 * Pools that are known by their announcement alone: neither is their state kept nor are their logs read. They are in the
 * catalog but for those that were announced in blocks which may be taken back. A catalog that fails is done without.
 */
export class SleepingPools {
  readonly #catalog: PoolCatalog | undefined;
  readonly #clock: Clock;
  readonly #onFault: (fault: CatalogFault) => void;
  /** Those that may be taken back, and those that no catalog takes. */
  readonly #held = createCatalogInMemory();

  constructor({ catalog, clock, onFault = () => {} }: SleepingOptions) {
    this.#catalog = catalog;
    this.#clock = clock;
    this.#onFault = onFault;
  }

  get size(): number {
    return this.#held.size + (this.#catalog?.size ?? 0);
  }

  count(source: SourceId): number {
    return this.#held.count(source) + (this.#catalog?.count(source) ?? 0);
  }

  has(id: PoolId): boolean {
    return this.#held.has(id) || this.#orElse(false, (catalog) => catalog.has(id));
  }

  get(id: PoolId): KnownPool | undefined {
    return this.#held.get(id) ?? this.#orElse(undefined, (catalog) => catalog.get(id));
  }

  /** Those that hold a token, at most so many. */
  with(token: Address, most: number): readonly PoolId[] {
    const held = this.#held.with(token, most);
    return [...held, ...this.#orElse([], (catalog) => catalog.with(token, most - held.length))];
  }

  /** So many of them with their tokens, others each time until all have had their turn. */
  next(most: number): ReturnType<PoolCatalog["next"]> {
    return [...this.#held.next(most), ...this.#orElse([], (catalog) => catalog.next(most))];
  }

  /** All of them. @throws CatalogFault */
  *all(): Generator<KnownPool> {
    yield* this.#held.all();
    if (this.#catalog !== undefined) yield* this.#catalog.all();
  }

  /** Those that are in memory alone: what is kept of the chain elsewhere has to have them. */
  held(): Iterable<KnownPool> {
    return this.#held.all();
  }

  /** Lets pools sleep whose announcements may be taken back. */
  hold(pools: readonly KnownPool[]): void {
    this.#held.add(pools);
  }

  /** Lets pools sleep for good, a little at a time. @throws CatalogFault where nobody can take them any more */
  async add(pools: readonly KnownPool[]): Promise<void> {
    const pause = slicing(this.#clock);
    for (let from = 0; from < pools.length; from += AT_ONCE) {
      this.#keep(pools.slice(from, from + AT_ONCE), MAX_HELD);
      const turn = pause();
      if (turn !== undefined) await turn;
    }
  }

  /** The announcements of some pools cannot be taken back any more. */
  settle(ids: readonly PoolId[]): void {
    const pools = ids.flatMap((id) => this.#held.get(id) ?? []);
    this.#held.remove(ids);
    this.#keep(pools, Number.POSITIVE_INFINITY);
  }

  /** Pools that are followed from now on. */
  wake(ids: readonly PoolId[]): void {
    this.#held.remove(ids);
    this.#orElse(undefined, (catalog) => catalog.wake(ids));
  }

  /** Pools that there are not any more. */
  remove(ids: readonly PoolId[]): void {
    this.#held.remove(ids);
    this.#orElse(undefined, (catalog) => catalog.remove(ids));
  }

  /**
   * Drops pools of sources that are not among `terms` or had other terms then, and has all sleep but those that are `awake`.
   */
  async begin(terms: ReadonlyMap<SourceId, string>, awake: (id: PoolId) => boolean): Promise<void> {
    try {
      await this.#catalog?.begin(terms, awake);
    } catch (error) {
      if (!(error instanceof CatalogFault)) throw error;
      this.#onFault(error);
    }
  }

  /** Mark of the catalog that a kept state relies on; undefined without a catalog. @throws CatalogFault */
  mark(): CatalogMark | undefined {
    return this.#catalog?.mark();
  }

  #keep(pools: readonly KnownPool[], mostHeld: number): void {
    if (pools.length === 0) return;
    try {
      if (this.#catalog === undefined) this.#held.add(pools);
      else this.#catalog.add(pools);
    } catch (error) {
      if (!(error instanceof CatalogFault) || this.#held.size > mostHeld) throw error;
      this.#onFault(error);
      this.#held.add(pools);
    }
  }

  #orElse<T>(otherwise: T, work: (catalog: PoolCatalog) => T): T {
    try {
      return this.#catalog === undefined ? otherwise : work(this.#catalog);
    } catch (error) {
      if (!(error instanceof CatalogFault)) throw error;
      this.#onFault(error);
      return otherwise;
    }
  }
}
