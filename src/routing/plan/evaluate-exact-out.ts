import type { Address } from "../../domain/address.ts";
import type { SwapOrder } from "../../domain/order.ts";
import { type ExactOutRoute, type Fill, SHARE_ONE } from "../../domain/route.ts";
import { mulDivRoundingUp } from "../../math/full-math.ts";
import { mathOf, type Pool } from "../../pools/pool.ts";
import { isRejection } from "../../pools/pool-math.ts";
import { gasOfUse } from "../../pools/pool-use-gas.ts";
import { vaultOf } from "../../pools/shared-totals.ts";
import {
  type BrokenPlan,
  brokenAt,
  COARSE,
  type Fault,
  fillOf,
  initialStates,
  type PlannedFill,
  tokenPairOf,
} from "./execution.ts";

type ExactOutOrder = Extract<SwapOrder, { kind: "exactOut" }>;

/**
 * Computes the spending of an exact-out plan as settlement does: fills back to front, each giving
 * ceil(needed * share / SHARE_ONE) of what is still needed of its token, and adding what it takes to what is needed of that.
 * Some venues are traded when that is known, others at last: a plan that uses a pool twice, or two pools of one ERC-4626
 * vault, is broken. A fill is left out if others give all that is needed of its token.
 */
export function evaluateExactOut(
  plan: readonly PlannedFill[],
  order: ExactOutOrder,
  time: bigint,
): ExactOutRoute | BrokenPlan {
  const states = initialStates(time);
  const needed = new Map<Address, bigint>([[order.buyToken, order.buyAmount]]);
  const moved = new Set<string>();
  const fills: Fill[] = [];
  const overdrawn: Fault[] = [];
  for (const step of plan) {
    const { sellToken, buyToken } = tokenPairOf(step);
    const wanted = needed.get(buyToken) ?? 0n;
    if (wanted === 0n) continue;
    const place = vaultOf(step.pool) ?? step.pool.id;
    if (moved.has(place)) return brokenAt(step, undefined, overdrawn);
    const state = states.of(step.pool);
    if (isRejection(state)) return brokenAt(step, state, overdrawn);
    const { share, buyAmount, quote } = useFor(step, state, wanted, time);
    const left = wanted - buyAmount;
    needed.set(buyToken, left);
    if (isRejection(quote)) {
      if (quote.most === undefined) return brokenAt(step, quote, overdrawn);
      overdrawn.push({ use: step, part: Number(quote.most) / Number(buyAmount), why: quote });
      continue;
    }
    moved.add(place);
    states.set(step.pool, quote.next);
    needed.set(sellToken, (needed.get(sellToken) ?? 0n) + quote.amount);
    const gas = gasOfUse(step.pool, step.direction, quote.gas, false);
    fills.push(fillOf({ ...step, share: left === 0n ? SHARE_ONE : share }, quote.amount, buyAmount, gas));
  }
  const sellAmount = needed.get(order.sellToken) ?? 0n;
  for (const [token, amount] of needed)
    if (token !== order.sellToken && amount !== 0n) return brokenAt(undefined, undefined, overdrawn);
  return overdrawn.length > 0 ? brokenAt(undefined, undefined, overdrawn) : { ...order, sellAmount, fills };
}

/** A use of a pool with its share of what is needed of the bought token. */
interface UseFor {
  readonly share: bigint;
  readonly buyAmount: bigint;
  readonly quote: ReturnType<ReturnType<typeof mathOf>["quoteExactOut"]>;
}

/**
 * A planned pool use, with the largest share that takes no more where a base unit of what it takes is worth something: those
 * behind it have less left to give, or nothing.
 */
function useFor({ pool, direction, share }: PlannedFill, state: Pool["state"], needed: bigint, time: bigint): UseFor {
  const math = mathOf(pool);
  const withShare = (part: bigint): UseFor => {
    const buyAmount = part === SHARE_ONE ? needed : mulDivRoundingUp(needed, part, SHARE_ONE);
    return { share: part, buyAmount, quote: math.quoteExactOut(state, direction, buyAmount, time) };
  };
  const planned = withShare(share);
  if (share === SHARE_ONE || isRejection(planned.quote) || planned.quote.amount >= COARSE) return planned;
  const most = math.quoteExactIn(state, direction, planned.quote.amount, time);
  if (isRejection(most) || most.amount <= planned.buyAmount) return planned;
  const raised = withShare(most.amount >= needed ? SHARE_ONE : (most.amount * SHARE_ONE) / needed);
  return isRejection(raised.quote) || raised.quote.amount > planned.quote.amount ? planned : raised;
}
