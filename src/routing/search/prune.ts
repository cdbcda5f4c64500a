import type { Edge } from "../edges/edges.ts";
import {
  amountOf,
  gasesOf,
  gasInBought,
  isBetter,
  isDone,
  isShort,
  netOf,
  priceOf,
  resize,
  solveGoal,
} from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { connected, type Support, withoutCycles } from "../flow/support.ts";
import { closeEnough, type Search } from "../session/search.ts";

/** Groups of edges, those that promise most, that are left out by way of trial. */
const GROUPS_TRIED = 5;
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
 * Drops edges that earn less than their gas, many of them at once as long as that helps, then what saves most first;
 * and the least ones beyond the limit of fills. `weighs`: what the rest loses without each is worked out for that; else what
 * each earns says which.
 */
export function prune(search: Search, solved: Split, weighs = true): Split {
  let current = fitFillLimit(search, solved, weighs);
  const needed = new Map<Edge, number>();
  while (!search.over()) {
    const costPerGas = gasInBought(search, current);
    if (costPerGas === 0) break;
    const groups = groupsOf(search, current, costPerGas, 0);
    const fewer = withoutMany(search, current, groups) ?? withoutOne(search, current, groups, needed);
    if (fewer === undefined) break;
    current = fewer;
  }
  return current;
}

/** The flow without half of these groups, those that promise most, or half of these and so on, as soon as that is better. */
function withoutMany(search: Search, flow: Split, groups: readonly Group[]): Split | undefined {
  for (let most = Math.ceil(groups.length / 2); most > GROUPS_TRIED / 2; most = Math.floor(most / 2)) {
    const next = relieved(search, flow, new Set(groups.slice(0, most).flatMap(({ edges }) => edges)));
    if (next !== undefined && isBetter(search, next, flow)) return next;
  }
  return undefined;
}

/**
 * The flow without the group that saves most, of those that promise most; undefined where none does. `needed`: by a group's edge
 * what the rest was found to lose without it beyond what it earns, in bought units, which is noted there: that changes little
 * while others leave, so that a group in vain is not tried again and again.
 */
function withoutOne(
  search: Search,
  flow: Split,
  groups: readonly Group[],
  needed: Map<Edge, number>,
): Split | undefined {
  const sellPrice = priceOf(flow, search.source);
  const unit = search.side === "exactIn" ? 1 : sellPrice;
  const net = netOf(search, flow);
  const promising = distinct(groups)
    .map((group) => ({ ...group, promise: group.saving - (needed.get(group.edge) ?? 0) }))
    .sort((a, b) => b.promise - a.promise)
    .slice(0, GROUPS_TRIED);
  let most = Math.min(MAX_LEFT, closeEnough(search)) * flow.sellAmount * sellPrice;
  let best: Split | undefined;
  for (const { edge, edges, saving, promise } of promising) {
    if (promise <= most) break;
    const next = relieved(search, flow, new Set(edges));
    const saved = next === undefined ? Number.NEGATIVE_INFINITY : (netOf(search, next) - net) * unit;
    needed.set(edge, Math.max(0, saving - saved));
    if (next === undefined || !isBetter(search, next, best ?? flow)) continue;
    best = next;
    most = Math.max(most, saved);
  }
  return best;
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

/** Each of these groups once: one that hangs on an edge of another, while that hangs on one of its own, is the same. */
function distinct(groups: readonly Group[]): readonly Group[] {
  const lengths = new Map<Edge, number>();
  return groups.filter(({ edge, edges }) => {
    lengths.set(edge, edges.length);
    return edges.every((other) => other === edge || lengths.get(other) !== edges.length);
  });
}

/**
 * The flow over no more edges than a route may have: without those that earn least, half of what is too many at a time;
 * `weighs`: those whose loss is least, with what the rest then asks for more, unless they are far too many.
 */
export function fitFillLimit(search: Search, solved: Split, weighs = true): Split {
  const isWeighed = weighs && solved.support.edges.length <= WEIGHED * search.maxFills;
  let current = solved;
  const staying = new Set<Edge>();
  for (;;) {
    const excess = current.support.edges.length - search.maxFills;
    if (excess <= 0) return current;
    // Out of budget: all that is too many at once.
    const most = search.over() ? excess : Math.ceil(excess / 2);
    const careful = isWeighed && isDone(search, current) && !search.over();
    const left =
      (careful ? leaveOut(search, current, most, staying) : undefined) ??
      withoutLeast(search, current, most) ??
      withoutLeast(search, current, 1);
    if (left === undefined) return current;
    current = left;
  }
}

/** The flow without about `most` edges, those that earn least with all that hangs on them; undefined where nothing is left. */
function withoutLeast(search: Search, flow: Split, most: number): Split | undefined {
  const dropped = new Set<Edge>();
  for (const { edges } of groupsOf(search, flow, 0)) {
    if (dropped.size >= most) break;
    for (const edge of edges) dropped.add(edge);
  }
  return dropped.size === 0 ? undefined : without(search, flow, dropped);
}

/**
 * The flow without about `most` uses, those that lose least for each. Edges that lose far more than they seem to, such as
 * those that others need to be near enough, are noted in `staying` and stay, as do those that are there.
 */
function leaveOut(search: Search, flow: Split, most: number, staying: Set<Edge>): Split | undefined {
  // Losses come in bought units, and are compared in those that the goal leaves open.
  const unit = search.side === "exactOut" ? 1 / priceOf(flow, search.source) : 1;
  const { edges: all } = flow.support;
  const losses = new Map(lossesWithout(flow).map((loss, i) => [all[i] as Edge, loss]));
  // A full pool makes a group costly, though it goes as well: pools are exchanged for others later, and more of them are found
  // where a full one holds its place.
  const groups = groupsOf(search, flow, 0)
    .map(({ edges }) => ({ edges, loss: Math.max(...edges.map((edge) => losses.get(edge) as number)) }))
    .sort((a, b) => a.loss / a.edges.length - b.loss / b.edges.length);
  const net = netOf(search, flow);
  let limit = groups.length;
  for (let attempt = 1; ; attempt++) {
    const dropped = new Set<Edge>();
    let [taken, uses, expected] = [0, 0, 0];
    for (const group of groups) {
      if (uses >= most || taken >= limit) break;
      if (group.edges.some((edge) => staying.has(edge) || dropped.has(edge))) continue;
      for (const edge of group.edges) dropped.add(edge);
      uses += group.edges.length;
      expected += group.loss * unit;
      taken++;
    }
    if (taken === 0) return undefined;
    const least = net - (taken > 1 ? MORE : MUCH_MORE) * expected - VISIBLE * amountOf(search, flow);
    const next = without(search, flow, dropped);
    // The last choice is taken whatever it loses, as is the first one of a search that has cost much.
    if (attempt === MAX_CHOICES || search.over()) return next;
    const fails = next === undefined || next.stuck > flow.stuck || (isShort(search, next) && !isShort(search, flow));
    if (search.spent() > DEAR && !fails) return next;
    if (next !== undefined && netOf(search, next) >= least) return next;
    limit = Math.floor(taken / 2);
    if (taken > 1) continue;
    for (const edge of dropped) staying.add(edge);
    limit = groups.length;
  }
}

/** Change of a rate that a slope is measured by, as a part, and the slope that stands for none. */
const RATE_STEP = 1e-3;
const NO_SLOPE = 1e-300;

/**
 * Estimated loss of a flow without each of its edges, in bought units: the edge's earnings, and half of what the rest asks for more per
 * unit once it carries the edge's part. The other edges at both ends tell that, by the slopes of their sold amounts by the logarithm of
 * their rates. A deep pool that is the only one of its kind earns little and is costly to replace.
 */
function lossesWithout(flow: Split): number[] {
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
 * Every edge with all that hangs on it alone, and what leaving these out may save: their gas less the least loss. Those alone that save more than `least`, in bought units, where that is given;
 * the ones that save most first.
 */
function groupsOf(search: Search, flow: Split, costPerGas: number, least?: number): Group[] {
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
    if (least !== undefined && !(saving > least)) continue;
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
