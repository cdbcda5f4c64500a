import type { Edge } from "../edges/edges.ts";
import type { Search } from "../session/search.ts";
import { type Flow, solveFlow } from "./flow.ts";
import type { Trade } from "./flow-dual.ts";
import { placeFlow } from "./place-flow.ts";
import { MovedEdges, passedOn, poolUsesOf, sharedPools, usedAsAllowed } from "./pool-uses.ts";
import { connected, type Support, supportOf, tooFar } from "./support.ts";

/** A trade split best over a support. All numbers are floats; amounts in base units. */
export interface Split {
  readonly support: Support;
  readonly sellAmount: number;
  /** Amount bought when the flow is carried out in order, with every unit placed. */
  readonly buyAmount: number;
  /** Part of the sold amount that found no room, in sold units; 0 for a feasible trade. */
  readonly stuck: number;
  /** Amount that each edge of the support sells. */
  readonly sells: readonly number[];
  /** Lower bound of the loss without one edge, by edge, in bought units. */
  readonly profits: readonly number[];
  readonly logPrices: ReadonlyMap<number, number>;
}

/** Limit on re-splits over pools that uses move, and relative change of the proceeds at which they stop. */
const MAX_REBALANCED = 8;
const STEADY = 1e-7;
/** Part of the way to the next split that uses are taken to go: pairs of one pool answer each other. */
const STRIDE = 0.7;
/** Part of a token's flow below which an edge is left out: shares are parts of 10^9. */
const MIN_SHARE = 2e-9;
/** Part of what a pool takes at most that counts as all of it. */
const FULL = 0.999;

/**
 * Splits a trade best over `edges`, which form no cycle and lie on paths from the source to the sink, leaving out those that
 * get nothing. Undefined where there are none, or where prices prove that they bring less than the trade has to; edges that
 * lie on no path within the limit of hops are left out. What a flow pays is near an amount to buy, or as much as prices that
 * rise far bring.
 */
export function solveSplit(
  search: Search,
  wanted: readonly Edge[],
  trade: Trade,
  start: ReadonlyMap<number, number>,
): Split | undefined {
  const allowed = usedAsAllowed(search, wanted);
  const edges = allowed.length === wanted.length ? wanted : connected(search, allowed);
  if (edges.length === 0) return undefined;
  const solved = split(search, edges, trade, start);
  const isShared = solved !== undefined && solved.support.shared.size > 0;
  return isShared ? rebalance(search, edges, solved) : solved;
}

/** Splits again with pools of several tokens as the pool uses of the last split leave them, until that changes nothing. */
function rebalance(search: Search, all: readonly Edge[], first: Split): Split {
  const rest = connected(search, all, passedOn(soldBy(first)));
  const edges = rest.length === 0 ? all : rest;
  let best = first;
  let last = first;
  let sells = first.sells;
  for (let round = 0; round < MAX_REBALANCED && !search.over(); round++) {
    const next = splitBeside(search, edges, last, sells);
    // With pools full, their payments are not the question.
    if (next === undefined || (next.stuck > 0 && next.stuck >= best.stuck)) break;
    if (next.stuck < best.stuck || (next.stuck === best.stuck && next.buyAmount > best.buyAmount)) best = next;
    if (Math.abs(next.buyAmount / last.buyAmount - 1) < STEADY) break;
    const before = soldBy({ ...last, sells });
    sells = next.support.edges.map(
      (edge, i) => STRIDE * (next.sells[i] as number) + (1 - STRIDE) * (before.get(edge) ?? 0),
    );
    last = next;
  }
  return best;
}

/** A flow's trade over edges, those of shared pools as the uses of the flow, which sell so much, leave these beside them. */
function splitBeside(search: Search, edges: readonly Edge[], flow: Split, sells: readonly number[]): Split | undefined {
  const shared = sharedPools(edges);
  const uses = poolUsesOf(flow.support, sells).filter(({ edge }) => shared.has(edge.pool));
  const trade: Trade = { side: "exactIn", amount: flow.sellAmount };
  return split(search, edges, trade, flow.logPrices, new MovedEdges(search, uses));
}

/** A flow scaled to an amount, all parts in proportion. */
export function scaleFlow(
  search: Search,
  flow: Pick<Split, "support" | "sells" | "profits" | "logPrices">,
  sellAmount: number,
): Split {
  search.work.steps += flow.sells.length;
  return { ...flow, sellAmount, ...placeFlow(search, flow.support, sellAmount, flow.sells) };
}

/** A trade over edges, as other pool uses have `moved` them. Undefined as `solveSplit` is. */
function split(
  search: Search,
  edges: readonly Edge[],
  trade: Trade,
  start: ReadonlyMap<number, number>,
  moved?: MovedEdges,
): Split | undefined {
  const own = moved === undefined ? edges : edges.map((edge) => moved.of(edge));
  const flow = solveFlow(search, { edges: own }, trade, start);
  if (trade.least !== undefined && flow.value < trade.least) {
    search.work.steps += edges.length;
    return undefined;
  }
  const used = usedBy(search, edges, flow);
  const kept = used.length === edges.length ? used : connected(search, used);
  const support = kept.length === 0 ? undefined : supportOf(search, kept);
  if (support === undefined) return undefined;
  const far = tooFar(search, support);
  if (far.size > 0) {
    const near = connected(search, kept, far);
    return near.length === 0 ? undefined : split(search, near, trade, flow.logPrices, moved);
  }
  const sells: number[] = [];
  const profits: number[] = [];
  // Those that are kept come in the same order.
  for (let i = 0; i < edges.length; i++) {
    if (edges[i] !== kept[sells.length]) continue;
    sells.push(flow.sells[i] as number);
    profits.push(flow.profits[i] as number);
  }
  const placed = scaleFlow(search, { support, sells, profits, logPrices: flow.logPrices }, flow.sellAmount);
  // If everything finds room these prices prove the flow, also in the middle of a gap in a pool's liquidity.
  return placed.stuck > 0 ? { ...placed, logPrices: lifted(search, placed, moved) } : placed;
}

/** The edges that a flow gives more than dust; at a token of which floats see no flow at all, the one at the best price. */
function usedBy({ workspace }: Search, edges: readonly Edge[], { sells, logPrices }: Flow): readonly Edge[] {
  const total = workspace.amounts;
  for (let i = 0; i < edges.length; i++) total[(edges[i] as Edge).from]! += sells[i] as number;
  const used = edges.filter((edge, i) => {
    const all = total[edge.from] as number;
    return (sells[i] as number) > MIN_SHARE * all || (all === 0 && edge === cheapest(edges, edge.from, logPrices));
  });
  for (const { from } of edges) total[from] = 0;
  return used;
}

/**
 * The prices, none lower than what one more unit would bring: where every way on is full, the dual knows no price above
 * zero, and the next solution should not have to climb back from there.
 */
function lifted({ sink }: Search, { support, sells, logPrices }: Split, moved?: MovedEdges): Map<number, number> {
  const prices = new Map(logPrices);
  const { edges, order } = support;
  const isRoomy = (i: number) => (sells[i] as number) < FULL * (edges[i] as Edge).curve.maxSell;
  for (let at = order.length - 1; at >= 0; at--) {
    const node = order[at] as number;
    if (node === sink) continue;
    const leaving = support.leaving[at] as readonly number[];
    const roomy = leaving.filter(isRoomy);
    let least = Number.NEGATIVE_INFINITY;
    for (const i of roomy.length > 0 ? roomy : leaving) {
      const edge = edges[i] as Edge;
      const { curve } = moved?.of(edge) ?? edge;
      const rate = curve.marginalRate(Math.min(sells[i] as number, FULL * edge.curve.maxSell));
      least = Math.max(least, Math.log(rate) + (prices.get(edge.to) as number));
    }
    prices.set(node, Math.max(prices.get(node) as number, least));
  }
  return prices;
}

/** The edge that leaves a node at the best price. */
function cheapest(edges: readonly Edge[], node: number, logPrices: ReadonlyMap<number, number>): Edge | undefined {
  let best: Edge | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const edge of edges) {
    if (edge.from !== node) continue;
    const worth = Math.log(edge.spot) + (logPrices.get(edge.to) as number);
    if (worth <= most) continue;
    best = edge;
    most = worth;
  }
  return best;
}

/** Limit on re-splits, and relative gain that each must bring. */
const MAX_ROUNDS = 16;
const MIN_GAIN = 1e-9;
/** Part of the way to the next split below which there is none that pays more. */
const MIN_PART = 1 / 16;

/**
 * An exact-in trade over pools that its pool uses move, split until no further split pays more: that of curves that begin where all
 * other pool uses leave their pools tells which way more is paid, but goes too far where pairs of one pool answer each
 * other. Never pays less.
 */
export function resplit(search: Search, flow: Split): Split {
  const { shared, edges } = flow.support;
  let best = flow;
  for (let round = 0; round < MAX_ROUNDS && shared.size > 0 && best.stuck === 0 && !search.over(); round++) {
    const next = splitBeside(search, edges, best, best.sells);
    const better = next && onTheWay(search, best, next);
    if (better === undefined) break;
    const gain = better.buyAmount - best.buyAmount;
    best = better;
    if (gain < MIN_GAIN * best.buyAmount) break;
  }
  return best;
}

/** The first flow on the way from one to another that pays more, from the far end by halves; undefined when none does. */
function onTheWay(search: Search, from: Split, to: Split): Split | undefined {
  const pays = (flow: Split) => flow.stuck === 0 && flow.buyAmount > from.buyAmount;
  if (pays(to)) return to;
  const [before, after] = [soldBy(from), soldBy(to)];
  const edges = [...new Set([...before.keys(), ...after.keys()])];
  const support = supportOf(search, edges);
  if (support === undefined || tooFar(search, support).size > 0) return undefined;
  const profits = new Map(to.support.edges.map((edge, i) => [edge, to.profits[i] as number]));
  const way = { support, profits: edges.map((edge) => profits.get(edge) ?? 0), logPrices: to.logPrices };
  for (let part = 0.5; part >= MIN_PART && !search.over(); part /= 2) {
    const sells = edges.map((edge) => part * (after.get(edge) ?? 0) + (1 - part) * (before.get(edge) ?? 0));
    const next = scaleFlow(search, { ...way, sells }, from.sellAmount);
    if (pays(next)) return next;
  }
  return undefined;
}

function soldBy({ support, sells }: Split): Map<Edge, number> {
  return new Map(support.edges.map((edge, i) => [edge, sells[i] as number]));
}
