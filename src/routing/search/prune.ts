import type { Edge } from "../edges/edges.ts";
import { amountOf, gasesOf, gasInBought, isBetter, isDone, netOf, priceOf, resize, solveGoal } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { connected, type Support, withoutCycles } from "../flow/support.ts";
import { closeEnough, type Search } from "../session/search.ts";

/** Choices of single groups to leave out, those that promise most, that are tried in vain. */
const MAX_VAIN = 5;
/** Promise of leaving a group out from which it is tried, as a part of the trade's value. */
const MAX_LEFT = 1e-6;
/** Edges, for each that may stay, up to which it is worked out what the rest asks for without one. */
const WEIGHED = 4;
/** Part of the amount that a loss by fewer edges has to reach for another choice of edges to be tried. */
const VISIBLE = 2e-6;
/** Factors of the apparent loss that edges may lose if nothing else depends on them, and several if none on another. */
const MUCH_MORE = 4;
const MORE = 1.5;
/** Choices of edges that are tried for one that loses no more than that. */
const MAX_CHOICES = 24;
/** Part of its steps from which on a search takes the first choice that leaves nothing undone: what is so costly is not made perfect. */
const DEAR = 1 / 2;

/**
 * Drops edges that earn less than their gas, those that promise most first: half of them at once, fewer where that does not help,
 * then one by one; and the least ones beyond the limit of fills. `weighs`: see fitFillLimit.
 */
export function prune(search: Search, solved: Split, weighs = true): Split {
  let current = fitFillLimit(search, solved, weighs);
  let known: readonly Group[] | undefined;
  const vain = new Set<Edge>();
  let most = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < MAX_VAIN && !search.over(); ) {
    const costPerGas = gasInBought(search, current);
    if (costPerGas === 0) break;
    const least = Math.min(MAX_LEFT, closeEnough(search)) * current.sellAmount * priceOf(current, search.source);
    known ??= groupsOf(search, current, costPerGas);
    const groups = apart(most > 1 ? known : known.filter(({ saving }) => saving > least), vain);
    if (groups.length === 0) break;
    most = Math.min(most, Math.ceil(groups.length / 2));
    const chosen = groups.slice(0, most);
    const next = relieved(search, current, edgesOf(chosen));
    if (next !== undefined && isBetter(search, next, current)) {
      current = next;
      known = undefined;
      tried = 0;
    } else if (most > 1) most = Math.floor(most / 2);
    else {
      for (const { edge } of chosen) vain.add(edge);
      tried++;
    }
  }
  return current;
}

/**
 * The flow without some of its edges; undefined where more finds no room, or once prices prove it worth less
 * than the flow, each edge that stays with its gas at the least.
 */
function relieved(search: Search, flow: Split, dropped: ReadonlySet<Edge>): Split | undefined {
  let better = search;
  if (isDone(search, flow)) {
    const gas = flow.support.edges.reduce((sum, edge) => sum + (dropped.has(edge) ? 0 : edge.gas), 0);
    better = { ...search, least: netOf(search, flow) + gas * search.costPerGas };
  }
  const next = without(better, flow, dropped);
  return next !== undefined && next.stuck <= flow.stuck ? next : undefined;
}

/**
 * The flow over no more edges than a route may have: without those that earn least, half of what is too many at a time.
 * `weighs`: those whose loss is least, with what the rest then asks for more, unless they are far too many. Fewer go at once where
 * they lose far more than they seem to; single ones that do, such as those that others need to be near enough, stay.
 */
export function fitFillLimit(search: Search, solved: Split, weighs = true): Split {
  const isWeighed = weighs && solved.support.edges.length <= WEIGHED * search.maxFills;
  let current = solved;
  let limit = Number.POSITIVE_INFINITY;
  const staying = new Set<Edge>();
  for (let choices = 1; ; choices++) {
    const excess = current.support.edges.length - search.maxFills;
    if (excess <= 0) return current;
    const isCareful = isWeighed && choices < MAX_CHOICES && isDone(search, current) && !search.over();
    const groups = isCareful ? byLoss(search, current) : groupsOf(search, current, 0);
    // Out of budget: all that is too many at once.
    const chosen = apart(groups, staying, search.over() ? excess : Math.ceil(excess / 2)).slice(0, limit);
    const next = chosen.length === 0 ? undefined : without(search, current, edgesOf(chosen));
    if (next !== undefined && (!isCareful || losesLittle(search, current, next, chosen))) {
      current = next;
      limit = Number.POSITIVE_INFINITY;
      choices = 0;
    } else if (chosen.length > 1) limit = Math.floor(chosen.length / 2);
    else if (chosen.length === 1) {
      for (const edge of edgesOf(chosen)) staying.add(edge);
      limit = Number.POSITIVE_INFINITY;
    } else if (!isCareful) return current;
    else {
      staying.clear();
      choices = MAX_CHOICES;
    }
  }
}

/** Whether a flow without these groups does all of the trade, and loses little more than they seem to. */
function losesLittle(search: Search, flow: Split, next: Split, chosen: readonly Group[]): boolean {
  if (search.spent() > DEAR && isDone(search, next)) return true;
  // Losses come in bought units, and are compared in those that the goal leaves open.
  const unit = search.side === "exactOut" ? 1 / priceOf(flow, search.source) : 1;
  const expected = chosen.reduce((sum, { saving }) => sum - saving * unit, 0);
  const room = (chosen.length > 1 ? MORE : MUCH_MORE) * expected + VISIBLE * amountOf(search, flow);
  return netOf(search, next) >= netOf(search, flow) - room;
}

/** The groups of a flow by what it loses without them, those that lose least for each edge first. */
function byLoss(search: Search, flow: Split): readonly Group[] {
  const losses = new Map(lossesWithout(flow).map((loss, i) => [flow.support.edges[i] as Edge, loss]));
  // A full pool makes a group costly, though it goes as well: pools are exchanged for others later, and more of them are found
  // where a full one holds its place.
  return groupsOf(search, flow, 0)
    .map((group) => ({ ...group, saving: -Math.max(...group.edges.map((edge) => losses.get(edge) as number)) }))
    .sort((a, b) => b.saving / b.edges.length - a.saving / a.edges.length);
}

/** The first of these groups, up to about `most` edges, that have no edge in common, and none that stays. */
function apart(
  groups: readonly Group[],
  staying: ReadonlySet<Edge>,
  most = Number.POSITIVE_INFINITY,
): readonly Group[] {
  const met = new Set(staying);
  return groups.filter(({ edges }) => {
    if (met.size - staying.size >= most || edges.some((edge) => met.has(edge))) return false;
    for (const edge of edges) met.add(edge);
    return true;
  });
}

function edgesOf(groups: readonly Group[]): ReadonlySet<Edge> {
  return new Set(groups.flatMap(({ edges }) => edges));
}

/** Change of a rate that a slope is measured by, as a part, and the slope that stands for none. */
const RATE_STEP = 1e-3;
const NO_SLOPE = 1e-300;

/**
 * Estimated loss of a flow without each of its edges, in bought units: the edge's earnings, and half of what the rest asks for more per
 * unit once it carries the edge's part. The other edges at both ends tell that, by the slopes of their sold amounts by the logarithm of
 * their rates. A deep pool that is the only one of its kind earns little and is costly to replace.
 */
export function lossesWithout(flow: Split): number[] {
  const { edges, order, from, to } = flow.support;
  const around = order.map(() => 0);
  const slopes = edges.map(({ curve, from: node }, i) => {
    const sell = flow.sells[i] as number;
    const further = Math.min(curve.maxSell, curve.sellAmountAtRate(curve.marginalRate(sell) * (1 - RATE_STEP)));
    const slope = (Math.max(0, further - sell) / RATE_STEP) * priceOf(flow, node);
    around[from[i] as number]! += slope;
    around[to[i] as number]! += slope;
    return slope;
  });
  return edges.map((edge, i) => {
    const value = (flow.sells[i] as number) * priceOf(flow, edge.from);
    const rise = (at: number) => 1 / Math.max(NO_SLOPE, (around[at] as number) - (slopes[i] as number));
    const rises = rise(from[i] as number) + rise(to[i] as number);
    return (flow.profits[i] as number) + 0.5 * value * value * rises;
  });
}

/** A flow without some of its edges; undefined where nothing leads to the sink then. */
export function without(search: Search, current: Split, dropped: ReadonlySet<Edge>): Split | undefined {
  const rest = connected(search, current.support.edges, dropped);
  if (rest.length === 0) return undefined;
  const solved = solveGoal(search, rest, current.sellAmount, current.logPrices);
  return solved && resize(search, solved, 2);
}

/** The flow over as many of these edges as go together, the first ones first, pruned. */
export function flowOver(
  search: Search,
  sellAmount: number,
  edges: readonly Edge[],
  start: ReadonlyMap<number, number>,
): Split | undefined {
  const { source, sink } = search;
  const fitting = connected(search, withoutCycles(edges, source, sink));
  const solved = solveGoal(search, fitting, sellAmount, start);
  return solved && resize(search, prune(search, resize(search, solved, 4)), 12);
}

/** An edge with all that hangs on it alone, and what leaving these out may save. */
export interface Group {
  readonly edge: Edge;
  readonly edges: readonly Edge[];
  readonly saving: number;
}

/**
 * Every edge with all that hangs on it alone, and what leaving these out may save: their gas less the least loss. Where gas
 * costs something, those alone that save something; the ones that save most first.
 */
function groupsOf(search: Search, flow: Split, costPerGas: number): Group[] {
  const { support, profits } = flow;
  const { edges } = support;
  const gases = costPerGas > 0 ? gasesOf(search, flow) : undefined;
  const hangingOn = hangingEdges(search, support);
  const groups: Group[] = [];
  for (let first = 0; first < edges.length; first++) {
    const group = hangingOn(first);
    if (group.length === edges.length) continue;
    let saving = 0;
    for (const gone of group) saving += (gases?.[gone] ?? 0) * costPerGas - (profits[gone] as number);
    if (costPerGas > 0 && !(saving > 0)) continue;
    groups.push({ edge: edges[first] as Edge, edges: group.map((gone) => edges[gone] as Edge), saving });
  }
  return groups.sort((a, b) => b.saving - a.saving);
}

/**
 * By an edge's position the positions of it and of the edges that lie on no path without it, in a list that lasts until the
 * next one is asked for.
 */
function hangingEdges({ sink }: Search, { edges, order, from, to, leaving }: Support) {
  const entering: number[][] = order.map(() => []);
  for (let i = 0; i < edges.length; i++) (entering[to[i] as number] as number[]).push(i);
  /** Number of remaining edges of each place. The sink needs none that leave it, the source none that enter it. */
  const leave = leaving.map((list, at) => (at === 0 ? Number.POSITIVE_INFINITY : list.length));
  const enter = entering.map((list, at) => (order[at] === sink ? Number.POSITIVE_INFINITY : list.length));
  /** The edge that one was last gone with. */
  const goneWith = edges.map(() => -1);
  const gone: number[] = [];
  const drop = (i: number, first: number) => {
    if (goneWith[i] === first) return;
    goneWith[i] = first;
    gone.push(i);
    leave[from[i] as number]! -= 1;
    enter[to[i] as number]! -= 1;
  };
  return (first: number): readonly number[] => {
    gone.length = 0;
    drop(first, first);
    for (let at = 0; at < gone.length; at++) {
      const i = gone[at] as number;
      const [before, behind] = [from[i] as number, to[i] as number];
      if (leave[before] === 0) for (const other of entering[before] as number[]) drop(other, first);
      if (enter[behind] === 0) for (const other of leaving[behind] as readonly number[]) drop(other, first);
    }
    for (const i of gone) {
      leave[from[i] as number]! += 1;
      enter[to[i] as number]! += 1;
    }
    return gone;
  };
}
