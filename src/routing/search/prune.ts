import type { Edge } from "../edges/edges.ts";
import { amountOf, gasInBought, isBetter, isDone, isShort, netOf, priceOf, resize, settleGoal } from "../flow/goal.ts";
import { reroutingLosses } from "../flow/rerouting.ts";
import type { Settled } from "../flow/settled.ts";
import { withoutEdges } from "../flow/support.ts";
import { widestPaths } from "../paths/widest-paths.ts";
import { closeEnough, type Search } from "../session/search.ts";
import { type Group, groupsOf } from "./edges-hanging.ts";

/** Groups of edges, those that promise most, that are left out by way of trial. */
const GROUPS_TRIED = 5;
/** What leaving a group out has to promise at most for it to be tried, as a part of the trade's value. */
const MOST_LEFT = 1e-6;
/** How many times fewer edges a flow over too many is solved with next. */
const THINNED = 3;
/** Edges, for each that may stay, up to which it is worked out what the rest asks for without one. */
const WEIGHED = 4;
/** Part of the amount that a loss by fewer edges has to reach for another choice of edges to be tried. */
const VISIBLE = 2e-6;
/** How many times what they seem to lose edges may lose for nothing else to depend on them, and several for none on another. */
const MUCH_MORE = 4;
const MORE = 1.5;
/** Choices of edges that are tried for one that loses no more than that. */
const MOST_CHOICES = 24;
/** Part of its steps from which on a search takes the first choice that leaves nothing undone: what is so dear is not made perfect. */
const DEAR = 1 / 2;

/**
 * Drops edges that earn less than their gas, many of them at once as long as that helps, then what saves most first;
 * and the least ones beyond the limit of fills. `weighs`: what the rest loses without each is worked out for that; else what
 * each earns says which.
 */
export function prune(search: Search, settled: Settled, weighs = true): Settled {
  let current = uncrowd(search, settled, weighs);
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
function withoutMany(search: Search, flow: Settled, groups: readonly Group[]): Settled | undefined {
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
  flow: Settled,
  groups: readonly Group[],
  needed: Map<Edge, number>,
): Settled | undefined {
  const sellPrice = priceOf(flow, search.source);
  const unit = search.side === "exactIn" ? 1 : sellPrice;
  const net = netOf(search, flow);
  const promising = distinct(groups)
    .map((group) => ({ ...group, promise: group.saving - (needed.get(group.edge) ?? 0) }))
    .sort((a, b) => b.promise - a.promise)
    .slice(0, GROUPS_TRIED);
  let most = Math.min(MOST_LEFT, closeEnough(search)) * flow.sellAmount * sellPrice;
  let best: Settled | undefined;
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
function relieved(search: Search, flow: Settled, dropped: ReadonlySet<Edge>): Settled | undefined {
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
 * The flow over no more edges than a route may have: without what earns least, or, where far more is too many than may
 * stay, over its widest paths, unless these bring visibly less than the other way.
 */
export function uncrowd(search: Search, settled: Settled, weighs = true): Settled {
  const { length } = settled.support.edges;
  const carefully = weighs && length <= WEIGHED * search.maxFills;
  if (length <= THINNED * search.maxFills) return withoutLeast(search, settled, carefully);
  const wide = withoutLeast(search, overWidestPaths(search, settled), carefully);
  const ratio = amountOf(search, wide) / amountOf(search, settled);
  if (search.over() || Math.abs(ratio - 1) <= VISIBLE) return wide;
  const earning = withoutLeast(search, settled, carefully);
  return isBetter(search, earning, wide) ? earning : wide;
}

/** Keeps the widest paths, some times fewer edges at a time. */
function overWidestPaths(search: Search, settled: Settled): Settled {
  let current = settled;
  while (current.support.edges.length > search.maxFills) {
    const { edges } = current.support;
    const kept = new Set(widestPaths(search, current, Math.max(search.maxFills, Math.floor(edges.length / THINNED))));
    const next = without(search, current, new Set(edges.filter((edge) => !kept.has(edge))));
    // A path that is longer than a route may be is as short as it gets.
    if (next === undefined || next.support.edges.length >= edges.length) break;
    current = next;
  }
  return current;
}

/**
 * Leaves out the edges that earn least, `carefully` those that lose least, half of what is too many at a time, as long as
 * something is left without them.
 */
function withoutLeast(search: Search, settled: Settled, carefully: boolean): Settled {
  let current = settled;
  const staying = new Set<Edge>();
  for (;;) {
    const excess = current.support.edges.length - search.maxFills;
    if (excess <= 0) return current;
    // Out of budget: all that is too many at once.
    const most = search.over() ? excess : Math.ceil(excess / 2);
    const careful = carefully && isDone(search, current) && !search.over();
    const left = careful ? leaveOut(search, current, most, staying) : undefined;
    if (left !== undefined) {
      current = left;
      continue;
    }
    const dropped = new Set<Edge>();
    for (const { edges } of groupsOf(search, current, 0)) {
      if (dropped.size >= most) break;
      for (const edge of edges) dropped.add(edge);
    }
    const next = dropped.size === 0 ? undefined : without(search, current, dropped);
    if (next === undefined) return overWidestPaths(search, current);
    current = next;
  }
}

/**
 * The flow without about `most` touches, those that lose least for each. Edges that lose far more than they seem to, such as
 * those that others need to be near enough, are noted in `staying` and stay, as do those that are there.
 */
function leaveOut(search: Search, flow: Settled, most: number, staying: Set<Edge>): Settled | undefined {
  // Losses come in bought units, and are compared in those that the goal leaves open.
  const unit = search.side === "exactOut" ? 1 / priceOf(flow, search.source) : 1;
  const { edges: all } = flow.support;
  const losses = new Map(reroutingLosses(flow).map((loss, i) => [all[i] as Edge, loss]));
  // A full pool makes a group dear, though it goes as well: pools are exchanged for others later, and more of them are found
  // where a full one holds its place.
  const groups = groupsOf(search, flow, 0)
    .map(({ edges }) => ({ edges, loss: Math.max(...edges.map((edge) => losses.get(edge) as number)) }))
    .sort((a, b) => a.loss / a.edges.length - b.loss / b.edges.length);
  const isSound = isDone(search, flow);
  const net = netOf(search, flow);
  let limit = groups.length;
  for (let attempt = 1; ; attempt++) {
    const dropped = new Set<Edge>();
    let [taken, touches, expected] = [0, 0, 0];
    for (const group of groups) {
      if (touches >= most || taken >= limit) break;
      if (group.edges.some((edge) => staying.has(edge) || dropped.has(edge))) continue;
      for (const edge of group.edges) dropped.add(edge);
      touches += group.edges.length;
      expected += group.loss * unit;
      taken++;
    }
    if (taken === 0) return undefined;
    const least = net - (taken > 1 ? MORE : MUCH_MORE) * expected - VISIBLE * amountOf(search, flow);
    // The last choice is taken whatever it loses, as is the first one of a search that has cost much.
    const isChoosy = isSound && attempt < MOST_CHOICES && search.spent() <= DEAR && !search.over();
    const next = without(isChoosy ? { ...search, least } : search, flow, dropped);
    if (attempt === MOST_CHOICES || search.over()) return next;
    const fails = next === undefined || next.stuck > flow.stuck || (isShort(search, next) && !isShort(search, flow));
    if (search.spent() > DEAR && !fails) return next;
    if (next !== undefined && netOf(search, next) >= least) return next;
    limit = Math.floor(taken / 2);
    if (taken > 1) continue;
    for (const edge of dropped) staying.add(edge);
    limit = groups.length;
  }
}

/** A flow without some of its edges; undefined where nothing leads to the sink then. */
export function without(search: Search, current: Settled, dropped: ReadonlySet<Edge>): Settled | undefined {
  const rest = withoutEdges(search, current.support, dropped);
  if (rest.length === 0) return undefined;
  const settled = settleGoal(search, rest, current.sellAmount, current.logPrices);
  return settled && resize(search, settled, 2);
}
