import type { Address } from "../../domain/address.ts";
import type { Fill, PoolId } from "../../domain/route.ts";
import { stateAfter } from "../../pools/followed.ts";
import { type Pool, withState } from "../../pools/pool.ts";
import { type Direction, isRejection, type Rejection } from "../../pools/pool-math.ts";
import type { VaultTotals } from "../../pools/rate-totals.ts";
import { afterTotals, noteTotals } from "../../pools/shared-totals.ts";

/** One use of one pool before its amounts are known. `share` as in `Fill`. */
export interface PlannedFill {
  readonly pool: Pool;
  readonly direction: Direction;
  readonly share: bigint;
}

/** Pool use of a plan that is impossible, and the reason. Without a pool use: a token was left over or missing. */
export interface BrokenPlan {
  readonly broken: PlannedFill | undefined;
  readonly why: Rejection | undefined;
  /** All uses that are to take or pay more than their pools can, the broken one first. */
  readonly overdrawn?: readonly Fault[];
}

/** A pool use that cannot be, why, and the part of what it is to trade that its pool can; 1 where that is not known. */
export interface Fault {
  readonly use: PlannedFill;
  readonly why: Rejection | undefined;
  readonly part: number;
}

/** A plan that is broken at a pool use, or at the first one of those that are to trade more than their pools can. */
export function brokenAt(
  use: PlannedFill | undefined,
  why: Rejection | undefined,
  overdrawn: readonly Fault[],
): BrokenPlan {
  const [first] = overdrawn;
  return first === undefined ? { broken: use, why } : { broken: first.use, why: first.why, overdrawn };
}

/** Amount of a pool use in base units below which single units count. */
export const COARSE_UNITS = 1e7;

/** COARSE_UNITS as an integer: below it, the least amount that pays as much is searched, or the most that takes no more. */
export const COARSE = BigInt(COARSE_UNITS);

/**
 * Pools' states as the pool uses of one execution leave them; a pool may go by the state of another, and those of one
 * ERC-4626 vault have its totals in common.
 */
export interface States {
  of(pool: Pool): Pool["state"] | Rejection;
  set(pool: Pool, state: Pool["state"]): void;
}

/** The states of one block, before anything is used. */
export function initialStates(time: bigint): States {
  const used = new Map<PoolId, Pool>();
  const vaults = new Map<Address, VaultTotals>();
  return {
    of(pool) {
      const state = stateAfter(pool, used, time);
      return isRejection(state) ? state : afterTotals(pool, state, vaults);
    },
    set: (pool, state) => {
      used.set(pool.id, withState(pool, state));
      noteTotals(pool, state, vaults);
    },
  };
}

/** Whether a pool use of one execution is a further one of its pool in its direction. */
export function meetings(): (use: PlannedFill) => boolean {
  const seen = new Set<string>();
  return (use) => {
    const before = seen.size;
    seen.add(useKey(use));
    return seen.size === before;
  };
}

/** Key of a pool's uses in one direction. */
export function useKey({ pool, direction }: Pick<PlannedFill, "pool" | "direction">): string {
  return `${pool.id} ${direction.sell} ${direction.buy}`;
}

/** The tokens that a pool use sells and buys. */
export function tokenPairOf({ pool, direction }: PlannedFill): { sellToken: Address; buyToken: Address } {
  return { sellToken: pool.tokens[direction.sell] as Address, buyToken: pool.tokens[direction.buy] as Address };
}

/** A pool use with its amounts, in base units, and its gas. */
export function fillOf(
  step: PlannedFill,
  sellAmount: bigint,
  buyAmount: bigint,
  gas: Pick<Fill, "gas" | "givenBack" | "passesOn">,
): Fill {
  const { pool, share } = step;
  return { poolId: pool.id, source: pool.source, ...tokenPairOf(step), sellAmount, buyAmount, ...gas, share };
}
