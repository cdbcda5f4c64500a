import type { Address } from "../../domain/address.ts";
import type { Fill, PoolId } from "../../domain/route.ts";
import { stateAfter } from "../../pools/followed.ts";
import { type Pool, withState } from "../../pools/pool.ts";
import { type Direction, isRejection, type Rejection } from "../../pools/pool-math.ts";
import type { VaultTotals } from "../../pools/rate-totals.ts";
import { afterTotals, noteTotals } from "../../pools/shared-totals.ts";

/** One touch of one pool before its amounts are known. `share` as in `Fill`. */
export interface PlannedFill {
  readonly pool: Pool;
  readonly direction: Direction;
  readonly share: bigint;
}

/** Touch of a plan that is impossible, and the reason. Without a touch: a token was left over or missing. */
export interface BrokenPlan {
  readonly broken: PlannedFill | undefined;
  readonly why: Rejection | undefined;
  /** All touches that are to take or pay more than their pools can, the broken one first. */
  readonly overdrawn?: readonly Fault[];
}

/** A touch that cannot be, why, and the part of what it is to trade that its pool can; 1 where that is not known. */
export interface Fault {
  readonly touch: PlannedFill;
  readonly why: Rejection | undefined;
  readonly part: number;
}

/** A plan that is broken at a touch, or at the first one of those that are to trade more than their pools can. */
export function brokenAt(
  touch: PlannedFill | undefined,
  why: Rejection | undefined,
  overdrawn: readonly Fault[],
): BrokenPlan {
  const [first] = overdrawn;
  return first === undefined ? { broken: touch, why } : { broken: first.touch, why: first.why, overdrawn };
}

/** Amount of a touch in base units below which single units count. */
export const COARSE_UNITS = 1e7;

/** COARSE_UNITS as an integer: below it, the least amount that pays as much is searched, or the most that takes no more. */
export const COARSE = BigInt(COARSE_UNITS);

/**
 * Pools' states as the touches of one execution leave them; a pool may go by the state of another, and those of one
 * ERC-4626 vault have its totals in common.
 */
export interface States {
  of(pool: Pool): Pool["state"] | Rejection;
  set(pool: Pool, state: Pool["state"]): void;
}

/** The states of one block, before anything is touched. */
export function initialStates(time: bigint): States {
  const touched = new Map<PoolId, Pool>();
  const vaults = new Map<Address, VaultTotals>();
  return {
    of(pool) {
      const state = stateAfter(pool, touched, time);
      return isRejection(state) ? state : afterTotals(pool, state, vaults);
    },
    set: (pool, state) => {
      touched.set(pool.id, withState(pool, state));
      noteTotals(pool, state, vaults);
    },
  };
}

/** Whether a touch of one execution is a further one of its pool in its direction. */
export function meetings(): (touch: PlannedFill) => boolean {
  const seen = new Set<string>();
  return (touch) => {
    const before = seen.size;
    seen.add(touchKey(touch));
    return seen.size === before;
  };
}

/** Key of a pool's touches in one direction. */
export function touchKey({ pool, direction }: Pick<PlannedFill, "pool" | "direction">): string {
  return `${pool.id} ${direction.sell} ${direction.buy}`;
}

/** The tokens that a touch sells and buys. */
export function tokenPairOf({ pool, direction }: PlannedFill): { sellToken: Address; buyToken: Address } {
  return { sellToken: pool.tokens[direction.sell] as Address, buyToken: pool.tokens[direction.buy] as Address };
}

/** A touch with its amounts, in base units, and its gas. */
export function fillOf(
  step: PlannedFill,
  sellAmount: bigint,
  buyAmount: bigint,
  gas: Pick<Fill, "gas" | "givenBack" | "passesOn">,
): Fill {
  const { pool, share } = step;
  return { poolId: pool.id, source: pool.source, ...tokenPairOf(step), sellAmount, buyAmount, ...gas, share };
}
