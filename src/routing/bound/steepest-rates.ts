import type { Address } from "../../domain/address.ts";
import { mathOf, type Pool } from "../../pools/pool.ts";
import type { Direction } from "../../pools/pool-math.ts";
import { vaultOf } from "../../pools/shared-totals.ts";
import { mayUseAgain } from "../edges/edges.ts";
import type { Room } from "../edges/trade-at.ts";
import type { Search } from "../session/search.ts";

/** Pool uses of one vault's pools, each of which may round twice. */
const MAX_USES = 512;

/** The best rate that the edge in a slot may have; undefined for one that its pool's other pool uses do not move. */
export type SteepestRates = (slot: number) => number | undefined;

/**
 * The best rates of pools that other pool uses of a route may move. Of pools that a route may use for several pairs of their
 * tokens: each after all that the trade can bring of the other tokens has been sold there for what this pair sells. Of pools of
 * an ERC-4626 vault, which share its totals: see `vaultRise`.
 */
export function steepestRates({ graph, revisits }: Search, room: Room): SteepestRates {
  if (!revisits) return () => undefined;
  const known = new Map<number, number>();
  return (slot) => {
    const pool = graph.pools[graph.pool[slot] as number] as Pool;
    const isUsedAgain = mayUseAgain(pool);
    if (!isUsedAgain && vaultOf(pool) === undefined) return undefined;
    const before = known.get(slot);
    if (before !== undefined) return before;
    const amountOf = (token: Address) => {
      const node = graph.nodeOf(token);
      return node === undefined ? 0 : room(node);
    };
    const { direction, spot } = graph.edgeAt(slot);
    const rate = isUsedAgain ? rateAfterAll(pool, direction, amountOf) : spot * vaultRise(pool, amountOf);
    known.set(slot, rate);
    return rate;
  };
}

/**
 * Factor by which other uses of its pools can raise the rate of an ERC-4626 vault, either way: each rounds its
 * payment by one base unit of the rest, which is at least half.
 */
function vaultRise({ tokens, state }: Pool, amountOf: (token: Address) => number): number {
  if (!("totalAssets" in state)) return Number.POSITIVE_INFINITY;
  const [assets, shares] = [Number(state.totalAssets), Number(state.totalSupply)];
  const redeemed = amountOf(tokens[1] as Address);
  if (!(redeemed <= shares / 2)) return Number.POSITIVE_INFINITY;
  return 1 + MAX_USES / Math.min(assets, shares);
}

/** The rate of a direction once so much of all tokens but the one that it sells has been sold for that one. */
function rateAfterAll(pool: Pool, direction: Direction, amountOf: (token: Address) => number): number {
  const now = mathOf(pool).moving?.(pool.state);
  if (now === undefined) return Number.POSITIVE_INFINITY;
  for (const [sell, token] of pool.tokens.entries()) {
    if (sell === direction.sell) continue;
    const other = { sell, buy: direction.sell };
    const amount = amountOf(token);
    if (!(amount <= now.most(other))) return Number.POSITIVE_INFINITY;
    now.move(other, amount, now.pays(other, amount));
  }
  return now.rate(direction);
}
