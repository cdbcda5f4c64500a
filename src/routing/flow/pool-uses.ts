import { movingPool } from "../../pools/float/moving-pool.ts";
import type { Pool } from "../../pools/pool.ts";
import type { MovingPool, PoolCurve } from "../../pools/pool-math.ts";
import { type Edge, mayUseAgain } from "../edges/edges.ts";
import { tradeAt } from "../edges/trade-at.ts";
import type { Search } from "../session/search.ts";
import type { Support } from "./support.ts";

/** An edge and what it sells. */
export interface PoolUse {
  readonly edge: Edge;
  readonly sell: number;
}

/** These edges, and of each pool of several tokens that is used only once the first one alone. */
export function usedAsAllowed({ revisits }: Pick<Search, "revisits">, edges: readonly Edge[]): readonly Edge[] {
  const used = new Set<Pool>();
  return edges.filter(({ pool }) => {
    if (pool.tokens.length < 3 || (revisits && mayUseAgain(pool))) return true;
    if (used.has(pool)) return false;
    used.add(pool);
    return true;
  });
}

/** The pools of several tokens that are used more than once: each pool use moves what the others pay. */
export function sharedPools(edges: readonly Edge[]): ReadonlySet<Pool> {
  const several = edges.map(({ pool }) => pool).filter(({ tokens }) => tokens.length > 2);
  return new Set(several.filter((pool, i) => several.indexOf(pool) !== i));
}

/** Key of a pool use that a route makes at most once: a pool's number, or a pair of its tokens. */
export type PoolOrPair = string | number;

/** The pool, or the pair where it may be used again. */
export function poolOrPair({ revisits }: Pick<Search, "revisits">, { pool, poolNumber, from, to }: Edge): PoolOrPair {
  const pair = revisits && mayUseAgain(pool);
  return pair ? `${poolNumber} ${Math.min(from, to)} ${Math.max(from, to)}` : poolNumber;
}

/** The uses of pools of several tokens by a flow, in the order in which a route makes them. */
export function poolUsesOf({ edges, order, leaving }: Support, sells: readonly number[]): readonly PoolUse[] {
  return order.flatMap((_, at) => {
    const several = (leaving[at] as readonly number[]).filter((i) => (edges[i] as Edge).pool.tokens.length > 2);
    return inTurn(several, sells).map((i) => ({ edge: edges[i] as Edge, sell: sells[i] as number }));
  });
}

/**
 * Edges of pools as they are beside all other pool uses of a flow: curves that begin where these leave a pool, and pay for
 * what an edge sells in that flow what it pays in its turn. A split that these curves do not change any more is
 * the best one: the last unit of every pool use is then worth what the pool pays after all of them.
 */
export class MovedEdges {
  readonly #search: Search;
  /** By number the pools that the flow uses, what each of their uses is paid in its turn, and the pool after all of them. */
  readonly #pools = new Map<number, { readonly uses: readonly PoolUse[]; readonly paid: number[]; left: MovingPool }>();
  readonly #moved = new Map<Edge, Edge>();
  readonly #originals = new Map<Edge, Edge>();

  constructor(search: Search, uses: readonly PoolUse[]) {
    this.#search = search;
    for (const [number, own] of Map.groupBy(uses, ({ edge }) => edge.poolNumber)) {
      const left = movingPool((own[0] as PoolUse).edge.pool, search.time);
      this.#pools.set(number, { uses: own, paid: own.map(({ edge, sell }) => use(left, edge, sell)), left });
    }
  }

  /** The edge in a slot as all pool uses leave it; undefined where the flow does not use the pool. */
  at(slot: number): Edge | undefined {
    const { graph } = this.#search;
    const pool = this.#pools.get(graph.pool[slot] as number);
    if (pool === undefined) return undefined;
    const edge = graph.edgeAt(slot);
    const known = this.#moved.get(edge);
    if (known !== undefined) return known;
    const moved = movedEdge(edge, 0, 0, pool.left);
    this.#moved.set(edge, moved);
    this.#originals.set(moved, edge);
    return moved;
  }

  /** The edge beside all other pool uses, or as it is where the flow does not use its pool. */
  of(edge: Edge): Edge {
    const pool = this.#pools.get(edge.poolNumber);
    if (pool === undefined) return edge;
    const { uses, paid, left } = pool;
    const own = uses.findIndex((one) => one.edge === edge);
    if (own === -1) return movedEdge(edge, 0, 0, left);
    const others = movingPool(edge.pool, this.#search.time);
    for (const one of uses) if (one.edge !== edge) use(others, one.edge, one.sell);
    return movedEdge(edge, (uses[own] as PoolUse).sell, paid[own] as number, others);
  }

  /** The edge that one of these was before. */
  original(edge: Edge): Edge {
    return this.#originals.get(edge) ?? edge;
  }
}

/**
 * Edges by which a pool passes on what it has paid itself, with the fee paid twice: of those that enter a token and those
 * that leave it, the ones that carry less.
 */
export function passedOn(sells: ReadonlyMap<Edge, number>): ReadonlySet<Edge> {
  const passing = new Set<Edge>();
  const shared = sharedPools([...sells.keys()]);
  for (const pool of shared) {
    const own = [...sells].filter(([edge]) => edge.pool === pool);
    for (const { to: node } of own.map(([edge]) => edge)) {
      const entering = own.filter(([edge]) => edge.to === node);
      const leaving = own.filter(([edge]) => edge.from === node);
      if (leaving.length === 0) continue;
      const enters = entering.reduce((sum, [edge, sell]) => sum + edge.curve.buyAmountFor(sell), 0);
      const leaves = leaving.reduce((sum, [, sell]) => sum + sell, 0);
      for (const [edge] of enters < leaves ? entering : leaving) passing.add(edge);
    }
  }
  return passing;
}

/** Amounts that edges take and pay one after the other, shared pools in the state that the pool uses before left them in. */
export function inTurns(time: bigint, shared: ReadonlySet<Pool>) {
  const states = new Map(Array.from(shared, (pool) => [pool, movingPool(pool, time)]));
  return {
    /** The most that an edge takes after the pool uses so far. */
    most({ pool, direction, curve }: Edge): number {
      return Math.min(curve.maxSell, states.get(pool)?.most(direction) ?? Number.POSITIVE_INFINITY);
    },
    /** Amount that an edge pays in its turn. */
    pays(edge: Edge, sellAmount: number): number {
      const now = states.get(edge.pool);
      return now === undefined ? edge.curve.buyAmountFor(sellAmount) : use(now, edge, sellAmount);
    },
  };
}

/** Edges that leave one node, by their positions, in the order in which a route uses them: the smallest amount first. */
export function inTurn(leaving: readonly number[], sells: readonly number[]): readonly number[] {
  return leaving.toSorted((a, b) => (sells[a] as number) - (sells[b] as number));
}

/** The edge as it is beside `others`, in the state in which these leave its pool, where it is paid so much for what it sells. */
function movedEdge(edge: Edge, sold: number, paid: number, others: MovingPool): Edge {
  const { pool, direction, from, to, poolNumber, gas, width } = edge;
  const outline = { gas, width, depth: Number.NaN, deepest: Number.POSITIVE_INFINITY };
  const same = { pool, direction, from, to, poolNumber, ...outline };
  const curve = others.curve(direction);
  if (curve === undefined) return { ...same, curve: edge.curve, spot: 0 };
  if (sold === 0) return { ...same, curve, spot: curve.marginalRate(0) };
  // A payment for nothing has any rate.
  return { ...same, curve: shifted(curve, paid - curve.buyAmountFor(sold)), spot: Number.POSITIVE_INFINITY };
}

/** A curve that pays so much more for any amount. */
function shifted(curve: PoolCurve, more: number): PoolCurve {
  return {
    ...curve,
    buyAmountFor: (sellAmount) => curve.buyAmountFor(sellAmount) + more,
    tradeAtRate(rate, trade) {
      tradeAt(curve, rate, trade);
      trade[1] = (trade[1] as number) + more;
    },
  };
}

/** Uses a pool; what that pays, in whole base units. */
function use(now: MovingPool, { direction }: Edge, sell: number): number {
  const paid = Math.floor(now.pays(direction, sell));
  now.move(direction, sell, paid);
  return paid;
}
