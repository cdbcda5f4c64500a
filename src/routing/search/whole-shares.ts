import type { Edge } from "../edges/edges.ts";
import { type Goal, netOf, priceOf } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Wrappers } from "../plan/plan.ts";
import { sellAmountFor } from "../plan/sell-amount.ts";
import type { RouteRequest } from "../router.ts";
import type { Session } from "../session/session.ts";
import { type Evaluated, evaluate } from "./integers.ts";
import { wholeCounts, wholeFlow } from "./whole-flow.ts";

/** What a flow has to promise more than the answer pays, as a part of that, to be tried. */
const VISIBLE = 1e-4;
/** What a base unit of a token on the way has to be worth for the token to be coarse, likewise. */
const LARGE_UNIT = 1e-5;

/**
 * A flow, as floats have it, in whole units of the coarse tokens that it passes: between two tokens pools make as
 * many as they did, and what is over goes to the pools of the best answer, or where it has none to the one that pays most.
 * Undefined where that is not worth more than the answer.
 */
export function inWholeShares(
  request: RouteRequest,
  session: Session,
  wrappers: Wrappers,
  goal: Goal,
  flow: Settled,
  best: Evaluated,
): Evaluated | undefined {
  const worth = Number(best.value);
  if (flow.stuck > 0 || netOf(session, goal, flow) - worth <= VISIBLE * Math.abs(worth)) return undefined;
  const isCoarse = (node: number) => node !== session.sink && priceOf(flow, node) > LARGE_UNIT * flow.buyAmount;
  const units = wholeUnitsInto(flow, isCoarse);
  if (units.size === 0) return undefined;
  const gathered = gather(units);
  let most: Evaluated | undefined;
  for (const made of gathered.size < units.size ? [units, gathered] : [units]) {
    const whole = wholeFlow(session, flow, made, isCoarse, best.flow);
    const next = whole && evaluate(request, session, wrappers, goal, whole, (most ?? best).value);
    if (next !== undefined && !("broken" in next) && next.value > (most ?? best).value) most = next;
  }
  return most;
}

/** The same units, made by one pool between two tokens: the one that makes most. */
function gather(units: ReadonlyMap<Edge, number>): ReadonlyMap<Edge, number> {
  const gathered = new Map<Edge, number>();
  for (const way of Map.groupBy(units, ([{ from, to }]) => `${from} ${to}`).values()) {
    const [edge] = way.reduce((most, one) => (one[1] > most[1] ? one : most));
    gathered.set(
      edge,
      way.reduce((sum, [, count]) => sum + count, 0),
    );
  }
  return gathered;
}

/** The whole units that each edge to a coarse token makes: between two tokens all together as many as in the flow. */
function wholeUnitsInto({ support, sells }: Settled, isCoarse: (node: number) => boolean): ReadonlyMap<Edge, number> {
  const sold = new Map(support.edges.map((edge, i) => [edge, sells[i] as number]));
  const coarse = support.edges.filter(({ to }) => isCoarse(to));
  const units = new Map<Edge, number>();
  for (const way of Map.groupBy(coarse, ({ from, to }) => `${from} ${to}`).values()) {
    const made = way.map((edge) => edge.curve.buyAmountFor(sold.get(edge) as number));
    const counts = wholeCounts(made, (i, count) => {
      const edge = way[i] as Edge;
      return sellAmountFor(edge, count) - sellAmountFor(edge, count + 1);
    });
    way.forEach((edge, i) => {
      if ((counts[i] as number) > 0) units.set(edge, counts[i] as number);
    });
  }
  return units;
}
