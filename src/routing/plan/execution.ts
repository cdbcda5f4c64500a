import type { Address } from "../../domain/address.ts";
import type { SwapOrder } from "../../domain/order.ts";
import {
  type ExactInRoute,
  type ExactOutRoute,
  type Fill,
  type PoolId,
  type Route,
  SHARE_ONE,
} from "../../domain/route.ts";
import { mulDivRoundingUp } from "../../math/full-math.ts";
import { stateAfter } from "../../pools/followed.ts";
import { mathOf, type Pool, withState } from "../../pools/pool.ts";
import { type Direction, isRejection, type Rejection } from "../../pools/pool-math.ts";
import { gasOfUse } from "../../pools/pool-use-gas.ts";
import type { VaultTotals } from "../../pools/rate-totals.ts";
import { afterTotals, noteTotals, vaultOf } from "../../pools/shared-totals.ts";
import { afterDraws, noteDraws, type WalletsLeft } from "../../pools/shared-wallets.ts";
import type { Side } from "../session/search.ts";

/** One use of one pool before its amounts are known. `share` as in `Fill`. */
export interface PlannedFill {
  readonly pool: Pool;
  readonly direction: Direction;
  readonly share: bigint;
}

/** A plan that is impossible: at these pool uses, or at none, where a token is left over or missing. */
export interface BrokenPlan {
  readonly broken: readonly Fault[];
}

/** A pool use that cannot be, why, and the part of what it is to trade that its pool can; 1 where that is not known. */
export interface Fault {
  readonly use: PlannedFill;
  readonly why: Rejection | undefined;
  readonly part: number;
}

/** Amount of a pool use in base units below which single units count. */
export const COARSE_UNITS = 1e7;

/**
 * Pools' states of one block, as the pool uses of one execution leave them. A pool may go by the state of another. The pools of
 * one ERC-4626 vault have its totals in common, and those of one maker his wallets.
 */
export function initialStates(time: bigint) {
  const used = new Map<PoolId, Pool>();
  const vaults = new Map<Address, VaultTotals>();
  const wallets: WalletsLeft = new Map();
  return {
    of(pool: Pool): Pool["state"] | Rejection {
      const state = stateAfter(pool, used, time);
      return isRejection(state) ? state : afterDraws(pool, afterTotals(pool, state, vaults), wallets);
    },
    set(pool: Pool, state: Pool["state"]): void {
      used.set(pool.id, withState(pool, state));
      noteTotals(pool, state, vaults);
      noteDraws(pool, state, wallets);
    },
  };
}

type Directed = Pick<PlannedFill, "pool" | "direction">;

/** Key of a pool's uses in one direction. */
export function useKey({ pool, direction }: Directed): string {
  return `${pool.id} ${direction.sell} ${direction.buy}`;
}

/** The tokens that a pool use sells and buys. */
export function tokenPairOf({ pool, direction }: Directed) {
  return { sellToken: pool.tokens[direction.sell] as Address, buyToken: pool.tokens[direction.buy] as Address };
}

/**
 * Computes the amounts of a plan as settlement does, wei by wei. Exact-in: fills in execution order, each taking
 * floor(left * share / SHARE_ONE) of what is left of its token, pools used again in the state they were left in. Exact-out:
 * fills back to front, each giving ceil(needed * share / SHARE_ONE) of what is still needed of its token, and adding what it
 * takes to what is needed of that; a fill is left out if others give all that is needed of its token.
 *
 * A plan that leaves a token behind, or does not make one, is broken. So is an exact-in plan with a pool that does not take all
 * that is sold to it of the sold token: the taker would pay less than the route says. So is an exact-out plan that uses a pool
 * twice, or two pools of one ERC-4626 vault: some venues are traded when all is known, others at last. Where pools are to trade
 * more than they can, all of them are told: those behind get what these pay for as much as they can.
 */
export function evaluatePlan(plan: Plan, order: OrderOf<"exactIn">, time: bigint): ExactInRoute | BrokenPlan;
export function evaluatePlan(plan: Plan, order: OrderOf<"exactOut">, time: bigint): ExactOutRoute | BrokenPlan;
export function evaluatePlan(plan: Plan, order: SwapOrder, time: bigint): Route | BrokenPlan;
export function evaluatePlan(plan: Plan, order: SwapOrder, time: bigint): Route | BrokenPlan {
  const sells = order.kind === "exactIn";
  const [first, last] = sells ? [order.sellToken, order.buyToken] : [order.buyToken, order.sellToken];
  const states = initialStates(time);
  /** Exact-in: what is left to sell of each token; exact-out: what is still needed of it. */
  const open = new Map<Address, bigint>([[first, sells ? order.sellAmount : order.buyAmount]]);
  const met = new Set<string>();
  const fills: Fill[] = [];
  const overdrawn: Fault[] = [];
  const brokenAt = (use: PlannedFill, why?: Rejection): BrokenPlan => ({
    broken: overdrawn.length > 0 ? overdrawn : [{ use, why, part: 1 }],
  });
  for (const step of plan) {
    const { pool, direction } = step;
    const tokens = tokenPairOf(step);
    const [given, other] = sells ? [tokens.sellToken, tokens.buyToken] : [tokens.buyToken, tokens.sellToken];
    const available = open.get(given) ?? 0n;
    if (!sells && available === 0n) continue;
    const key = sells ? useKey(step) : (vaultOf(pool) ?? pool.id);
    const isAgain = met.has(key);
    if (!sells && isAgain) return brokenAt(step);
    const state = states.of(pool);
    if (isRejection(state)) return brokenAt(step, state);
    const { share, amount, quote: planned } = useOf(step, state, available, time, order.kind);
    const left = available - amount;
    open.set(given, left);
    let quote = planned;
    if (isRejection(planned) && planned.most !== undefined) {
      overdrawn.push({ use: step, part: Number(planned.most) / Number(amount), why: planned });
      if (!sells) continue;
      quote = mathOf(pool).quoteExactIn(state, direction, planned.most, time);
    }
    if (isRejection(quote)) return brokenAt(step, quote);
    if (sells && quote.unused !== undefined && given === first) return brokenAt(step);
    met.add(key);
    states.set(pool, quote.next);
    open.set(other, (open.get(other) ?? 0n) + quote.amount);
    const [sellAmount, buyAmount] = sells ? [amount, quote.amount] : [quote.amount, amount];
    const gas = gasOfUse(pool, direction, quote.gas, isAgain);
    const own = !sells && left === 0n ? SHARE_ONE : share;
    fills.push({ poolId: pool.id, source: pool.source, ...tokens, sellAmount, buyAmount, ...gas, share: own });
  }
  const isUneven = [...open].some(([token, amount]) => token !== last && amount !== 0n);
  if (isUneven || overdrawn.length > 0) return { broken: overdrawn };
  const amount = open.get(last) ?? 0n;
  return order.kind === "exactIn" ? { ...order, buyAmount: amount, fills } : { ...order, sellAmount: amount, fills };
}

type Plan = readonly PlannedFill[];
type OrderOf<K extends Side> = Extract<SwapOrder, { readonly kind: K }>;

/**
 * A planned pool use: its share of what is left, or needed, of its given token, that amount, and its quote. Where a base unit of
 * what its pool answers with is worth something, it has the least share that pays as much, or the largest that takes no more:
 * those behind it at its token make more of what is over, or have less left to give.
 */
function useOf(
  { pool, direction, share }: PlannedFill,
  state: Pool["state"],
  available: bigint,
  time: bigint,
  side: Side,
) {
  const math = mathOf(pool);
  const sells = side === "exactIn";
  const [ask, askBack] = sells
    ? (["quoteExactIn", "quoteExactOut"] as const)
    : (["quoteExactOut", "quoteExactIn"] as const);
  const withShare = (share: bigint) => {
    const amount = sells ? (available * share) / SHARE_ONE : mulDivRoundingUp(available, share, SHARE_ONE);
    return { share, amount, quote: math[ask](state, direction, amount, time) };
  };
  const planned = withShare(share);
  if (share === SHARE_ONE || isRejection(planned.quote) || planned.quote.amount >= COARSE_UNITS) return planned;
  const paid = planned.quote.amount;
  const back = math[askBack](state, direction, paid, time);
  if (isRejection(back) || (sells ? back.amount >= planned.amount : back.amount <= planned.amount)) return planned;
  const exact = sells ? mulDivRoundingUp(back.amount, SHARE_ONE, available) : (back.amount * SHARE_ONE) / available;
  const other = withShare(exact > SHARE_ONE ? SHARE_ONE : exact);
  const isWorse = isRejection(other.quote) || (sells ? other.quote.amount < paid : other.quote.amount > paid);
  return isWorse ? planned : other;
}
