/**
 * The plain references as peers, over paths of at most four pools. With 1 as its argument, the best single path: of the
 * paths that bring most with one pool, two, three and four, the best after gas. With 1000, a greedy fill: the trade in
 * equal chunks, each along the path that brings most for it after all chunks before; where gas counts or pools refuse
 * such chunks, the best after gas of 1, 10, 100 and 1,000 chunks.
 */

import { gasIn } from "../../../fixtures/universes/gas-cost.ts";
import { replay } from "../meeting/replay.ts";
import type { PeerRequest } from "../meeting/requests.ts";
import { GreedySearch, type Plan } from "./greedy-search.ts";
import { type PlanAnswer, serve, timed } from "./serve.ts";

const COUNTS = [1, 10, 100, 1000];
const most = Number(process.argv[2]);

serve<PlanAnswer>((universe) => {
  const pools = new Map(universe.pools.map((pool) => [pool.id, pool]));
  const search = new GreedySearch(universe);

  /** Output of a plan after gas; undefined if it cannot be carried out. */
  function net(plan: Plan, request: PeerRequest): bigint | undefined {
    const played = replay(plan, request, pools, universe.time);
    return played.ok ? played.buyAmount - gasIn(universe, request, played.gas) : undefined;
  }

  function best(plans: readonly Plan[], request: PeerRequest): Plan | undefined {
    let [found, value]: [Plan | undefined, bigint | undefined] = [undefined, undefined];
    for (const plan of plans) {
      const brings = net(plan, request);
      if (brings !== undefined && (value === undefined || brings > value)) [found, value] = [plan, brings];
    }
    return found;
  }

  function filled(request: PeerRequest): Plan | undefined {
    const whole = request.gasPrice === 0n ? search.fill(request, most) : undefined;
    if (whole !== undefined && net(whole, request) !== undefined) return whole;
    const plans = COUNTS.flatMap((chunks) => {
      const plan = chunks <= most ? search.fill(request, chunks) : undefined;
      return plan === undefined ? [] : [plan];
    });
    return best(plans, request);
  }

  return async (request) => {
    const { result, error, spent } = await timed(() =>
      most === 1 ? best(search.singles(request), request) : filled(request),
    );
    if (error !== undefined) throw error;
    return { plan: result, spent };
  };
});
