import { bestPath } from "./best-path.ts";
import { type Column, findColumns } from "./columns.ts";
import type { Edge } from "./edges.ts";
import { fillUp } from "./fill-up.ts";
import { amountOf, type Goal, gasInBought, gasOf, isBetter, netOf, openAbove, priceOf } from "./goal.ts";
import { type Relaxed, relax } from "./relax.ts";
import { withoutCycles } from "./repair.ts";
import type { Session } from "./session.ts";
import { type Settled, settle } from "./settled.ts";
import { connected, supportOf, tooFar } from "./support.ts";

export interface SearchOutcome {
  /** Flows worth evaluating in integers, the most promising last. The first is the best single path. */
  readonly found: readonly Settled[];
  /** The trade without gas and without limits of shape: what a proof can begin with. */
  readonly relaxed: Relaxed;
}

/** Parcel sizes that columns are looked for with, as parts of the trade: large ones first, so that dust comes last. */
const PARCELS = [0.05, 0.001];
/** Columns taken in at once. */
const COLUMNS_AT_ONCE = 40;
/** Groups of edges, those that promise most, that are left out by way of trial. */
const GROUPS_TRIED = 5;
/** Rounds of columns of one parcel size. */
const MOST_ROUNDS = 30;
/** Gain below which the search is done, as a part of the trade's value. */
const LEAST_PROGRESS = 1e-7;
/** What a proof may leave open above a flow that is not looked at further, as a part of the trade's value. */
const CLOSE_ENOUGH = 2e-5;
/** The same above the last flow, for the prices to be looked for once more from that flow's own. */
const WORTH_ANOTHER_LOOK = 1e-4;

/**
 * The trade over all pools at once, put back into the shape of a route; where gas or that shape make a difference,
 * columns that earn more than their gas join, and what does not is dropped.
 */
export function searchFlow(session: Session, goal: Goal): SearchOutcome | undefined {
  const first = startingFlow(session, goal);
  if (first === undefined) return undefined;
  let relaxed = relax(session, first.logPrices, first.sellAmount, 0);
  let best = first;
  const spread = flowOver(session, { ...goal, costPerGas: 0 }, first, relaxed.edges, relaxed.logPrices);
  if (spread !== undefined) {
    if (goal.kind === "buy") relaxed = relax(session, relaxed.logPrices, spread.sellAmount, 0);
    const pruned = goal.costPerGas > 0 ? prune(session, goal, spread) : spread;
    if (isBetter(session, goal, pruned, best)) best = pruned;
  }
  const open = openAbove(goal, relaxed, best);
  // Where all fills are taken and gas is free, what is missing is more fills.
  const full = goal.costPerGas === 0 && best.stuck === 0 && best.support.edges.length >= goal.maxFills;
  if (!full && (goal.costPerGas > 0 || best.stuck > 0 || open > CLOSE_ENOUGH))
    best = climb(session, goal, best, PARCELS);
  if (goal.costPerGas > 0 && best !== first && !session.over()) {
    const other = climb(session, goal, first, PARCELS);
    if (isBetter(session, goal, other, best)) best = other;
  }
  let last = resize(session, goal, best, 12);
  if (goal.costPerGas === 0 && !full && !session.over() && openAbove(goal, relaxed, last) > WORTH_ANOTHER_LOOK) {
    const again = relax(session, last.logPrices, last.sellAmount, 0);
    if (openAbove(goal, again, last) < openAbove(goal, relaxed, last)) relaxed = again;
    const other = flowOver(session, goal, last, again.edges, again.logPrices);
    if (other !== undefined && isBetter(session, goal, other, last)) last = other;
  }
  return { found: last.stuck > 0 ? [first, last, fillUp(session, last)] : [first, last], relaxed };
}

/** Takes in columns, large parcels first, as long as the flow gets better. */
function climb(session: Session, goal: Goal, start: Settled, parcels: readonly number[]): Settled {
  let current = start;
  for (const parcel of parcels) {
    for (let round = 0; round < MOST_ROUNDS && !session.over(); round++) {
      const costPerGas = gasInBought(session, goal, current);
      const worth = current.sellAmount * priceOf(current, session.source);
      const columns = findColumns(session, current, parcel * worth).filter(
        (column) => column.profit > gasOf(column.edges) * costPerGas + LEAST_PROGRESS * worth,
      );
      const next = grow(session, goal, current, columns);
      if (next === undefined || !isBetter(session, goal, next, current)) break;
      const progress = netOf(session, goal, next) - netOf(session, goal, current);
      const done = next.stuck === 0 && current.stuck === 0 && progress < LEAST_PROGRESS * amountOf(goal, next);
      current = next;
      if (done) break;
    }
  }
  return current;
}

/** The flow over as many of these edges as go together, the first ones first, pruned. */
function flowOver(
  session: Session,
  goal: Goal,
  current: Settled,
  edges: readonly Edge[],
  start: ReadonlyMap<number, number>,
): Settled | undefined {
  const { source, sink } = session;
  const fitting = connected(withoutCycles(edges, source, sink), source, sink);
  const settled = settle(session, fitting, current.sellAmount, start);
  return settled && resize(session, goal, prune(session, goal, resize(session, goal, settled, 4)), 12);
}

/** How amounts are rounded that integers have yet to find: not at all. */
const unrounded = (amount: number) => amount;

/** The best single path for the goal's amount. */
export function startingFlow(session: Session, goal: Goal): Settled | undefined {
  // Where nothing comes out, integers say so on the path that would be the best.
  if (goal.kind === "sell")
    return (
      settlePath(session, goal.amount, goal.costPerGas, undefined) ??
      settlePath(session, goal.amount, goal.costPerGas, unrounded)
    );
  const probe = bestPath(session, 1, 0, unrounded);
  if (probe === undefined) return undefined;
  let sellAmount = goal.amount / probe.buyAmount;
  let settled: Settled | undefined;
  for (let attempt = 0; attempt < 40; attempt++) {
    const costPerGas = (goal.costPerGas * goal.amount) / sellAmount;
    settled = settlePath(session, sellAmount, costPerGas, unrounded);
    if (settled === undefined) return undefined;
    if (Math.abs(settled.buyAmount / goal.amount - 1) < 1e-6 || settled.stuck > 0) return settled;
    const missing = (goal.amount - settled.buyAmount) / priceOf(settled, session.source);
    sellAmount = Math.min(Math.max(sellAmount + missing, sellAmount / 4), sellAmount * 4);
  }
  return settled;
}

function settlePath(
  session: Session,
  sellAmount: number,
  costPerGas: number,
  rounding: ((amount: number) => number) | undefined,
): Settled | undefined {
  const path = bestPath(session, sellAmount, costPerGas, rounding);
  if (path === undefined) return undefined;
  const start = new Map<number, number>();
  const rates: number[] = [];
  let amount = sellAmount;
  for (const edge of path.edges) {
    rates.push(edge.curve.marginalRate(amount));
    amount = edge.curve.buyAmountFor(amount);
  }
  let logPrice = 0;
  for (let i = path.edges.length - 1; i >= 0; i--) {
    logPrice += Math.log(rates[i] as number);
    start.set((path.edges[i] as Edge).from, logPrice);
  }
  return settle(session, path.edges, sellAmount, start);
}

/** The flow with as many of the columns as go together, the best first, pruned; undefined when none fits. */
function grow(session: Session, goal: Goal, current: Settled, columns: readonly Column[]): Settled | undefined {
  const edges = [...current.support.edges];
  const pools = new Set(edges.map((edge) => edge.pool));
  const start = new Map(current.logPrices);
  let taken = 0;
  for (const column of columns) {
    if (taken >= COLUMNS_AT_ONCE) break;
    if (column.edges.some((edge) => pools.has(edge.pool))) continue;
    const support = supportOf([...edges, ...column.edges], session.source, session.sink);
    if (support === undefined || tooFar(session, support).size > 0) continue;
    for (const edge of column.edges) {
      edges.push(edge);
      pools.add(edge.pool);
    }
    for (const [node, logPrice] of column.logPrices) if (!start.has(node)) start.set(node, logPrice);
    taken++;
  }
  if (taken === 0) return undefined;
  const settled = settle(session, edges, current.sellAmount, start);
  return settled && prune(session, goal, resize(session, goal, settled, 2));
}

/**
 * Drops edges that earn less than their gas, half of them at once as long as that helps, then what saves most first;
 * and the least ones beyond the limit of fills.
 */
function prune(session: Session, goal: Goal, settled: Settled): Settled {
  let current = uncrowd(session, goal, settled);
  while (!session.over()) {
    const costPerGas = gasInBought(session, goal, current);
    if (costPerGas === 0) break;
    let best = current;
    const groups = groupsOf(session, current, costPerGas).filter(({ saving }) => saving > 0);
    if (groups.length > GROUPS_TRIED) {
      const half = groups.slice(0, Math.ceil(groups.length / 2)).flatMap((group) => group.edges);
      const next = without(session, goal, current, new Set(half));
      if (next !== undefined && next.stuck <= current.stuck && isBetter(session, goal, next, best)) {
        current = next;
        continue;
      }
    }
    for (const group of groups.slice(0, GROUPS_TRIED)) {
      const next = without(session, goal, current, new Set(group.edges));
      if (next !== undefined && next.stuck <= current.stuck && isBetter(session, goal, next, best)) best = next;
    }
    if (best === current) break;
    current = best;
  }
  return current;
}

/** Leaves out the edges that earn least, half of what is too many at a time. */
function uncrowd(session: Session, goal: Goal, settled: Settled): Settled {
  let current = settled;
  for (;;) {
    const excess = current.support.edges.length - goal.maxFills;
    if (excess <= 0) return current;
    // Out of budget: all that is too many at once.
    const most = session.over() ? excess : Math.ceil(excess / 2);
    const dropped = new Set<Edge>();
    for (const { edges } of groupsOf(session, current, 0)) {
      if (dropped.size >= most) break;
      for (const edge of edges) dropped.add(edge);
    }
    const next = without(session, goal, current, dropped);
    if (next === undefined) return current;
    current = next;
  }
}

function without(session: Session, goal: Goal, current: Settled, dropped: ReadonlySet<Edge>): Settled | undefined {
  const rest = connected(
    current.support.edges.filter((edge) => !dropped.has(edge)),
    session.source,
    session.sink,
  );
  if (rest.length === 0) return undefined;
  const settled = settle(session, rest, current.sellAmount, current.logPrices);
  return settled && resize(session, goal, settled, 2);
}

/** Every edge with all that hangs on it alone, and what leaving these out may save: their gas less the least loss. */
function groupsOf(
  session: Session,
  { support, profits }: Settled,
  costPerGas: number,
): { edge: Edge; edges: readonly Edge[]; saving: number }[] {
  const { edges } = support;
  const profit = new Map(edges.map((edge, i) => [edge, profits[i] as number]));
  const around = neighboursOf(edges);
  return edges
    .map((edge) => {
      const group = hangingOn(session, around, edge);
      const saving = group.reduce((sum, gone) => sum + gone.gas * costPerGas - (profit.get(gone) as number), 0);
      return { edge, edges: group, saving };
    })
    .filter((group) => group.edges.length < edges.length)
    .sort((a, b) => b.saving - a.saving);
}

/** Edges by the node that they leave, and by the one that they enter. */
interface Neighbours {
  readonly leaving: ReadonlyMap<number, readonly Edge[]>;
  readonly entering: ReadonlyMap<number, readonly Edge[]>;
}

function neighboursOf(edges: readonly Edge[]): Neighbours {
  const leaving = new Map<number, Edge[]>();
  const entering = new Map<number, Edge[]>();
  for (const edge of edges) {
    const [out, into] = [leaving.get(edge.from), entering.get(edge.to)];
    if (out === undefined) leaving.set(edge.from, [edge]);
    else out.push(edge);
    if (into === undefined) entering.set(edge.to, [edge]);
    else into.push(edge);
  }
  return { leaving, entering };
}

/** An edge and the edges that lie on no path without it. */
function hangingOn({ source, sink }: Session, { leaving, entering }: Neighbours, first: Edge): Edge[] {
  const gone = new Set([first]);
  const allGone = (edges: readonly Edge[] = []) => edges.every((edge) => gone.has(edge));
  for (const { from, to } of gone) {
    if (from !== source && allGone(leaving.get(from))) for (const edge of entering.get(from) ?? []) gone.add(edge);
    if (to !== sink && allGone(entering.get(to))) for (const edge of leaving.get(to) ?? []) gone.add(edge);
  }
  return [...gone];
}

/** For an amount to buy: sells more or less until the flow pays just that. */
function resize(session: Session, goal: Goal, settled: Settled, attempts: number): Settled {
  if (goal.kind === "sell") return settled;
  let current = settled;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const missing = goal.amount - current.buyAmount;
    if (Math.abs(missing) <= 1e-10 * goal.amount) return current;
    const wanted = current.sellAmount + missing / priceOf(current, session.source);
    const sellAmount = Math.min(Math.max(wanted, current.sellAmount / 4), current.sellAmount * 4);
    const next = settle(session, current.support.edges, sellAmount, current.logPrices);
    if (next === undefined || next.stuck > 0) return current;
    current = next;
  }
  return current;
}
