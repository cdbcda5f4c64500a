import { gasIn } from "../../../fixtures/universes/gas-cost.ts";
import type { PeerUniverse } from "../../../fixtures/universes/priced.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { PoolId } from "../../../src/domain/route.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { RouteResult } from "../../../src/routing/router.ts";
import type { Spent } from "../routers/serve.ts";
import type { TributaryAnswer } from "../routers/tributary.ts";
import { startPeer } from "./peer.ts";
import { replayRoute } from "./replay.ts";
import type { PeerRequest } from "./requests.ts";

/** One answer of our router, its route played again (replay.ts). */
export interface Ours {
  readonly result: RouteResult;
  readonly spent: Spent;
  /** Amount after network cost, and the pools used; undefined without a route. */
  readonly value: bigint | undefined;
  readonly pools: number | undefined;
}

/** Our own answers may take as long as they like: this ends a router that hangs. */
const CAP_MS = 120_000;

/** Our answers, in a process of their own as every other router's, on the pools that `sees` has; on all without it. */
export async function answersOf(
  universe: PeerUniverse,
  { warmUp, requests }: { readonly warmUp: readonly PeerRequest[]; readonly requests: readonly PeerRequest[] },
  sees?: ReadonlySet<PoolId>,
): Promise<readonly Ours[]> {
  const seen = sees === undefined ? universe : { ...universe, pools: universe.pools.filter(({ id }) => sees.has(id)) };
  const pools = new Map<PoolId, Pool>(universe.pools.map((pool) => [pool.id, pool]));
  const router = await startPeer<TributaryAnswer>("tributary.ts", [], seen, CAP_MS);
  try {
    for (const request of warmUp) await router.ask(request);
    const answers: Ours[] = [];
    for (const request of requests) {
      const asked = await router.ask(request);
      if (asked.kind !== "answered") throw new Error(asked.kind === "failed" ? asked.reason : "our router hangs");
      const { result, spent } = asked.answer;
      if (!result.found || result.route.kind !== "exactIn") {
        answers.push({ result, spent, value: undefined, pools: undefined });
        continue;
      }
      const played = replayRoute(result.route, pools, universe.time);
      const value = played.buyAmount - gasIn(universe, request, played.gas);
      answers.push({ result, spent, value, pools: played.pools });
    }
    return answers;
  } finally {
    await router.stop();
  }
}

/** One constant-product pool of every pair of tokens, the deepest of those that `isPair` names, and all that `others` names. */
export function deepestOfPairs(
  { pools, worth }: PeerUniverse,
  isPair: (pool: Pool) => boolean,
  others: (pool: Pool) => boolean,
): ReadonlySet<PoolId> {
  const deepest = new Map<string, PoolId>();
  const key = (tokens: readonly Address[]) => [...tokens].sort().join();
  for (const pool of pools) {
    if (!isPair(pool)) continue;
    const known = deepest.get(key(pool.tokens));
    if (known === undefined || (worth.get(pool.id) ?? 0) > (worth.get(known) ?? 0))
      deepest.set(key(pool.tokens), pool.id);
  }
  return new Set([...deepest.values(), ...pools.filter(others).map(({ id }) => id)]);
}
