import type { Address } from "../domain/address.ts";
import type { SwapOrder } from "../domain/order.ts";
import {
  type ExactInRoute,
  type ExactOutRoute,
  type Fill,
  type FillTree,
  type PoolId,
  SHARE_ONE,
} from "../domain/route.ts";
import { mulDivRoundingUp } from "../math/full-math.ts";
import { stateAfter } from "../pools/followed.ts";
import { mathOf, type Pool, withState } from "../pools/pool.ts";
import { type Direction, isRejection, type Rejection } from "../pools/pool-math.ts";
import { afterTotals, noteTotals, type VaultTotals, vaultOf } from "../pools/shared-totals.ts";
import { touchGas } from "../pools/touch-gas.ts";

/** One touch of one pool before its amounts are known. `share` as in `Fill`. */
export interface PlannedFill {
  readonly pool: Pool;
  readonly direction: Direction;
  readonly share: bigint;
}

/** Exact-out: a touch and the touches that make what it takes; none when it takes the sold token. */
export interface PlannedTree extends PlannedFill {
  readonly inputs: readonly PlannedTree[];
}

/** Which touch of a plan cannot be, and why. Without a touch: a token was left over or missing. */
export interface BrokenPlan {
  readonly broken: PlannedFill | undefined;
  readonly why: Rejection | undefined;
}

/**
 * What a touch pays or takes, in base units, below which one of them counts: the least that pays as much is looked for, or
 * the most that takes no more.
 */
export const COARSE = 10_000_000n;

type ExactInOrder = Extract<SwapOrder, { kind: "exactIn" }>;
type ExactOutOrder = Extract<SwapOrder, { kind: "exactOut" }>;

/**
 * Pools' states as the touches of one execution leave them; a pool may go by the state of another, and those of one
 * ERC-4626 vault have its totals in common.
 */
interface States {
  of(pool: Pool): Pool["state"] | Rejection;
  set(pool: Pool, state: Pool["state"]): void;
}

/**
 * What settlement pays out for an exact-in plan, wei by wei: fills in execution order, each taking
 * floor(left * share / SHARE_ONE) of what is left of its token, pools touched again in the state they were left in.
 * A plan that leaves a token behind is broken, and so is one with a pool that does not take all that is sold to it of the
 * sold token: the taker would pay less than the route says.
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
  for (const step of plan) {
    const { sellToken, buyToken } = tokensOf(step);
    const available = left.get(sellToken) ?? 0n;
    const state = states.of(step.pool);
    if (isRejection(state)) return { broken: step, why: state };
    const { share, sellAmount, quote } = touchOf(step, state, available, time);
    if (isRejection(quote)) return { broken: step, why: quote };
    if (quote.unused !== undefined && sellToken === order.sellToken) return { broken: step, why: undefined };
    const gas = touchGas(step.pool, step.direction, quote.gas, met(step));
    states.set(step.pool, quote.next);
    left.set(sellToken, available - sellAmount);
    left.set(buyToken, (left.get(buyToken) ?? 0n) + quote.amount);
    fills.push(fillOf({ ...step, share }, sellAmount, quote.amount, gas));
  }
  const buyAmount = left.get(order.buyToken) ?? 0n;
  for (const [token, amount] of left)
    if (token !== order.buyToken && amount !== 0n) return { broken: undefined, why: undefined };
  return { ...order, buyAmount, fills };
}

/** A touch of a pool with its share of what there is of the sold token. */
interface Touch {
  readonly share: bigint;
  readonly sellAmount: bigint;
  readonly quote: ReturnType<ReturnType<typeof mathOf>["quoteExactIn"]>;
}

/**
 * A planned touch, with the least share that pays as much where a base unit of what it pays is worth something: those
 * behind it at its token make more of what is over.
 */
function touchOf(
  { pool, direction, share }: PlannedFill,
  state: Pool["state"],
  available: bigint,
  time: bigint,
): Touch {
  const math = mathOf(pool);
  const withShare = (part: bigint): Touch => {
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
  const met = meetings();
  let sellAmount = 0n;

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
      const { share, buyAmount, quote } = touchFor(tree, state, needed, time);
      if (isRejection(quote)) return { broken: tree, why: quote };
      if (buyToken !== token) return { broken: tree, why: undefined };
      const gas = touchGas(tree.pool, tree.direction, quote.gas, met(tree));
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
      needed -= buyAmount;
      const isLast = needed === 0n;
      made.push({ ...fillOf({ ...tree, share: isLast ? SHARE_ONE : share }, quote.amount, buyAmount, gas), inputs });
      if (isLast) break;
    }
    return needed === 0n ? made : { broken: undefined, why: undefined };
  };

  const legs = make(plan, order.buyToken, order.buyAmount, []);
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
    const buyAmount = mulDivRoundingUp(needed, part, SHARE_ONE);
    return { share: part, buyAmount, quote: math.quoteExactOut(state, direction, buyAmount, time) };
  };
  const planned = withShare(share);
  if (share === SHARE_ONE || isRejection(planned.quote) || planned.quote.amount >= COARSE) return planned;
  const most = math.quoteExactIn(state, direction, planned.quote.amount, time);
  if (isRejection(most) || most.amount <= planned.buyAmount) return planned;
  const raised = withShare(most.amount >= needed ? SHARE_ONE : (most.amount * SHARE_ONE) / needed);
  return isRejection(raised.quote) || raised.quote.amount > planned.quote.amount ? planned : raised;
}

function initialStates(time: bigint): States {
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
function meetings(): (touch: PlannedFill) => boolean {
  const seen = new Set<string>();
  return ({ pool, direction }) => {
    const before = seen.size;
    seen.add(`${pool.id} ${direction.sell} ${direction.buy}`);
    return seen.size === before;
  };
}

function tokensOf({ pool, direction }: PlannedFill): { sellToken: Address; buyToken: Address } {
  return { sellToken: pool.tokens[direction.sell] as Address, buyToken: pool.tokens[direction.buy] as Address };
}

function fillOf(step: PlannedFill, sellAmount: bigint, buyAmount: bigint, gas: Pick<Fill, "gas" | "givenBack">): Fill {
  const { pool, share } = step;
  return { poolId: pool.id, source: pool.source, ...tokensOf(step), sellAmount, buyAmount, ...gas, share };
}
