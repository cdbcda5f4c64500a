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

/** Amount of a pool use in base units below which single units count. */
export const COARSE_UNITS = 1e7;

/** COARSE_UNITS as an integer: below it, the least amount that pays as much is searched, or the most that takes no more. */
const COARSE = BigInt(COARSE_UNITS);

/**
 * Pools' states as the pool uses of one execution leave them; a pool may go by the state of another, and those of one
 * ERC-4626 vault have its totals in common, and those of one maker his wallets.
 */
export interface States {
  of(pool: Pool): Pool["state"] | Rejection;
  set(pool: Pool, state: Pool["state"]): void;
}

/** The states of one block, before anything is used. */
export function initialStates(time: bigint): States {
  const used = new Map<PoolId, Pool>();
  const vaults = new Map<Address, VaultTotals>();
  const wallets: WalletsLeft = new Map();
  return {
    of(pool) {
      const state = stateAfter(pool, used, time);
      return isRejection(state) ? state : afterDraws(pool, afterTotals(pool, state, vaults), wallets);
    },
    set: (pool, state) => {
      used.set(pool.id, withState(pool, state));
      noteTotals(pool, state, vaults);
      noteDraws(pool, state, wallets);
    },
  };
}

/** Key of a pool's uses in one direction. */
export function useKey({ pool, direction }: Pick<PlannedFill, "pool" | "direction">): string {
  return `${pool.id} ${direction.sell} ${direction.buy}`;
}

/** The tokens that a pool use sells and buys. */
export function tokenPairOf({ pool, direction }: Pick<PlannedFill, "pool" | "direction">): {
  sellToken: Address;
  buyToken: Address;
} {
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
  const broken = (use?: PlannedFill, why?: Rejection): BrokenPlan => {
    const [most] = overdrawn;
    return most === undefined ? { broken: use, why } : { broken: most.use, why: most.why, overdrawn };
  };
  for (const step of plan) {
    const { pool, direction } = step;
    const tokens = tokenPairOf(step);
    const [given, other] = sells ? [tokens.sellToken, tokens.buyToken] : [tokens.buyToken, tokens.sellToken];
    const available = open.get(given) ?? 0n;
    if (!sells && available === 0n) continue;
    const key = sells ? useKey(step) : (vaultOf(pool) ?? pool.id);
    const isAgain = met.has(key);
    if (!sells && isAgain) return broken(step);
    const state = states.of(pool);
    if (isRejection(state)) return broken(step, state);
    const { share, amount, quote: planned } = useOf(step, state, available, time, order.kind);
    const left = available - amount;
    open.set(given, left);
    let quote = planned;
    if (isRejection(planned) && planned.most !== undefined) {
      overdrawn.push({ use: step, part: Number(planned.most) / Number(amount), why: planned });
      if (!sells) continue;
      quote = mathOf(pool).quoteExactIn(state, direction, planned.most, time);
    }
    if (isRejection(quote)) return broken(step, quote);
    if (sells && quote.unused !== undefined && given === first) return broken(step);
    met.add(key);
    states.set(pool, quote.next);
    open.set(other, (open.get(other) ?? 0n) + quote.amount);
    const [sellAmount, buyAmount] = sells ? [amount, quote.amount] : [quote.amount, amount];
    const gas = gasOfUse(pool, direction, quote.gas, isAgain);
    const { id: poolId, source } = pool;
    fills.push({
      poolId,
      source,
      ...tokens,
      sellAmount,
      buyAmount,
      ...gas,
      share: !sells && left === 0n ? SHARE_ONE : share,
    });
  }
  for (const [token, amount] of open) if (token !== last && amount !== 0n) return broken();
  if (overdrawn.length > 0) return broken();
  const amount = open.get(last) ?? 0n;
  return order.kind === "exactIn" ? { ...order, buyAmount: amount, fills } : { ...order, sellAmount: amount, fills };
}

type Plan = readonly PlannedFill[];
type OrderOf<K extends Side> = Extract<SwapOrder, { readonly kind: K }>;

/** A use of a pool with its share of what is left, or needed, of its given token, and that amount. */
interface PoolUse {
  readonly share: bigint;
  readonly amount: bigint;
  readonly quote: ReturnType<ReturnType<typeof mathOf>["quoteExactIn"]>;
}

/**
 * A planned pool use. Where a base unit of what its pool answers with is worth something, it has the least share that pays as
 * much, or the largest that takes no more: those behind it at its token make more of what is over, or have less left to give.
 */
function useOf(
  { pool, direction, share }: PlannedFill,
  state: Pool["state"],
  available: bigint,
  time: bigint,
  side: Side,
): PoolUse {
  const math = mathOf(pool);
  const sells = side === "exactIn";
  const [ask, askBack] = sells
    ? (["quoteExactIn", "quoteExactOut"] as const)
    : (["quoteExactOut", "quoteExactIn"] as const);
  const withShare = (part: bigint): PoolUse => {
    const amount = sells ? (available * part) / SHARE_ONE : mulDivRoundingUp(available, part, SHARE_ONE);
    return { share: part, amount, quote: math[ask](state, direction, amount, time) };
  };
  const planned = withShare(share);
  if (share === SHARE_ONE || isRejection(planned.quote) || planned.quote.amount >= COARSE) return planned;
  const paid = planned.quote.amount;
  const back = math[askBack](state, direction, paid, time);
  if (isRejection(back) || (sells ? back.amount >= planned.amount : back.amount <= planned.amount)) return planned;
  const exact = sells ? mulDivRoundingUp(back.amount, SHARE_ONE, available) : (back.amount * SHARE_ONE) / available;
  const other = withShare(exact > SHARE_ONE ? SHARE_ONE : exact);
  const isWorse = isRejection(other.quote) || (sells ? other.quote.amount < paid : other.quote.amount > paid);
  return isWorse ? planned : other;
}
