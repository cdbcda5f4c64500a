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

/** Amounts that edges take and pay, asked in the order in which a route is carried out. */
export interface Turns {
  /** The most that an edge takes after the pool uses so far. */
  most(edge: Edge): number;
  /** Amount that an edge pays in its turn. */
  pays(edge: Edge, sellAmount: number): number;
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

const NONE: ReadonlySet<Pool> = new Set();

/** The pools of several tokens that are used between more than two of them: each pool use moves what the others pay. */
export function sharedPools(edges: readonly Edge[]): ReadonlySet<Pool> {
  const several = edges.filter(({ pool }) => pool.tokens.length > 2);
  if (several.length < 2) return NONE;
  const met = new Set<Pool>();
  const shared = new Set<Pool>();
  for (const { pool } of several) {
    if (met.has(pool)) shared.add(pool);
    met.add(pool);
  }
  return shared;
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

/** The edges of the pools of several tokens that a flow uses, as it leaves them; undefined where it uses none. */
export function leftBehind({ graph, time }: Search, uses: readonly PoolUse[]) {
  const states = new Map<Pool, MovingPool>();
  const numbers = new Set<number>();
  for (const { edge, sell } of uses) {
    use(movingIn(states, edge.pool, time), edge, sell);
    numbers.add(edge.poolNumber);
  }
  if (numbers.size === 0) return undefined;
  const moved = new Map<Edge, Edge>();
  const originals = new Map<Edge, Edge>();
  return {
    /** The edge in a slot; undefined where the flow does not use the pool, or it has but two tokens. */
    at(slot: number): Edge | undefined {
      if (!numbers.has(graph.pool[slot] as number)) return undefined;
      const edge = graph.edgeAt(slot);
      let now = moved.get(edge);
      if (now === undefined) {
        now = movedEdge(edge, { sold: 0, paid: 0, others: movingIn(states, edge.pool, time) });
        moved.set(edge, now);
        originals.set(now, edge);
      }
      return now;
    },
    /** The edge itself, as the graph has it. */
    original: (edge: Edge): Edge => originals.get(edge) ?? edge,
  };
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

/** Edges one after the other, shared pools in the state that the pool uses before left them in. */
export function inTurns(time: bigint, shared: ReadonlySet<Pool>): Turns {
  if (shared.size === 0)
    return { most: ({ curve }) => curve.maxSell, pays: ({ curve }, sellAmount) => curve.buyAmountFor(sellAmount) };
  const states = new Map<Pool, MovingPool>();
  return {
    most({ pool, direction, curve }) {
      const now = states.get(pool);
      return now === undefined ? curve.maxSell : Math.min(curve.maxSell, now.most(direction));
    },
    pays(edge, sellAmount) {
      const { pool, curve } = edge;
      return shared.has(pool) ? use(movingIn(states, pool, time), edge, sellAmount) : curve.buyAmountFor(sellAmount);
    },
  };
}

/** Edges that leave one node, by their positions, in the order in which a route uses them: the smallest amount first. */
export function inTurn(leaving: readonly number[], sells: readonly number[]): readonly number[] {
  return leaving.toSorted((a, b) => (sells[a] as number) - (sells[b] as number));
}

/**
 * Edges of shared pools as they are beside all other pool uses of a flow: curves that begin where these leave a pool, and
 * pay for what an edge sells in that flow what it pays in its turn. A split that these curves do not change any more is
 * the best one: the last unit of every pool use is then worth what the pool pays after all of them.
 */
export function besideOthers(
  time: bigint,
  shared: ReadonlySet<Pool>,
  edges: readonly Edge[],
  uses: readonly PoolUse[],
): ReadonlyMap<Edge, Edge> {
  const moved = new Map<Edge, Edge>();
  for (const pool of shared) {
    const own = uses.filter(({ edge }) => edge.pool === pool);
    if (own.length === 0) continue;
    const turns = new Map<Edge, Turn>();
    const now = movingPool(pool, time);
    own.forEach(({ edge, sell }, i) => {
      const others = now.copy();
      for (const later of own.slice(i + 1)) use(others, later.edge, later.sell);
      turns.set(edge, { sold: sell, paid: use(now, edge, sell), others });
    });
    for (const edge of edges) {
      if (edge.pool === pool) moved.set(edge, movedEdge(edge, turns.get(edge) ?? { sold: 0, paid: 0, others: now }));
    }
  }
  return moved;
}

/** Amounts of an edge in its turn, and its pool in the state that all other pool uses leave. */
interface Turn {
  readonly sold: number;
  readonly paid: number;
  readonly others: MovingPool;
}

function movedEdge(edge: Edge, { sold, paid, others }: Turn): Edge {
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
  const paid = floored(now.pays(direction, sell));
  now.move(direction, sell, paid);
  return paid;
}

/** The pool as uses so far have left it. */
function movingIn(states: Map<Pool, MovingPool>, pool: Pool, time: bigint): MovingPool {
  let now = states.get(pool);
  if (now === undefined) {
    now = movingPool(pool, time);
    states.set(pool, now);
  }
  return now;
}

/** Amounts from which on floats have no parts of a base unit. */
const WHOLE = 2 ** 53;

/** The whole base units of an amount. */
function floored(amount: number): number {
  return amount < WHOLE ? Math.floor(amount) : amount;
}
