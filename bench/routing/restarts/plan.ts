import type { Address } from "../../../src/domain/address.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import { type PoolId, type Route, SHARE_ONE } from "../../../src/domain/route.ts";
import { mathOf, type Pool } from "../../../src/pools/pool.ts";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import { costOfGas } from "../../../src/routing/network-cost.ts";
import { evaluatePlan } from "../../../src/routing/plan/execution.ts";
import type { NetworkCost, PoolGraph } from "../../../src/routing/router.ts";
import type { Plan } from "../../peers/routers/greedy-search.ts";

/** One pool use of a plan: a share of what is left to sell, or of what is still to be bought. */
export interface PlannedUse {
  readonly pool: Pool;
  readonly direction: Direction;
  readonly share: bigint;
}

/** A route and what it is worth: bought net of network cost, or minus what is sold with it, in base units. */
export interface Valued {
  readonly route: Route;
  readonly net: bigint;
}

/** Carries out a plan in integers; undefined where pools refuse it or it has more than `maxFills` pool uses. */
export function carryOut(
  plan: readonly PlannedUse[],
  order: SwapOrder,
  cost: NetworkCost,
  { time, maxFills }: { readonly time: bigint; readonly maxFills: number },
): Valued | undefined {
  const route = evaluatePlan(plan, order, time);
  if ("broken" in route || route.fills.length > maxFills) return undefined;
  return { route, net: netOf(route, cost) };
}

/** Value of a route, net of network cost. */
export function netOf(route: Route, cost: NetworkCost): bigint {
  const gas = route.fills.reduce((sum, fill) => sum + fill.gas, 0n);
  if (route.kind === "exactIn") return route.buyAmount - costOfGas(cost, route.buyToken, gas);
  return -(route.sellAmount + costOfGas(cost, route.sellToken, gas));
}

/** A route's pool uses with their shares, whatever its amount. */
export function planOf({ fills }: Route, graph: PoolGraph): readonly PlannedUse[] {
  return fills.map(({ poolId, sellToken, buyToken, share }) => {
    const pool = graph.pool(poolId) as Pool;
    return { pool, direction: { sell: pool.tokens.indexOf(sellToken), buy: pool.tokens.indexOf(buyToken) }, share };
  });
}

/** A pool use with its amounts, where several paths share it. */
interface Use {
  readonly pool: Pool;
  readonly direction: Direction;
  readonly sellToken: Address;
  readonly buyToken: Address;
  sells: bigint;
  buys: bigint;
}

/** Paths as one plan of an order's kind; undefined where a pool refuses them or their tokens have no common order. */
export function planOfPaths(plan: Plan, kind: SwapOrder["kind"], graph: PoolGraph): readonly PlannedUse[] | undefined {
  const uses = usesOf(plan, graph);
  if (uses === undefined) return undefined;
  const tokens = tokenOrder(uses);
  if (tokens === undefined) return undefined;
  if (kind === "exactIn") return tokens.flatMap((token) => inShares(uses, token, "sell"));
  return tokens.toReversed().flatMap((token) => inShares(uses, token, "buy"));
}

function usesOf(plan: Plan, graph: PoolGraph): readonly Use[] | undefined {
  const states = new Map<PoolId, Pool["state"]>();
  const uses = new Map<string, Use>();
  for (const { sellAmount, hops } of plan) {
    let amount = sellAmount;
    for (const { pool: id, sellToken, buyToken } of hops) {
      const pool = graph.pool(id) as Pool;
      const direction = { sell: pool.tokens.indexOf(sellToken), buy: pool.tokens.indexOf(buyToken) };
      const quote = mathOf(pool).quoteExactIn(states.get(id) ?? pool.state, direction, amount, graph.time);
      if (isRejection(quote)) return undefined;
      states.set(id, quote.next);
      const key = `${id} ${sellToken} ${buyToken}`;
      const use = uses.get(key) ?? { pool, direction, sellToken, buyToken, sells: 0n, buys: 0n };
      use.sells += amount;
      use.buys += quote.amount;
      uses.set(key, use);
      amount = quote.amount;
    }
  }
  return [...uses.values()];
}

/** The tokens that are sold and bought, each behind all that are sold for it; undefined where there is a cycle. */
function tokenOrder(uses: readonly Use[]): readonly Address[] | undefined {
  const open = new Set(uses.flatMap(({ sellToken, buyToken }) => [sellToken, buyToken]));
  const order: Address[] = [];
  while (open.size > 0) {
    const next = [...open].find((token) => !uses.some((use) => use.buyToken === token && open.has(use.sellToken)));
    if (next === undefined) return undefined;
    open.delete(next);
    order.push(next);
  }
  return order;
}

/** The uses that sell (or buy) a token, the smallest first, each with its share of what those before it leave. */
function inShares(uses: readonly Use[], token: Address, side: "sell" | "buy"): readonly PlannedUse[] {
  const amountOf = (use: Use) => (side === "sell" ? use.sells : use.buys);
  const own = uses
    .filter((use) => (side === "sell" ? use.sellToken : use.buyToken) === token)
    .sort((a, b) => (amountOf(a) < amountOf(b) ? -1 : 1));
  let left = own.reduce((sum, use) => sum + amountOf(use), 0n);
  return own.map((use, i) => {
    const { pool, direction } = use;
    const exact = left === 0n ? SHARE_ONE : (amountOf(use) * SHARE_ONE) / left;
    left -= amountOf(use);
    return { pool, direction, share: i === own.length - 1 ? SHARE_ONE : exact > 0n ? exact : 1n };
  });
}
