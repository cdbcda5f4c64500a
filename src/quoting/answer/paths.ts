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

/** Takes the edges apart, the widest path first. */
function widestPaths(edges: readonly Edge[], route: Pick<Route, "sellToken" | "buyToken">): RoutePath[] {
  const paths: RoutePath[] = [];
  for (;;) {
    const path = widestPath(edges, route.sellToken, route.buyToken);
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
  const edges = weigh(route);
  const paths: RoutePath[] = [];
  for (;;) {
    const open = edges.filter((edge) => edge.weight > 0n);
    const over = tightest(open, route, limit);
    const path = over && widestPathOver(over, open, route, limit);
    if (path === undefined) break;
    paths.push(taken(path));
  }
  paths.push(...widestPaths(edges, route));
  return paths.sort((a, b) => compare(b.weight, a.weight));
}

/** The edge whose shortest path is the longest within the limit, the widest of those. */
function tightest(open: readonly Edge[], route: Route, { most, counts }: HopLimit): Edge | undefined {
  const ahead = fewestHops(open, route.sellToken, { near: enters, far: leaves }, counts);
  const behind = fewestHops(open, route.buyToken, { near: leaves, far: enters }, counts);
  let best: { readonly edge: Edge; readonly hops: number } | undefined;
  for (const edge of open) {
    const own = counts(edge.fill) ? 1 : 0;
    const hops = (ahead.get(edge.fill.sellToken) ?? most) + own + (behind.get(edge.fill.buyToken) ?? most);
    if (hops > most || (best !== undefined && hops < best.hops)) continue;
    if (best === undefined || hops > best.hops || edge.weight > best.edge.weight) best = { edge, hops };
  }
  return best?.edge;
}

const enters = (fill: Fill): Address => fill.sellToken;
const leaves = (fill: Fill): Address => fill.buyToken;

/** Fewest counted fills from `start` to each token. */
function fewestHops(
  open: readonly Edge[],
  start: Address,
  { near, far }: { near(fill: Fill): Address; far(fill: Fill): Address },
  counts: HopLimit["counts"],
): ReadonlyMap<Address, number> {
  const hops = new Map([[start, 0]]);
  for (const token of tokensInOrder(open, start, near, far))
    for (const { fill } of open) {
      const here = near(fill) === token ? hops.get(token) : undefined;
      if (here === undefined) continue;
      const there = here + (counts(fill) ? 1 : 0);
      if (there < (hops.get(far(fill)) ?? Number.POSITIVE_INFINITY)) hops.set(far(fill), there);
    }
  return hops;
}

/** The end of a path, with the way to it. */
interface Reached {
  readonly token: Address;
  readonly width: bigint;
  readonly hops: number;
  readonly hasPassed: boolean;
  readonly by?: Edge;
  readonly before?: Reached;
}

/** The widest path over an edge within a limit. */
function widestPathOver(
  over: Edge,
  open: readonly Edge[],
  route: Route,
  { most, counts }: HopLimit,
): Edge[] | undefined {
  const order = tokensInOrder(open, route.sellToken, enters, leaves);
  const reached = new Map<string, Reached>();
  const keyOf = ({ token, hops, hasPassed }: Reached) => `${token} ${hops} ${hasPassed}`;
  const start: Reached = { token: route.sellToken, width: PATH_ONE, hops: 0, hasPassed: false };
  reached.set(keyOf(start), start);
  for (const token of order) {
    const own = open.filter(({ fill }) => fill.sellToken === token);
    for (const here of [...reached.values()].filter((each) => each.token === token))
      for (const edge of own) {
        const next: Reached = {
          token: edge.fill.buyToken,
          width: edge.weight < here.width ? edge.weight : here.width,
          hops: here.hops + (counts(edge.fill) ? 1 : 0),
          hasPassed: here.hasPassed || edge === over,
          ...{ by: edge, before: here },
        };
        if (next.hops <= most && next.width > (reached.get(keyOf(next))?.width ?? 0n)) reached.set(keyOf(next), next);
      }
  }
  let best: Reached | undefined;
  for (const end of reached.values())
    if (end.token === route.buyToken && end.hasPassed && end.width > (best?.width ?? 0n)) best = end;
  const path: Edge[] = [];
  for (let at = best; at?.by !== undefined; at = at.before) path.unshift(at.by);
  return best && path;
}

interface Edge {
  readonly fill: Fill;
  weight: bigint;
}

/** Fills in execution order, each with the part of the whole trade that runs through it; conserved at every token. */
function weigh(route: Route): Edge[] {
  const edges = fillsOf(route).map((fill) => ({ fill, weight: 0n }));
  const forward = route.kind === "exactIn";
  const [into, outOf] = forward ? [enters, leaves] : [leaves, enters];
  const amount = (fill: Fill): bigint => (forward ? fill.sellAmount : fill.buyAmount);
  const start = forward ? route.sellToken : route.buyToken;
  const arrived = new Map<Address, bigint>([[start, PATH_ONE]]);
  for (const token of tokensInOrder(edges, start, into, outOf)) {
    const out = edges.filter((edge) => into(edge.fill) === token);
    const parts = apportion(
      arrived.get(token) ?? 0n,
      out.map((edge) => amount(edge.fill)),
    );
    out.forEach((edge, i) => {
      edge.weight = parts[i] as bigint;
      arrived.set(outOf(edge.fill), (arrived.get(outOf(edge.fill)) ?? 0n) + edge.weight);
    });
  }
  return edges;
}

/** Tokens such that each stands behind all tokens that flow into it; a route has no token cycles. */
function tokensInOrder(
  edges: readonly Edge[],
  start: Address,
  enters: (fill: Fill) => Address,
  leaves: (fill: Fill) => Address,
): Address[] {
  const order: Address[] = [];
  const visited = new Set<Address>();
  const visit = (token: Address) => {
    if (visited.has(token)) return;
    visited.add(token);
    for (const edge of edges) if (enters(edge.fill) === token) visit(leaves(edge.fill));
    order.unshift(token);
  };
  visit(start);
  return order;
}

/** The path with the greatest least weight, by edges in the order of tokens; undefined when nothing is left. */
function widestPath(edges: readonly Edge[], from: Address, to: Address): Edge[] | undefined {
  const open = edges.filter((edge) => edge.weight > 0n);
  const order = tokensInOrder(open, from, enters, leaves);
  const width = new Map<Address, bigint>([[from, PATH_ONE]]);
  const via = new Map<Address, Edge>();
  for (const token of order) {
    const here = width.get(token);
    if (here === undefined) continue;
    for (const edge of open) {
      if (edge.fill.sellToken !== token) continue;
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
