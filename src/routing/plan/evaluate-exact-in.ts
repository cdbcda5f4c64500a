import type { Address } from "../../domain/address.ts";
import type { SwapOrder } from "../../domain/order.ts";
import { type ExactInRoute, type Fill, SHARE_ONE } from "../../domain/route.ts";
import { mulDivRoundingUp } from "../../math/full-math.ts";
import { mathOf, type Pool } from "../../pools/pool.ts";
import { isRejection } from "../../pools/pool-math.ts";
import { gasOfUse } from "../../pools/pool-use-gas.ts";
import {
  type BrokenPlan,
  brokenAt,
  COARSE,
  type Fault,
  fillOf,
  initialStates,
  meetings,
  type PlannedFill,
  tokenPairOf,
} from "./execution.ts";

type ExactInOrder = Extract<SwapOrder, { kind: "exactIn" }>;

/**
 * Computes the payout of an exact-in plan as settlement does, wei by wei: fills in execution order, each taking
 * floor(left * share / SHARE_ONE) of what is left of its token, pools used again in the state they were left in.
 * A plan that leaves a token behind is broken, and so is one with a pool that does not take all that is sold to it of the
 * sold token: the taker would pay less than the route says. Where pools are to take more than they can, all of them are
 * told: those behind get what these pay for as much as they can.
 */
export function evaluateExactIn(
  plan: readonly PlannedFill[],
  order: ExactInOrder,
  time: bigint,
): ExactInRoute | BrokenPlan {
  const states = initialStates(time);
  const met = meetings();
  const left = new Map<Address, bigint>([[order.sellToken, order.sellAmount]]);
  const fills: Fill[] = [];
  const overdrawn: Fault[] = [];
  for (const step of plan) {
    const { sellToken, buyToken } = tokenPairOf(step);
    const available = left.get(sellToken) ?? 0n;
    const state = states.of(step.pool);
    if (isRejection(state)) return brokenAt(step, state, overdrawn);
    const { share, sellAmount, quote: planned } = useOf(step, state, available, time);
    let quote = planned;
    if (isRejection(planned) && planned.most !== undefined) {
      overdrawn.push({ use: step, part: Number(planned.most) / Number(sellAmount), why: planned });
      quote = mathOf(step.pool).quoteExactIn(state, step.direction, planned.most, time);
    }
    if (isRejection(quote)) return brokenAt(step, quote, overdrawn);
    if (quote.unused !== undefined && sellToken === order.sellToken) return brokenAt(step, undefined, overdrawn);
    const gas = gasOfUse(step.pool, step.direction, quote.gas, met(step));
    states.set(step.pool, quote.next);
    left.set(sellToken, available - sellAmount);
    left.set(buyToken, (left.get(buyToken) ?? 0n) + quote.amount);
    fills.push(fillOf({ ...step, share }, sellAmount, quote.amount, gas));
  }
  const buyAmount = left.get(order.buyToken) ?? 0n;
  for (const [token, amount] of left)
    if (token !== order.buyToken && amount !== 0n) return brokenAt(undefined, undefined, overdrawn);
  return overdrawn.length > 0 ? brokenAt(undefined, undefined, overdrawn) : { ...order, buyAmount, fills };
}

/** A use of a pool with its share of what there is of the sold token. */
interface PoolUse {
  readonly share: bigint;
  readonly sellAmount: bigint;
  readonly quote: ReturnType<ReturnType<typeof mathOf>["quoteExactIn"]>;
}

/**
 * A planned pool use, with the least share that pays as much where a base unit of what it pays is worth something: those
 * behind it at its token make more of what is over.
 */
function useOf(
  { pool, direction, share }: PlannedFill,
  state: Pool["state"],
  available: bigint,
  time: bigint,
): PoolUse {
  const math = mathOf(pool);
  const withShare = (part: bigint): PoolUse => {
    const sellAmount = (available * part) / SHARE_ONE;
    return { share: part, sellAmount, quote: math.quoteExactIn(state, direction, sellAmount, time) };
  };
  const planned = withShare(share);
  if (share === SHARE_ONE || isRejection(planned.quote) || planned.quote.amount >= COARSE) return planned;
  const least = math.quoteExactOut(state, direction, planned.quote.amount, time);
  if (isRejection(least) || least.amount >= planned.sellAmount) return planned;
  const spared = withShare(mulDivRoundingUp(least.amount, SHARE_ONE, available));
  return isRejection(spared.quote) || spared.quote.amount < planned.quote.amount ? planned : spared;
}
