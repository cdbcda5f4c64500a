import type { Address } from "../../domain/address.ts";
import { type Fill, fillsOf, type Route } from "../../domain/route.ts";
import { compare } from "../../math/full-math.ts";
import { apportion } from "./proportions.ts";

/** One way that part of a trade takes from the sold to the bought token. */
export interface RoutePath {
  readonly fills: readonly Fill[];
  /** Part of the sold amount (exact-out: of the bought amount), in parts of PATH_ONE. */
  readonly weight: bigint;
}

/** Denominator of path weights: fine enough to deal out 18 decimals afterwards. */
export const PATH_ONE = 10n ** 36n;

/** Bound on the pools of one path. */
export interface HopLimit {
  readonly most: number;
  /** Whether a fill counts: wrapping the native token does not. */
  counts(fill: Fill): boolean;
}

/**
 * The route's flow taken apart into paths, the widest first; ties go to the fills that stand earlier. Weights sum to
 * exactly PATH_ONE. A flow has no unique paths: this is the one that the API shows. With a limit, as little of the flow as
 * can be found passes more pools: where paths cross, a part of it may have to.
 */
export function pathsOf(route: Route, limit?: HopLimit): readonly RoutePath[] {
  const paths = widestPaths(weigh(route), route);
  return limit === undefined || paths.every((path) => isWithin(path, limit)) ? paths : shortPaths(route, limit);
}

/** Whether a path has no more pools than a limit. */
export function isWithin({ fills }: RoutePath, { most, counts }: HopLimit): boolean {
  return fills.filter(counts).length <= most;
}

/** Takes what is left apart, the widest path first. */
function widestPaths(flow: Flow, { sellToken, buyToken }: Pick<Route, "sellToken" | "buyToken">): RoutePath[] {
  const paths: RoutePath[] = [];
  for (;;) {
    const path = widestPath(flow, sellToken, buyToken);
    if (path === undefined) return paths;
    paths.push(taken(path));
  }
}

/** Takes as much along a path as it carries. */
function taken(path: readonly Edge[]): RoutePath {
  const weight = path.reduce((least, edge) => (edge.weight < least ? edge.weight : least), PATH_ONE);
  for (const edge of path) edge.weight -= weight;
  return { fills: path.map((edge) => edge.fill), weight };
}

/**
 * Paths within a limit first: those over the edges that leave least choice, which have none but short ways before and behind
 * them. What is left then is taken apart without it.
 */
function shortPaths(route: Route, limit: HopLimit): readonly RoutePath[] {
  const flow = weigh(route);
  const paths: RoutePath[] = [];
  for (;;) {
    const over = tightest(flow, route, limit);
    const path = over && widestPathOver(over, flow, route, limit);
    if (path === undefined) break;
    paths.push(taken(path));
  }
  paths.push(...widestPaths(flow, route));
  return paths.sort((a, b) => compare(b.weight, a.weight));
}

/** The edge whose shortest path is the longest within the limit, the widest of those. */
function tightest({ edges, order, selling, buying }: Flow, route: Route, { most, counts }: HopLimit): Edge | undefined {
  const ahead = fewestHops(order, route.sellToken, { next: selling, far: leaves, counts });
  const behind = fewestHops(order.toReversed(), route.buyToken, { next: buying, far: enters, counts });
  let best: { readonly edge: Edge; readonly hops: number } | undefined;
  for (const edge of edges) {
    if (edge.weight === 0n) continue;
    const own = counts(edge.fill) ? 1 : 0;
    const hops = (ahead.get(edge.fill.sellToken) ?? most) + own + (behind.get(edge.fill.buyToken) ?? most);
    if (hops > most || (best !== undefined && hops < best.hops)) continue;
    if (best === undefined || hops > best.hops || edge.weight > best.edge.weight) best = { edge, hops };
  }
  return best?.edge;
}

const enters = (fill: Fill): Address => fill.sellToken;
const leaves = (fill: Fill): Address => fill.buyToken;

/** Fewest counted fills from `start` to each token, in the order of tokens. */
function fewestHops(
  order: readonly Address[],
  start: Address,
  { next, far, counts }: { readonly next: Flow["selling"]; far(fill: Fill): Address; counts: HopLimit["counts"] },
): ReadonlyMap<Address, number> {
  const hops = new Map([[start, 0]]);
  for (const token of order) {
    const here = hops.get(token);
    if (here === undefined) continue;
    for (const { fill, weight } of next.get(token) ?? []) {
      const there = here + (counts(fill) ? 1 : 0);
      if (weight > 0n && there < (hops.get(far(fill)) ?? Number.POSITIVE_INFINITY)) hops.set(far(fill), there);
    }
  }
  return hops;
}

/** The end of a path, with the way to it. */
interface Reached {
  readonly width: bigint;
  readonly hops: number;
  readonly hasPassed: boolean;
  readonly by?: Edge;
  readonly before?: Reached;
}

/** The widest path over an edge within a limit. */
function widestPathOver(
  over: Edge,
  { order, selling }: Flow,
  route: Route,
  { most, counts }: HopLimit,
): Edge[] | undefined {
  /** The widest ways to each token, by their hops and whether they have passed the edge. */
  const reached = new Map<Address, Map<number, Reached>>();
  const keyOf = ({ hops, hasPassed }: Reached) => 2 * hops + (hasPassed ? 1 : 0);
  const start: Reached = { width: PATH_ONE, hops: 0, hasPassed: false };
  reached.set(route.sellToken, new Map([[keyOf(start), start]]));
  for (const token of order)
    for (const here of reached.get(token)?.values() ?? [])
      for (const edge of selling.get(token) ?? []) {
        const next: Reached = {
          width: edge.weight < here.width ? edge.weight : here.width,
          hops: here.hops + (counts(edge.fill) ? 1 : 0),
          hasPassed: here.hasPassed || edge === over,
          ...{ by: edge, before: here },
        };
        if (next.hops > most || next.width === 0n) continue;
        const ways = reached.get(edge.fill.buyToken) ?? new Map<number, Reached>();
        if (next.width > (ways.get(keyOf(next))?.width ?? 0n)) ways.set(keyOf(next), next);
        reached.set(edge.fill.buyToken, ways);
      }
  let best: Reached | undefined;
  for (const end of reached.get(route.buyToken)?.values() ?? [])
    if (end.hasPassed && end.width > (best?.width ?? 0n)) best = end;
  const path: Edge[] = [];
  for (let at = best; at?.by !== undefined; at = at.before) path.unshift(at.by);
  return best && path;
}

interface Edge {
  readonly fill: Fill;
  weight: bigint;
}

/** The fills of a route with what is left of the trade that runs through them. */
interface Flow {
  readonly edges: readonly Edge[];
  /** The tokens, each behind all that flow into it. */
  readonly order: readonly Address[];
  readonly selling: ReadonlyMap<Address, readonly Edge[]>;
  readonly buying: ReadonlyMap<Address, readonly Edge[]>;
}

/** Fills in execution order, each with the part of the whole trade that runs through it; conserved at every token. */
function weigh(route: Route): Flow {
  const edges = fillsOf(route).map((fill): Edge => ({ fill, weight: 0n }));
  const selling = Map.groupBy(edges, ({ fill }) => fill.sellToken);
  const buying = Map.groupBy(edges, ({ fill }) => fill.buyToken);
  const forward = route.kind === "exactIn";
  const [next, outOf] = forward ? [selling, leaves] : [buying, enters];
  const amount = (fill: Fill): bigint => (forward ? fill.sellAmount : fill.buyAmount);
  const start = forward ? route.sellToken : route.buyToken;
  const arrived = new Map<Address, bigint>([[start, PATH_ONE]]);
  for (const token of tokensInOrder(next, start, outOf)) {
    const out = next.get(token) ?? [];
    const parts = apportion(
      arrived.get(token) ?? 0n,
      out.map((edge) => amount(edge.fill)),
    );
    out.forEach((edge, i) => {
      edge.weight = parts[i] as bigint;
      arrived.set(outOf(edge.fill), (arrived.get(outOf(edge.fill)) ?? 0n) + edge.weight);
    });
  }
  return { edges, order: tokensInOrder(selling, route.sellToken, leaves), selling, buying };
}

/** Tokens such that each stands behind all tokens that flow into it; a route has no token cycles. */
function tokensInOrder(next: Flow["selling"], start: Address, far: (fill: Fill) => Address): Address[] {
  const order: Address[] = [];
  const visited = new Set<Address>();
  const visit = (token: Address) => {
    if (visited.has(token)) return;
    visited.add(token);
    for (const { fill } of next.get(token) ?? []) visit(far(fill));
    order.push(token);
  };
  visit(start);
  return order.reverse();
}

/** The path with the greatest least weight, by edges in the order of tokens; undefined when nothing is left. */
function widestPath({ order, selling }: Flow, from: Address, to: Address): Edge[] | undefined {
  const width = new Map<Address, bigint>([[from, PATH_ONE]]);
  const via = new Map<Address, Edge>();
  for (const token of order) {
    const here = width.get(token);
    if (here === undefined) continue;
    for (const edge of selling.get(token) ?? []) {
      const through = edge.weight < here ? edge.weight : here;
      if (through <= (width.get(edge.fill.buyToken) ?? 0n)) continue;
      width.set(edge.fill.buyToken, through);
      via.set(edge.fill.buyToken, edge);
    }
  }
  if (!via.has(to)) return undefined;
  const path: Edge[] = [];
  for (let edge = via.get(to); edge !== undefined; edge = via.get(edge.fill.sellToken)) path.unshift(edge);
  return path;
}
