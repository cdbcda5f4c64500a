import { isUsedAgain } from "../../../fixtures/routing/used-again.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { ExactInRoute, PoolId } from "../../../src/domain/route.ts";
import { mathOf, type Pool } from "../../../src/pools/pool.ts";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import type { PeerRequest } from "./requests.ts";

export interface PlannedPath {
  readonly sellAmount: bigint;
  readonly hops: readonly PlannedHop[];
}

export interface PlannedHop {
  readonly pool: PoolId;
  readonly sellToken: Address;
  readonly buyToken: Address;
}

/** Why a plan cannot stand beside ours, although its pools take it (docs/routing.md, the feasible set). */
export type Outside = "too many hops" | "too many pools" | "tokens in no order" | "a pool used again";

/** Sum that paths sell to a pool in one direction, and the pool as the first of them found it. */
interface PoolUse {
  readonly pool: Pool;
  readonly direction: Direction;
  sold: bigint;
  gas: bigint;
}

/** A plan as our integers and our gas model see it. */
export type Replay =
  | {
      readonly ok: true;
      readonly buyAmount: bigint;
      readonly gas: bigint;
      readonly pools: number;
      readonly outside?: Outside;
    }
  | { readonly ok: false; readonly why: "not the whole amount" | "a pool refuses" };

export const MAX_HOPS = 4;
export const MAX_POOLS = 128;

/**
 * Runs a peer's plan path by path on the pools' own integer maths, each pool in the state that the paths before left.
 * A pool that several paths use in one direction is paid for once, at its dearest.
 */
export function replay(
  plan: readonly PlannedPath[],
  request: PeerRequest,
  pools: ReadonlyMap<PoolId, Pool>,
  time: bigint,
): Replay {
  const sold = plan.reduce((sum, path) => sum + path.sellAmount, 0n);
  if (sold !== request.sellAmount) return { ok: false, why: "not the whole amount" };
  const states = new Map<PoolId, Pool["state"]>();
  const uses = new Map<string, PoolUse>();
  let buyAmount = 0n;
  for (const path of plan) {
    let [token, amount] = [request.sellToken, path.sellAmount];
    for (const hop of path.hops) {
      const pool = pools.get(hop.pool);
      if (pool === undefined || hop.sellToken !== token) return { ok: false, why: "a pool refuses" };
      const direction = { sell: pool.tokens.indexOf(hop.sellToken), buy: pool.tokens.indexOf(hop.buyToken) };
      const before = { ...pool, state: states.get(pool.id) ?? pool.state } as Pool;
      const quote = mathOf(before).quoteExactIn(before.state, direction, amount, time);
      if (isRejection(quote)) return { ok: false, why: "a pool refuses" };
      states.set(pool.id, quote.next);
      const key = `${pool.id} ${hop.sellToken} ${hop.buyToken}`;
      const use = uses.get(key) ?? { pool: before, direction, sold: 0n, gas: 0n };
      use.sold += amount;
      if (quote.gas > use.gas) use.gas = quote.gas;
      uses.set(key, use);
      [token, amount] = [hop.buyToken, quote.amount];
    }
    if (token !== request.buyToken) return { ok: false, why: "a pool refuses" };
    buyAmount += amount;
  }
  const made = [...uses.values()];
  const gas = made.reduce((sum, one) => sum + one.gas, 0n);
  const outside = whyOutside(plan, made, time);
  return { ok: true, buyAmount, gas, pools: states.size, ...(outside === undefined ? {} : { outside }) };
}

function whyOutside(plan: readonly PlannedPath[], uses: readonly PoolUse[], time: bigint): Outside | undefined {
  if (plan.some((path) => path.hops.length > MAX_HOPS)) return "too many hops";
  if (!ordered(plan)) return "tokens in no order";
  if (isUsedAgain(uses.map(({ pool, direction }) => ({ pool, ...direction })))) return "a pool used again";
  if (uses.length > MAX_POOLS) return "too many pools";
  return uses.every((use) => isTakenAtOnce(use, time)) ? undefined : "a pool used again";
}

/** Whether the pool takes all that paths sell to it in one pool use, as a route would have to. */
function isTakenAtOnce({ pool, direction, sold }: PoolUse, time: bigint): boolean {
  return !isRejection(mathOf(pool).quoteExactIn(pool.state, direction, sold, time));
}

/** Whether the tokens of all paths can be put in one order that every hop follows. */
function ordered(plan: readonly PlannedPath[]): boolean {
  const next = new Map<Address, Set<Address>>();
  for (const path of plan)
    for (const { sellToken, buyToken } of path.hops)
      next.set(sellToken, (next.get(sellToken) ?? new Set()).add(buyToken));
  const state = new Map<Address, "open" | "done">();
  const visit = (token: Address): boolean => {
    const known = state.get(token);
    if (known !== undefined) return known === "done";
    state.set(token, "open");
    for (const other of next.get(token) ?? []) if (!visit(other)) return false;
    state.set(token, "done");
    return true;
  };
  return [...next.keys()].every(visit);
}

/**
 * Holds a route of ours against the same pools: every fill pays what it says, spends what has arrived, and nothing is
 * left on the way. Throws where that is not so; otherwise what it brings and costs.
 */
export function replayRoute(
  route: ExactInRoute,
  pools: ReadonlyMap<PoolId, Pool>,
  time: bigint,
): { readonly buyAmount: bigint; readonly gas: bigint; readonly pools: number } {
  const held = new Map<Address, bigint>([[route.sellToken, route.sellAmount]]);
  const states = new Map<PoolId, Pool["state"]>();
  let gas = 0n;
  for (const { poolId, sellToken, buyToken, sellAmount, buyAmount } of route.fills) {
    const pool = pools.get(poolId);
    if (pool === undefined) throw new Error(`${poolId} is not one of the pools`);
    const direction = { sell: pool.tokens.indexOf(sellToken), buy: pool.tokens.indexOf(buyToken) };
    const quote = mathOf(pool).quoteExactIn(states.get(poolId) ?? pool.state, direction, sellAmount, time);
    if (isRejection(quote) || quote.amount !== buyAmount) throw new Error(`${poolId} does not pay ${buyAmount}`);
    states.set(poolId, quote.next);
    const left = (held.get(sellToken) ?? 0n) - sellAmount;
    if (left < 0n) throw new Error(`${sellToken} has not arrived`);
    held.set(sellToken, left);
    held.set(buyToken, (held.get(buyToken) ?? 0n) + buyAmount);
    gas += quote.gas;
  }
  for (const [token, left] of held)
    if (left !== (token === route.buyToken ? route.buyAmount : 0n)) throw new Error(`${left} of ${token} are left`);
  return { buyAmount: route.buyAmount, gas, pools: states.size };
}
