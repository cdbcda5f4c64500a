import { SHARE_ONE } from "../../src/domain/route.ts";
import { mathOf, type Pool } from "../../src/pools/pool.ts";
import { isRejection } from "../../src/pools/pool-math.ts";
import type { RouteResult, Router } from "../../src/routing/router.ts";

/** Sells the whole amount to the first allowed pool of `pools` that holds both tokens. Buys nothing exactly. */
export function firstPoolRouter(pools: readonly Pool[]): Router {
  return {
    findBest({ order, allows, graph, budget }): RouteResult {
      if (budget.expired() || order.kind === "exactOut") return { found: false, reason: { kind: "NO_PATH" } };
      const { sellToken, buyToken, sellAmount } = order;
      const holds = ({ tokens }: Pool) => tokens.includes(sellToken) && tokens.includes(buyToken);
      const chosen = pools.find((pool) => holds(pool) && allows(pool));
      if (chosen === undefined) return { found: false, reason: { kind: "NO_PATH" } };
      const direction = { sell: chosen.tokens.indexOf(sellToken), buy: chosen.tokens.indexOf(buyToken) };
      const quoted = mathOf(chosen).quoteExactIn(chosen.state, direction, sellAmount, graph.time);
      if (isRejection(quoted)) return { found: false, reason: { kind: "NOT_ENOUGH_LIQUIDITY", estimate: 77n } };
      const amounts = { sellToken, buyToken, sellAmount, buyAmount: quoted.amount };
      const fill = { ...amounts, poolId: chosen.id, source: chosen.source, gas: 90_000n, share: SHARE_ONE };
      const certificate = { bound: quoted.amount + 5n, achieved: quoted.amount };
      return { found: true, route: { kind: "exactIn", ...amounts, fills: [fill] }, certificate };
    },
  };
}
