import { mathOf, type Pool } from "../../pools/pool.ts";
import {
  type CurveOutline,
  type Direction,
  NARROW,
  type PoolCurve,
  type StraightLevel,
} from "../../pools/pool-math.ts";
import { depthOf } from "./depth.ts";

/** One direction of one pool, as the search sees it. */
export interface Edge {
  readonly pool: Pool;
  readonly direction: Direction;
  readonly from: number;
  readonly to: number;
  readonly curve: PoolCurve;
  /** Bought per sold unit at the margin before any trade: no trade is better. 0 where nothing can be sold. */
  readonly spot: number;
  /**
   * The depth D of a curve that pays spot * x / (1 + x / D) for x, as far as TRUSTED_DEPTHS * D; NaN for every other
   * curve. Such a curve needs no call: a scan works it out from numbers that lie side by side.
   */
  readonly depth: number;
  /**
   * The depth of such a curve that pays no less than this one for any amount: `depth` itself where there is one, as far as
   * that is trusted; infinite where none is known.
   */
  readonly deepest: number;
  /** Amount to sell that moves the rate by NARROW: a measure of how reliable the pool's price is. */
  readonly width: number;
  /** Gas of one pool use, at the least. */
  readonly gas: number;
  /** A number of the pool, the same for all its edges and states. */
  readonly poolNumber: number;
  /** The edge that exact-out trades see in its place, where their curve ends elsewhere. */
  readonly toBuy?: Edge;
}

/** Parts of all that a curve takes at which it is looked at before it is trusted. */
const PARTS = [1e-6, 1];

const NOTHING: PoolCurve = {
  marginalRate: () => 0,
  buyAmountFor: () => 0,
  sellAmountAtRate: () => 0,
  maxSell: 0,
  gas: 0,
  concave: true,
};

/** Ends of an edge and its pool. */
export type Ends = Pick<Edge, "pool" | "direction" | "from" | "to" | "poolNumber">;

/** An edge whose curve is made when it is first asked for, unless it is known. */
export class PoolEdge implements Edge {
  readonly pool: Pool;
  readonly direction: Direction;
  readonly from: number;
  readonly to: number;
  readonly spot: number;
  readonly depth: number;
  readonly deepest: number;
  readonly width: number;
  readonly gas: number;
  readonly poolNumber: number;
  readonly toBuy?: Edge;
  readonly #time: bigint;
  #curve: PoolCurve | undefined;

  constructor(ends: Ends, outline: CurveOutline, time: bigint, curve?: PoolCurve) {
    this.pool = ends.pool;
    this.direction = ends.direction;
    this.from = ends.from;
    this.to = ends.to;
    this.spot = outline.spot;
    this.depth = outline.depth;
    this.deepest = outline.deepest;
    this.width = outline.width;
    this.gas = outline.gas;
    this.poolNumber = ends.poolNumber;
    this.#time = time;
    this.#curve = curve;
    if (curve?.toBuy !== undefined) this.toBuy = new PoolEdge(ends, outline, time, curve.toBuy);
  }

  get curve(): PoolCurve {
    this.#curve ??= mathOf(this.pool).curve(this.pool.state, this.direction, this.#time) ?? NOTHING;
    return this.#curve;
  }

  /** This edge where its ends have other numbers. */
  at(ends: Ends): PoolEdge {
    return new PoolEdge(ends, this, this.#time, this.#curve);
  }
}

/** Those of a pool of two tokens, shared by all edges. */
const BOTH_WAYS: readonly Direction[] = [
  { sell: 0, buy: 1 },
  { sell: 1, buy: 0 },
];

/** All directions of a pool, by the nodes of its tokens, but for those between tokens that are the same node. */
export function directionsOf(nodes: readonly number[]): readonly Direction[] {
  if (nodes.length === 2) return nodes[0] === nodes[1] ? [] : BOTH_WAYS;
  const directions: Direction[] = [];
  for (let sell = 0; sell < nodes.length; sell++)
    for (let buy = 0; buy < nodes.length; buy++) if (nodes[sell] !== nodes[buy]) directions.push({ sell, buy });
  return directions;
}

/** The edge of a curve that has no outline; it sells nothing where there is no curve, or one that no search can go on from. */
export function curvedEdge(ends: Ends, time: bigint): PoolEdge {
  const { pool, direction } = ends;
  const told = mathOf(pool).curve(pool.state, direction, time);
  const curve = told !== undefined && isSound(told) ? told : NOTHING;
  const first = (curve.ceiling ?? curve).marginalRate(0);
  const spot = first > 0 && Number.isFinite(first) ? first : 0;
  const width = spot > 0 ? curve.sellAmountAtRate(spot * NARROW) : 0;
  const depth = spot > 0 ? depthOf(curve, spot) : Number.NaN;
  const deepest = depth > 0 ? depth : Number.POSITIVE_INFINITY;
  return new PoolEdge(ends, { spot, depth, deepest, width, gas: curve.gas }, time, curve);
}

/**
 * Whether a curve pays and falls in numbers as far as it goes. States that nobody can trade in may be anyone's: one pool whose floats
 * come to nothing must not end the searches of all others.
 */
function isSound(curve: PoolCurve): boolean {
  const { maxSell, toBuy } = curve;
  if (Number.isNaN(maxSell) || (toBuy !== undefined && !isSound(toBuy))) return false;
  return PARTS.every((part) => {
    const sold = part * Math.min(maxSell, Number.MAX_VALUE);
    return curve.buyAmountFor(sold) >= 0 && curve.marginalRate(sold) >= 0;
  });
}

/** Whether an edge's gas grows with what it sells. A hyperbola that is trusted is one stretch of it. */
export function isStepped({ depth, curve }: Edge): boolean {
  return !(depth > 0) && curve.gasStretches !== undefined;
}

/**
 * Whether a route may use a pool for several pairs of its tokens: only where the sum over the pairs, which the bound
 * counts, is no less than what such pool uses can earn together.
 */
export function mayUseAgain(pool: Pool): boolean {
  return pool.tokens.length > 2 && mathOf(pool).usesAddUp?.(pool.state) === true;
}

/** Tokens of a pool from which on a path can pass it twice, with others between. */
const TWO_PAIRS = 4;

/**
 * Whether a path can pass a pool only once. With `revisits` it may come again between two other tokens, not right after
 * itself: what it pays between these stays the same, or nearly.
 */
export function isPassedOnce({ pool }: { readonly pool: Pool }, revisits: boolean): boolean {
  return !revisits || pool.tokens.length < TWO_PAIRS || !mayUseAgain(pool);
}

/** Returns the edge with its amount to sell limited to `maxSell`. */
export function ending(edge: Edge, maxSell: number): Edge {
  const { curve } = edge;
  const { gasFor, levels } = curve;
  return {
    ...edge,
    depth: Number.NaN,
    curve: {
      marginalRate: (sellAmount) => curve.marginalRate(Math.min(sellAmount, maxSell)),
      buyAmountFor: (sellAmount) => curve.buyAmountFor(Math.min(sellAmount, maxSell)),
      sellAmountAtRate: (rate) => Math.min(curve.sellAmountAtRate(rate), maxSell),
      maxSell: Math.min(curve.maxSell, maxSell),
      gas: curve.gas,
      ...(gasFor && { gasFor: (sellAmount) => gasFor.call(curve, Math.min(sellAmount, maxSell)) }),
      ...(levels && { levels: levelsUpTo(levels, maxSell) }),
      concave: curve.concave,
    },
  };
}

/** As much of these levels as sells no more than so much. */
function levelsUpTo(levels: readonly StraightLevel[], maxSell: number): StraightLevel[] {
  let left = maxSell;
  return levels.map(({ sells, rate }) => {
    const sold = Math.min(sells, left);
    left -= sold;
    return { sells: sold, rate };
  });
}
