import type { Address } from "../domain/address.ts";
import type { SourceId } from "../domain/source.ts";
import { mathOf, type Pool } from "../pools/pool.ts";
import type { EligibilityRule, UnlistedTerms } from "./eligibility.ts";
import type { MarketGraph } from "./pool-store.ts";
import type { Rates } from "./rates.ts";

/** Since when tokens that are not listed have been deep: what a restart must not forget. */
export type DeepSince = readonly (readonly [token: Address, since: bigint])[];

/** The tokens that routes may lead over, followed from block to block. */
export interface HopTokens {
  /**
   * Looks at the tokens of pools that changed. Called once for every snapshot. Answers the hops at `blockNumber`: the same
   * object while they stay the same.
   */
  update(
    market: { readonly graph: MarketGraph; readonly rates: Rates; readonly blockNumber: bigint },
    changed: Iterable<Address>,
  ): ReadonlySet<Address>;
  deepSince(): DeepSince;
  /** Takes over what an earlier run knew; each token is looked at again with the next snapshot. */
  recall(known: DeepSince): void;
}

/** Venues that a token has to be deep on. */
const MIN_VENUES = 2;
/** Blocks for which a token may be shallow before its age begins anew: one that was read late loses nothing. */
const GRACE_BLOCKS = 64n;
/** Tokens that are looked at for the first time with one snapshot; the others wait for the next ones. */
const MAX_NEW = 500;
/** Pools of a token that are looked at, the oldest ones: more of them cost their maker, not us. */
const MAX_POOLS = 64;

/** Block since which a token has been deep. */
interface Depth {
  readonly since: bigint;
  /** The block that it was first seen shallow at, while it is. */
  readonly shallowFrom?: bigint;
}

/**
 * A token becomes a hop once it has been deep for long enough. Its depth is what its pools hold of listed tokens, valued by
 * listed tokens alone: whoever makes a token and its pools moves neither, and has to leave the value there.
 */
export function createHopTokens(rule: EligibilityRule): HopTokens {
  const { listed, unlisted } = rule;
  const depths = new Map<Address, Depth>();
  /** Tokens that are to be looked at again though none of their pools changed. */
  let doubted = new Set<Address>();
  const waiting = new Set<Address>();
  let hops: ReadonlySet<Address> = listed;

  function look(token: Address, terms: UnlistedTerms, market: Parameters<HopTokens["update"]>[0]): void {
    const { blockNumber } = market;
    const known = depths.get(token);
    // A block that a reorganization removed adds no age.
    const since = known === undefined || known.since > blockNumber ? blockNumber : known.since;
    if (isDeep(token, terms, rule, market)) {
      const isOld = blockNumber - (known?.shallowFrom ?? blockNumber) > GRACE_BLOCKS;
      depths.set(token, { since: isOld ? blockNumber : since });
    } else if (known !== undefined) depths.set(token, { since, shallowFrom: known.shallowFrom ?? blockNumber });
  }

  function lookAtNew(terms: UnlistedTerms, market: Parameters<HopTokens["update"]>[0]): void {
    let looked = 0;
    for (const token of waiting) {
      if (looked++ === MAX_NEW) return;
      waiting.delete(token);
      look(token, terms, market);
    }
  }

  /** The tokens that have been deep for long enough; those that have been shallow for too long are forgotten. */
  function grown({ minAgeBlocks }: UnlistedTerms, blockNumber: bigint): readonly Address[] {
    const old: Address[] = [];
    for (const [token, { since, shallowFrom }] of depths) {
      if (shallowFrom !== undefined) {
        if (blockNumber - shallowFrom > GRACE_BLOCKS) depths.delete(token);
      } else if (blockNumber - since >= minAgeBlocks) old.push(token);
    }
    return old;
  }

  return {
    update(market, changed) {
      if (unlisted === undefined) return hops;
      const again = doubted;
      doubted = new Set();
      for (const token of changed) {
        if (listed.has(token)) continue;
        if (depths.has(token)) again.add(token);
        else waiting.add(token);
      }
      for (const token of again) look(token, unlisted, market);
      lookAtNew(unlisted, market);
      const old = grown(unlisted, market.blockNumber);
      const isSame = hops.size === listed.size + old.length && old.every((token) => hops.has(token));
      if (!isSame) hops = new Set([...listed, ...old]);
      return hops;
    },
    deepSince: () => Array.from(depths, ([token, { since }]) => [token, since] as const),
    recall(known) {
      for (const [token, since] of known) {
        if (!depths.has(token)) depths.set(token, { since });
        doubted.add(token);
      }
    },
  };
}

/** Whether pools of enough venues hold enough of listed tokens beside a token. */
function isDeep(
  token: Address,
  { minDepthWei }: UnlistedTerms,
  { listed }: EligibilityRule,
  { graph, rates }: { readonly graph: MarketGraph; readonly rates: Rates },
): boolean {
  const venues = new Set<SourceId>();
  for (const pool of graph.poolsOf(token).slice(0, MAX_POOLS)) {
    if (venues.has(pool.source)) continue;
    const isEnough = pool.tokens.some(
      (other) => listed.has(other) && heldWei(pool, token, other, graph.time, rates) >= minDepthWei,
    );
    if (isEnough) venues.add(pool.source);
    if (venues.size === MIN_VENUES) return true;
  }
  return false;
}

/** Most of a listed token that a pool can pay for another one, in wei; 0 if the listed token has no value. */
function heldWei(pool: Pool, token: Address, listed: Address, time: bigint, rates: Rates): bigint {
  const rate = rates.perNative(listed);
  if (rate === undefined) return 0n;
  const direction = { sell: pool.tokens.indexOf(token), buy: pool.tokens.indexOf(listed) };
  const { maxBuy } = mathOf(pool).limits(pool.state, direction, time);
  return (maxBuy * rate.den) / rate.num;
}

/** Pools of each source that hold a token which is no hop. */
export function countLimited(graph: MarketGraph, hops: ReadonlySet<Address>): ReadonlyMap<SourceId, number> {
  const counts = new Map<SourceId, number>();
  for (const chunk of graph.chunks()) {
    for (const pool of chunk) {
      if (pool === undefined || pool.tokens.every((token) => hops.has(token))) continue;
      counts.set(pool.source, (counts.get(pool.source) ?? 0) + 1);
    }
  }
  return counts;
}
