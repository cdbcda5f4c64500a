import type { Address } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";

/** Pools that are known by their announcement alone: neither is their state kept nor are their logs read. */
export interface SleepingPools {
  has(id: PoolId): boolean;
  add(source: SourceId, ref: PoolRef): void;
  delete(id: PoolId): void;
  readonly size: number;
  /** All of them as they are now. */
  ids(): ReadonlySet<PoolId>;
  /** Those that hold a token, and whether there are any. */
  with(token: Address): readonly PoolId[];
  hasWith(token: Address): boolean;
  /** How many there are of a source. */
  count(source: SourceId): number;
  /** So many of them with their tokens, others each time until all have had their turn. */
  next(most: number): readonly { readonly id: PoolId; readonly tokens: readonly Address[] }[];
}

export function createSleepingPools(): SleepingPools {
  const kept = new Map<PoolId, { readonly source: SourceId; readonly tokens: readonly Address[] }>();
  /** Most tokens are in one pool, which needs no set. */
  const byToken = new Map<Address, PoolId | Set<PoolId>>();
  const counts = new Map<SourceId, number>();

  /** It goes on over those that come meanwhile, and passes over those that go. */
  let turns = kept.entries();

  const count = (source: SourceId, by: number) => counts.set(source, (counts.get(source) ?? 0) + by);

  return {
    get size() {
      return kept.size;
    },
    has: (id) => kept.has(id),
    add(source, { id, tokens }) {
      if (kept.has(id)) return;
      kept.set(id, { source, tokens });
      count(source, 1);
      for (const token of tokens) {
        const others = byToken.get(token);
        if (others === undefined) byToken.set(token, id);
        else if (others instanceof Set) others.add(id);
        else byToken.set(token, new Set([others, id]));
      }
    },
    delete(id) {
      const pool = kept.get(id);
      if (pool === undefined) return;
      kept.delete(id);
      count(pool.source, -1);
      for (const token of pool.tokens) {
        const others = byToken.get(token);
        if (others instanceof Set) others.delete(id);
        if (!(others instanceof Set) || others.size === 0) byToken.delete(token);
      }
    },
    ids: () => new Set(kept.keys()),
    with(token) {
      const ids = byToken.get(token);
      return ids === undefined ? [] : ids instanceof Set ? [...ids] : [ids];
    },
    hasWith: (token) => byToken.has(token),
    count: (source) => counts.get(source) ?? 0,
    next(most) {
      const chosen: { readonly id: PoolId; readonly tokens: readonly Address[] }[] = [];
      while (chosen.length < most) {
        const { done, value } = turns.next();
        if (done === true) {
          turns = kept.entries();
          break;
        }
        const [id, { tokens }] = value;
        chosen.push({ id, tokens });
      }
      return chosen;
    },
  };
}
