import type { Edge } from "../edges/edges.ts";
import { type Goal, gasInBought, gasOf, priceOf } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import { connected } from "../flow/support.ts";
import type { Column } from "../paths/column.ts";
import { findColumns } from "../paths/columns.ts";
import { limited, type Session } from "../session/session.ts";
import { climb, isVisiblyBetter, LEAST_PROGRESS } from "./climb.ts";
import { flowOver } from "./flow-over.ts";
import type { Stage } from "./stage.ts";
import type { Trail } from "./trail.ts";
import { withoutCycles } from "./without-cycles.ts";

/** The parcel that ways back are looked for with, as a part of the trade. */
const PARCEL = 0.05;
/** What all of this may cost: so many steps, or this part of what the search has taken before. */
const FEW_STEPS = 10_000;
const PART = 0.7;

/**
 * The flow with its tokens in other orders, as long as one is better. Ways that join a flow never change the order of its
 * tokens: one that leads from a token back to one before it would close a cycle. Where pools stand off each other it may earn
 * more than all that it stands against. `trail`: where climbs have come by before, none of which is gone on from again.
 */
export function reordered(whole: Session, goal: Goal, start: Settled, trail: Trail, stage: Stage): Settled {
  const session = limited(whole, Math.max(FEW_STEPS, PART * whole.steps));
  let best = start;
  for (let next: Settled | undefined = start; next !== undefined; next = turned(session, goal, best, trail, stage))
    best = next;
  return best;
}

/**
 * The first better flow that goes over one of the ways back: of the other edges those that earn most stay, as far as they close
 * no cycle with it, and ways join what is left. Undefined where there is none.
 */
function turned(session: Session, goal: Goal, flow: Settled, trail: Trail, stage: Stage): Settled | undefined {
  const profits = new Map(flow.support.edges.map((edge, i) => [edge, flow.profits[i] as number]));
  const profitOf = (edge: Edge) => profits.get(edge) as number;
  const held = [...profits.keys()].sort((a, b) => profitOf(b) - profitOf(a));
  for (const { edges, logPrices } of waysBack(session, goal, flow)) {
    if (session.over()) return undefined;
    const prices = new Map([...logPrices(), ...flow.logPrices]);
    const over = flowOver(
      session,
      goal,
      flow.sellAmount,
      [...edges, ...linksTo(session, flow, edges, held), ...held],
      prices,
    );
    const next = over && climb(session, goal, over, { trail, beyond: flow, stage });
    if (next !== undefined && isVisiblyBetter(session, goal, next, flow)) return next;
  }
  return undefined;
}

/** Ways from a token of a flow back to one before it that earn more than their gas, the best one of each two tokens. */
function waysBack(session: Session, goal: Goal, flow: Settled): Column[] {
  const worth = flow.sellAmount * priceOf(flow, session.source);
  const costPerGas = gasInBought(session, goal, flow);
  const perTouch = (session.leastGas * costPerGas) / Math.max(worth, flow.buyAmount);
  const met = new Set<string>();
  return findColumns(session, flow, PARCEL * worth, perTouch, true).filter(({ edges, profit }) => {
    const ends = `${edges[0]?.from} ${edges.at(-1)?.to}`;
    if (met.has(ends) || profit <= gasOf(edges) * costPerGas + LEAST_PROGRESS * worth) return false;
    met.add(ends);
    return true;
  });
}

/**
 * A pool that leads to where a way back begins, and one on from where it ends, where no path does any more without the edges
 * that it stands against.
 */
function linksTo(session: Session, flow: Settled, way: readonly Edge[], held: readonly Edge[]): Edge[] {
  const { source, sink } = session;
  const { order } = flow.support;
  const kept = new Set(connected(session, withoutCycles([...way, ...held], source, sink)));
  const [first, last] = [(way[0] as Edge).from, (way.at(-1) as Edge).to];
  if (kept.has(way[0] as Edge)) return [];
  const taken = new Set([...way, ...held].map(({ poolNumber }) => poolNumber));
  const links: (Edge | undefined)[] = [];
  if (![...kept].some(({ to }) => to === first))
    links.push(bestLink(session, flow, first, new Set(order.slice(0, order.indexOf(last))), true, taken));
  if (![...kept].some(({ from }) => from === last))
    links.push(bestLink(session, flow, last, new Set(order.slice(order.indexOf(first) + 1)), false, taken));
  return links.filter((link) => link !== undefined);
}

/** The pool that makes most of a parcel from one of these tokens into a token, or out of it to one of them, at a flow's prices. */
function bestLink(
  session: Session,
  flow: Settled,
  node: number,
  others: ReadonlySet<number>,
  isInto: boolean,
  taken: ReadonlySet<number>,
): Edge | undefined {
  const { start, live, to, twin, pool, edgeAt } = session.graph;
  const value = PARCEL * flow.sellAmount * priceOf(flow, session.source);
  let most = 0;
  let best: Edge | undefined;
  session.steps += (live[node] as number) - (start[node] as number);
  for (let away = start[node] as number; away < (live[node] as number); away++) {
    const slot = isInto ? (twin[away] as number) : away;
    if (!others.has(to[away] as number) || taken.has(pool[slot] as number) || !session.allowsSlot(slot)) continue;
    const edge = edgeAt(slot);
    const sellAmount = value / priceOf(flow, edge.from);
    const worth = sellAmount > edge.curve.maxSell ? 0 : edge.curve.buyAmountFor(sellAmount) * priceOf(flow, edge.to);
    if (worth <= most) continue;
    most = worth;
    best = edge;
  }
  return best;
}
