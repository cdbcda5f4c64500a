import type { Address } from "../../domain/address.ts";
import { type Fill, fillsOf, type Route } from "../../domain/route.ts";
import { apportion } from "./proportions.ts";

/** One way that part of a trade takes from the sold to the bought token. */
export interface RoutePath {
  readonly fills: readonly Fill[];
  /** Part of the sold amount (exact-out: of the bought amount), in parts of PATH_ONE. */
  readonly weight: bigint;
}

/** Denominator of path weights: fine enough to deal out 18 decimals afterwards. */
export const PATH_ONE = 10n ** 36n;

/**
 * The route's flow taken apart into paths, the widest first; ties go to the fills that stand earlier. Weights sum to
 * exactly PATH_ONE. A flow has no unique paths: this is the one that the API shows.
 */
export function pathsOf(route: Route): readonly RoutePath[] {
  const edges = weigh(route);
  const paths: RoutePath[] = [];
  for (;;) {
    const path = widestPath(edges, route.sellToken, route.buyToken);
    if (path === undefined) return paths;
    const weight = path.reduce((least, edge) => (edge.weight < least ? edge.weight : least), PATH_ONE);
    for (const edge of path) edge.weight -= weight;
    paths.push({ fills: path.map((edge) => edge.fill), weight });
  }
}

interface Edge {
  readonly fill: Fill;
  weight: bigint;
}

/** Fills in execution order, each with the part of the whole trade that runs through it; conserved at every token. */
function weigh(route: Route): Edge[] {
  const edges = fillsOf(route).map((fill) => ({ fill, weight: 0n }));
  const forward = route.kind === "exactIn";
  const enters = (fill: Fill): Address => (forward ? fill.sellToken : fill.buyToken);
  const leaves = (fill: Fill): Address => (forward ? fill.buyToken : fill.sellToken);
  const amount = (fill: Fill): bigint => (forward ? fill.sellAmount : fill.buyAmount);
  const start = forward ? route.sellToken : route.buyToken;
  const arrived = new Map<Address, bigint>([[start, PATH_ONE]]);
  for (const token of tokensInOrder(edges, start, enters, leaves)) {
    const out = edges.filter((edge) => enters(edge.fill) === token);
    const parts = apportion(
      arrived.get(token) ?? 0n,
      out.map((edge) => amount(edge.fill)),
    );
    out.forEach((edge, i) => {
      edge.weight = parts[i] as bigint;
      arrived.set(leaves(edge.fill), (arrived.get(leaves(edge.fill)) ?? 0n) + edge.weight);
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
  const order = tokensInOrder(
    open,
    from,
    (fill) => fill.sellToken,
    (fill) => fill.buyToken,
  );
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
