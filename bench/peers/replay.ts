import type { Address } from "../../src/domain/address.ts";
import type { PoolId } from "../../src/domain/route.ts";
import { mathOf, type Pool } from "../../src/pools/pool.ts";
import { isRejection } from "../../src/pools/pool-math.ts";
import type { PeerRequest } from "./requests.ts";

export interface PlannedPath {
  readonly sellAmount: bigint;
  readonly hops: readonly { readonly pool: PoolId; readonly sellToken: Address; readonly buyToken: Address }[];
}

/** A plan as our integers and our gas model see it, or why it cannot stand beside ours. */
export type Replay =
  | { readonly ok: true; readonly buyAmount: bigint; readonly gas: bigint; readonly pools: number }
  | { readonly ok: false; readonly why: "not the whole amount" | "outside the feasible set" | "a pool refuses" };

const MOST_HOPS = 4;

/**
 * Runs a peer's plan path by path on the pools' own integer maths, each pool in the state that the paths before left.
 * Outside the feasible set: more hops than asked of us, or tokens that cannot be put in one order (a token visited
 * twice, cycles between paths). A pool that several paths use in one direction is paid for once, at its dearest.
 */
export function replay(
  plan: readonly PlannedPath[],
  request: PeerRequest,
  pools: ReadonlyMap<PoolId, Pool>,
  time: bigint,
): Replay {
  const sold = plan.reduce((sum, path) => sum + path.sellAmount, 0n);
  if (sold !== request.sellAmount) return { ok: false, why: "not the whole amount" };
  if (plan.some((path) => path.hops.length > MOST_HOPS) || !ordered(plan))
    return { ok: false, why: "outside the feasible set" };
  const states = new Map<PoolId, Pool["state"]>();
  const gases = new Map<string, bigint>();
  const touched = new Set<PoolId>();
  let buyAmount = 0n;
  for (const path of plan) {
    let [token, amount] = [request.sellToken, path.sellAmount];
    for (const hop of path.hops) {
      const pool = pools.get(hop.pool);
      if (pool === undefined || hop.sellToken !== token) return { ok: false, why: "a pool refuses" };
      const direction = { sell: pool.tokens.indexOf(hop.sellToken), buy: pool.tokens.indexOf(hop.buyToken) };
      const quote = mathOf(pool).quoteExactIn(states.get(pool.id) ?? pool.state, direction, amount, time);
      if (isRejection(quote)) return { ok: false, why: "a pool refuses" };
      states.set(pool.id, quote.next);
      touched.add(pool.id);
      const touch = `${pool.id} ${hop.sellToken}`;
      const known = gases.get(touch) ?? 0n;
      gases.set(touch, quote.gas > known ? quote.gas : known);
      [token, amount] = [hop.buyToken, quote.amount];
    }
    if (token !== request.buyToken) return { ok: false, why: "a pool refuses" };
    buyAmount += amount;
  }
  return { ok: true, buyAmount, gas: [...gases.values()].reduce((sum, gas) => sum + gas, 0n), pools: touched.size };
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
