import type { Address } from "../../domain/address.ts";
import type { SwapOrder } from "../../domain/order.ts";
import { type ExactOutRoute, type FillTree, SHARE_ONE } from "../../domain/route.ts";
import { mulDivRoundingUp } from "../../math/full-math.ts";
import { mathOf, type Pool } from "../../pools/pool.ts";
import { isRejection } from "../../pools/pool-math.ts";
import { vaultOf } from "../../pools/shared-totals.ts";
import { touchGas } from "../../pools/touch-gas.ts";
import {
  type BrokenPlan,
  COARSE,
  type Fault,
  fillOf,
  initialStates,
  type PlannedTree,
  tokensOf,
  touchKey,
} from "./execution.ts";

type ExactOutOrder = Extract<SwapOrder, { kind: "exactOut" }>;

/**
 * What settlement spends for an exact-out plan: legs one after another, each giving ceil(needed * share / SHARE_ONE) of
 * what is still needed, the inputs of each right when it asks to be paid, depth first. A fill's own swap is computed
 * before its inputs are made, so that these must not change it: a plan with a pool twice on one path from leg to leaf,
 * which pools of more than two tokens allow, is broken; so is one with two pools of the same ERC-4626 vault there.
 */
export function evaluateExactOut(
  plan: readonly PlannedTree[],
  order: ExactOutOrder,
  time: bigint,
): ExactOutRoute | BrokenPlan {
  const states = initialStates(time);
  let sellAmount = 0n;
  const overdrawn: Fault[] = [];
  /** What touches have paid so far, by their keys. */
  const given = new Map<string, bigint>();

  const make = (
    trees: readonly PlannedTree[],
    token: Address,
    amount: bigint,
    above: readonly string[],
  ): FillTree[] | BrokenPlan => {
    let needed = amount;
    const made: FillTree[] = [];
    for (const tree of trees) {
      const moved = vaultOf(tree.pool) ?? tree.pool.id;
      if (above.includes(moved)) return { broken: tree, why: undefined };
      const { sellToken, buyToken } = tokensOf(tree);
      const state = states.of(tree.pool);
      if (isRejection(state)) return { broken: tree, why: state };
      const key = touchKey(tree);
      const before = given.get(key);
      const { share, buyAmount, quote } = touchFor(tree, state, needed, time);
      if (isRejection(quote)) {
        if (quote.most === undefined) return { broken: tree, why: quote };
        const part = Number((before ?? 0n) + quote.most) / Number((before ?? 0n) + buyAmount);
        overdrawn.push({ touch: tree, part, why: quote });
        needed -= buyAmount;
        if (needed === 0n) break;
        continue;
      }
      if (buyToken !== token) return { broken: tree, why: undefined };
      const gas = touchGas(tree.pool, tree.direction, quote.gas, before !== undefined);
      states.set(tree.pool, quote.next);
      let inputs: FillTree[] = [];
      if (tree.inputs.length === 0) {
        if (sellToken !== order.sellToken) return { broken: tree, why: undefined };
        sellAmount += quote.amount;
      } else {
        const below = make(tree.inputs, sellToken, quote.amount, [...above, moved]);
        if (!Array.isArray(below)) return below;
        inputs = below;
      }
      given.set(key, (before ?? 0n) + buyAmount);
      needed -= buyAmount;
      const isLast = needed === 0n;
      made.push({ ...fillOf({ ...tree, share: isLast ? SHARE_ONE : share }, quote.amount, buyAmount, gas), inputs });
      if (isLast) break;
    }
    return needed === 0n ? made : { broken: undefined, why: undefined };
  };

  const legs = make(plan, order.buyToken, order.buyAmount, []);
  const [first] = overdrawn;
  if (first !== undefined) return { broken: first.touch, why: first.why, overdrawn };
  return Array.isArray(legs) ? { ...order, sellAmount, legs } : legs;
}

/** A touch of a pool with its share of what is needed of the bought token. */
interface TouchFor {
  readonly share: bigint;
  readonly buyAmount: bigint;
  readonly quote: ReturnType<ReturnType<typeof mathOf>["quoteExactOut"]>;
}

/**
 * A planned touch, with the largest share that takes no more where a base unit of what it takes is worth something: those
 * behind it have less left to give, or nothing.
 */
function touchFor(
  { pool, direction, share }: PlannedTree,
  state: Pool["state"],
  needed: bigint,
  time: bigint,
): TouchFor {
  const math = mathOf(pool);
  const withShare = (part: bigint): TouchFor => {
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
