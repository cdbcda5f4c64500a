import { openBps } from "../../fixtures/routing/certificate-gap.ts";
import type { graphOf } from "../../fixtures/routing/request.ts";
import { fillsOf } from "../../src/domain/route.ts";
import type { NetworkCost, Router } from "../../src/routing/router.ts";
import { ask, processorMs } from "./figures.ts";
import type { Restarts } from "./restarts/regret.ts";
import type { Trade } from "./trades.ts";

/** What the answers to one kind of request on one set cost, prove and leave. */
export interface Cell {
  /** Milliseconds of processor time of an answer, bound included. Every request is asked once. */
  readonly ms: readonly number[];
  /** Basis points between bound and answer, of those that have a bound. */
  readonly gaps: readonly number[];
  /** Answers without a bound. */
  readonly unproven: number;
  readonly fills: readonly number[];
  readonly refused: number;
  /** Basis points that the best restart pays more, of those that have been tried. */
  readonly regrets: readonly number[];
  /** Requests that the router has refused and a restart has a route for. */
  readonly missed: number;
  /** How many regrets above 1 bp came from each kind of restart. */
  readonly by: Readonly<Record<string, number>>;
}

export interface Measuring {
  readonly create: () => Router;
  readonly graph: ReturnType<typeof graphOf>;
  readonly cost: NetworkCost;
  readonly warmUp: readonly Trade[];
  readonly trades: readonly Trade[];
  readonly restarts: Restarts;
  /** How many of the trades restarts are tried for. */
  readonly regrets: number;
}

/** Basis points from which on a regret counts. */
export const VISIBLE_REGRET = 1;

export function measure({ create, graph, cost, warmUp, trades, restarts, regrets: tried }: Measuring): Cell {
  const router = create();
  for (const trade of warmUp) ask(router, graph, cost, trade);
  const answers = trades.map((trade) => processorMs(() => ask(router, graph, cost, trade)));
  const gaps: number[] = [];
  const fills: number[] = [];
  let [unproven, refused, missed] = [0, 0, 0];
  for (const { result } of answers) {
    if (!result.found) {
      refused++;
      continue;
    }
    fills.push(fillsOf(result.route).length);
    const gap = result.certificate === undefined ? Number.NaN : openBps(result.certificate);
    if (Number.isFinite(gap)) gaps.push(gap);
    else unproven++;
  }
  // Restarts ask a router of their own: whatever it remembers of them is nothing that the measured one has seen.
  const other = create();
  const regrets: number[] = [];
  const by: Record<string, number> = {};
  for (const [i, { order }] of trades.slice(0, tried).entries()) {
    const result = answers[i]?.result as (typeof answers)[number]["result"];
    const regret = restarts.regretOf({ router: other, graph, order, cost }, result);
    if (regret === undefined) continue;
    if (regret.bps === Number.POSITIVE_INFINITY) missed++;
    else regrets.push(regret.bps);
    if (regret.bps > VISIBLE_REGRET && regret.by !== undefined) by[regret.by] = (by[regret.by] ?? 0) + 1;
  }
  return { ms: answers.map(({ ms }) => ms), gaps, unproven, fills, refused, regrets, missed, by };
}
