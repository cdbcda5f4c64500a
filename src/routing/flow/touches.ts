import { mathOf, type Pool } from "../../pools/pool.ts";
import { isRejection, type PoolCurve } from "../../pools/pool-math.ts";
import type { Edge } from "../edges/edges.ts";
import { mayTouchAgain } from "../edges/may-touch-again.ts";
import type { Session } from "../session/session.ts";
import type { Support } from "./support.ts";

/** An edge and what it sells. */
export interface Touch {
  readonly edge: Edge;
  readonly sell: number;
}

/** What edges take and pay, asked in the order in which a route is carried out. */
export interface Turns {
  /** The most that an edge takes after the touches so far. */
  most(edge: Edge): number;
  /** What an edge pays for an amount in its turn. */
  pays(edge: Edge, sellAmount: number): number;
}

/** These edges, and of each pool of several tokens that is touched only once the first one alone. */
export function touchedAsAllowed(edges: readonly Edge[]): readonly Edge[] {
  const touched = new Set<Pool>();
  return edges.filter(({ pool }) => {
    if (pool.tokens.length < 3 || mayTouchAgain(pool)) return true;
    if (touched.has(pool)) return false;
    touched.add(pool);
    return true;
  });
}

/** The pools of several tokens that are touched between more than two of them: each touch moves what the others pay. */
export function sharedPools(edges: readonly Edge[]): ReadonlySet<Pool> {
  const met = new Set<Pool>();
  const shared = new Set<Pool>();
  for (const { pool } of edges) {
    if (pool.tokens.length < 3) continue;
    if (met.has(pool)) shared.add(pool);
    met.add(pool);
  }
  return shared;
}

/**
 * What a route does at most once: a touch of a pool, or of a pair of its tokens where it may be touched again; of any
 * pool where what a pool takes is told before its inputs are made.
 */
export function placeOf({ revisits }: Pick<Session, "revisits">, { pool, poolNumber, from, to }: Edge): string {
  const pair = revisits && mayTouchAgain(pool);
  return pair ? `${poolNumber} ${Math.min(from, to)} ${Math.max(from, to)}` : `${poolNumber}`;
}

/** The touches of a flow in the order in which a route makes them. */
export function touchesOf(support: Support, sells: readonly number[]): readonly Touch[] {
  return support.order.flatMap((_, at) =>
    inTurn(support, sells, at).map((i) => ({ edge: support.edges[i] as Edge, sell: sells[i] as number })),
  );
}

/** The edges of the pools of several tokens that a flow touches, as it leaves them. */
export interface LeftBehind {
  /** The edge in a slot; undefined where the flow does not touch the pool, or it has but two tokens. */
  at(slot: number): Edge | undefined;
  /** The edge itself, as the graph has it. */
  original(edge: Edge): Edge;
}

/** Undefined where the flow touches no pool of several tokens. */
export function leftBehind({ graph, time }: Session, touches: readonly Touch[]): LeftBehind | undefined {
  const states = new Map<Pool, Pool["state"]>();
  const numbers = new Set<number>();
  for (const { edge, sell } of touches) {
    if (edge.pool.tokens.length < 3) continue;
    states.set(edge.pool, touched(time, edge, states.get(edge.pool) ?? edge.pool.state, sell).next);
    numbers.add(edge.poolNumber);
  }
  if (numbers.size === 0) return undefined;
  const moved = new Map<Edge, Edge>();
  const originals = new Map<Edge, Edge>();
  return {
    at(slot) {
      if (!numbers.has(graph.pool[slot] as number)) return undefined;
      const edge = graph.edges[slot] as Edge;
      let now = moved.get(edge);
      if (now === undefined) {
        now = movedEdge(edge, time, { sold: 0, paid: 0, others: states.get(edge.pool) ?? edge.pool.state });
        moved.set(edge, now);
        originals.set(now, edge);
      }
      return now;
    },
    original: (edge) => originals.get(edge) ?? edge,
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

/** Edges one after the other, shared pools in the state that the touches before left them in. */
export function inTurns(time: bigint, shared: ReadonlySet<Pool>): Turns {
  const states = new Map<Pool, Pool["state"]>();
  return {
    most({ pool, direction, curve }) {
      const state = states.get(pool);
      if (state === undefined) return curve.maxSell;
      return Math.min(curve.maxSell, Number(mathOf(pool).limits(state, direction, time).maxSell));
    },
    pays(edge, sellAmount) {
      const { pool, curve } = edge;
      if (!shared.has(pool)) return curve.buyAmountFor(sellAmount);
      const { paid, next } = touched(time, edge, states.get(pool) ?? pool.state, sellAmount);
      states.set(pool, next);
      return paid;
    },
  };
}

/** The edges that leave a node, by their positions, in the order in which a route touches them: the smallest amount first. */
export function inTurn({ leaving }: Support, sells: readonly number[], at: number): readonly number[] {
  return [...(leaving[at] as readonly number[])].sort((a, b) => (sells[a] as number) - (sells[b] as number));
}

/**
 * Edges of shared pools as they are beside all other touches of a flow: curves that begin where these leave a pool, and
 * pay for what an edge sells in that flow what it pays in its turn. A split that these curves do not change any more is
 * the best one: the last unit of every touch is then worth what the pool pays after all of them.
 */
export function besideOthers(
  time: bigint,
  shared: ReadonlySet<Pool>,
  edges: readonly Edge[],
  touches: readonly Touch[],
): ReadonlyMap<Edge, Edge> {
  const moved = new Map<Edge, Edge>();
  for (const pool of shared) {
    const own = touches.filter(({ edge }) => edge.pool === pool);
    if (own.length === 0) continue;
    const turns = new Map<Edge, Turn>();
    let state = pool.state;
    own.forEach(({ edge, sell }, i) => {
      const { paid, next } = touched(time, edge, state, sell);
      const later = own.slice(i + 1);
      const others = later.reduce((moving, one) => touched(time, one.edge, moving, one.sell).next, state);
      turns.set(edge, { sold: sell, paid, others });
      state = next;
    });
    for (const edge of edges) {
      if (edge.pool !== pool) continue;
      moved.set(edge, movedEdge(edge, time, turns.get(edge) ?? { sold: 0, paid: 0, others: state }));
    }
  }
  return moved;
}

/** What an edge sells and is paid in its turn, and the state in which all other touches leave its pool. */
interface Turn {
  readonly sold: number;
  readonly paid: number;
  readonly others: Pool["state"];
}

function movedEdge(edge: Edge, time: bigint, { sold, paid, others }: Turn): Edge {
  const { pool, direction, from, to, poolNumber, gas, width } = edge;
  const same = { pool, direction, from, to, poolNumber, gas, width, depth: Number.NaN };
  const curve = mathOf(pool).curve(others, direction, time);
  if (curve === undefined) return { ...same, curve: edge.curve, spot: 0 };
  if (sold === 0) return { ...same, curve, spot: curve.marginalRate(0) };
  // What is paid for nothing is paid at any rate.
  return { ...same, curve: shifted(curve, paid - curve.buyAmountFor(sold)), spot: Number.POSITIVE_INFINITY };
}

/** A curve that pays so much more for any amount. */
function shifted(curve: PoolCurve, more: number): PoolCurve {
  const { tradeAtRate } = curve;
  const buyAmountFor = (sellAmount: number) => curve.buyAmountFor(sellAmount) + more;
  if (tradeAtRate === undefined) return { ...curve, buyAmountFor };
  return {
    ...curve,
    buyAmountFor,
    tradeAtRate(rate, trade) {
      tradeAtRate(rate, trade);
      trade[1] = (trade[1] as number) + more;
    },
  };
}

/** A touch of a pool in this state. Where the pool refuses, integers will say so: the curve tells what it pays. */
function touched(
  time: bigint,
  { pool, direction, curve }: Edge,
  state: Pool["state"],
  sell: number,
): { readonly paid: number; readonly next: Pool["state"] } {
  const quote = mathOf(pool).quoteExactIn(state, direction, BigInt(Math.floor(sell)), time);
  if (!isRejection(quote)) return { paid: Number(quote.amount), next: quote.next };
  return { paid: quote.rejected === "TOO_SMALL" ? 0 : curve.buyAmountFor(sell), next: state };
}
