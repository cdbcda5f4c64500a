import type { Address } from "../../src/domain/address.ts";
import { fillsOf, type PoolId } from "../../src/domain/route.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { createRouter } from "../../src/routing/create-router.ts";
import { costOfGas } from "../../src/routing/network-cost.ts";
import type { NetworkCost, RouteResult } from "../../src/routing/router.ts";
import { budgetOf, FREE, graphOf } from "../../test/support/universe.ts";
import type { PeerRequest } from "./requests.ts";
import { type Spent, startWatch } from "./serve.ts";
import type { PeerUniverse } from "./universe.ts";

/** One answer of our router. */
export interface Ours {
  readonly result: RouteResult;
  readonly spent: Spent;
  /** What the taker gets after network cost; undefined without a route. */
  readonly value: bigint | undefined;
}

/** What gas costs at the universe's own values of tokens. */
export function costIn(universe: PeerUniverse, gasPrice: bigint): NetworkCost {
  if (gasPrice === 0n) return FREE;
  return {
    gasPrice,
    rate: (token) => {
      const value = universe.values.get(token);
      if (value === undefined) return undefined;
      return value > 1
        ? { num: 10n ** 9n, den: BigInt(Math.round(value * 1e9)) }
        : { num: BigInt(Math.round(1e9 / value)), den: 10n ** 9n };
    },
  };
}

/** Our answers, measured once every request has been asked before. */
export function answers(
  universe: PeerUniverse,
  requests: readonly PeerRequest[],
  allows: (pool: Pool) => boolean = () => true,
): readonly Ours[] {
  const graph = graphOf(universe.pools, universe.time);
  const router = createRouter();
  const ask = ({ sellToken, buyToken, sellAmount, gasPrice }: PeerRequest) =>
    router.findBest({
      order: { kind: "exactIn", sellToken, buyToken, sellAmount },
      graph,
      allows,
      cost: costIn(universe, gasPrice),
      budget: budgetOf(),
    });
  for (const request of requests) ask(request);
  return requests.map((request) => {
    const watch = startWatch();
    const result = ask(request);
    const spent = watch();
    if (!result.found) return { result, spent, value: undefined };
    const gas = fillsOf(result.route).reduce((sum, fill) => sum + fill.gas, 0n);
    const cost = costOfGas(costIn(universe, request.gasPrice), request.buyToken, gas);
    return { result, spent, value: result.route.buyAmount - cost };
  });
}

/** The deepest constant-product pool of every pair, and all other pools. */
export function deepestOfPairs({ pools, worth }: PeerUniverse): ReadonlySet<PoolId> {
  const deepest = new Map<string, PoolId>();
  const key = (tokens: readonly Address[]) => [...tokens].sort().join();
  for (const { id, tokens, curve } of pools) {
    if (curve !== "constant-product") continue;
    const known = deepest.get(key(tokens));
    if (known === undefined || (worth.get(id) ?? 0) > (worth.get(known) ?? 0)) deepest.set(key(tokens), id);
  }
  const kept = new Set(deepest.values());
  return new Set(pools.filter(({ id, curve }) => curve !== "constant-product" || kept.has(id)).map(({ id }) => id));
}
