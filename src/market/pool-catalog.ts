import type { Address } from "../domain/address.ts";
import { messageOf } from "../domain/message-of.ts";
import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import type { PoolRef } from "./liquidity-source.ts";

/** A pool as it was announced, and the source that it belongs to. */
export interface KnownPool {
  readonly source: SourceId;
  readonly ref: PoolRef;
}

/** Identity of a catalog, and the number of entries it had. */
export interface CatalogMark {
  readonly id: string;
  readonly entries: number;
}

/** A catalog that cannot be read or written. It says nothing of the chain: the service does without what sleeps there. */
export class CatalogFault extends Error {
  constructor(cause: unknown) {
    super(`the catalog of pools: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Pools that are known by their announcement alone and are not followed: they sleep. There may be a million, nearly all of
 * them unusable to anybody, so that none takes more than a line. A pool that is awake keeps its line, since what is kept of it
 * elsewhere may be older than its waking; nothing but `begin` sees it then. Every member throws CatalogFault.
 */
export interface PoolCatalog {
  /** Pools that sleep, in all and of a source. */
  readonly size: number;
  count(source: SourceId): number;
  has(id: PoolId): boolean;
  get(id: PoolId): KnownPool | undefined;
  /** Those that hold a token, at most so many. */
  with(token: Address, most: number): readonly PoolId[];
  /** So many of them with their tokens, others each time until all have had their turn. */
  next(most: number): readonly { readonly id: PoolId; readonly tokens: readonly Address[] }[];
  /** All that sleep, in the order in which they came. Others may come and go meanwhile. */
  all(): Iterable<KnownPool>;
  /** Lets pools sleep, all of them or none. */
  add(pools: readonly KnownPool[]): void;
  /** Pools that are followed from now on. */
  wake(ids: readonly PoolId[]): void;
  /** Pools that there are not any more. */
  remove(ids: readonly PoolId[]): void;
  /**
   * Drops pools of sources that are not among `terms` or had other terms then, and has all sleep but those that are `awake`.
   * A little at a time.
   */
  begin(terms: ReadonlyMap<SourceId, string>, awake: (id: PoolId) => boolean): Promise<void>;
  /** Tells this catalog as it is now from others, and from itself with less in it. */
  mark(): CatalogMark;
  /** Whether this is the catalog of a mark, with all that was in it. */
  holds(mark: CatalogMark): boolean;
  close(): void;
}
