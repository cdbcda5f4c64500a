import { mathOf, type Pool } from "../../pools/pool.ts";
import { type CurveOutline, type Direction, NARROW, type PoolCurve } from "../../pools/pool-math.ts";
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
  /** What has to be sold to move the rate by NARROW: how much a price of this pool is worth. */
  readonly width: number;
  /** Gas of one touch, at the least. */
  readonly gas: number;
  /** A number of the pool, the same for all its edges and states. */
  readonly poolNumber: number;
  /** The edge that purchases see in its place, where their curve ends elsewhere. */
  readonly toBuy?: Edge;
}

const NOTHING: PoolCurve = {
  marginalRate: () => 0,
  buyAmountFor: () => 0,
  sellAmountAtRate: () => 0,
  maxSell: 0,
  gas: 0,
  concave: true,
};

/** An edge whose curve is made when it is first asked for: a search touches few of all there are. */
class OutlinedEdge implements Edge {
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
  readonly #time: bigint;
  #curve: PoolCurve | undefined = undefined;

  constructor(
    pool: Pool,
    direction: Direction,
    time: bigint,
    from: number,
    to: number,
    poolNumber: number,
    { spot, depth, deepest, width, gas }: CurveOutline,
  ) {
    this.pool = pool;
    this.direction = direction;
    this.from = from;
    this.to = to;
    this.spot = spot;
    this.depth = depth;
    this.deepest = deepest;
    this.width = width;
    this.gas = gas;
    this.poolNumber = poolNumber;
    this.#time = time;
  }

  get curve(): PoolCurve {
    this.#curve ??= mathOf(this.pool).curve(this.pool.state, this.direction, this.#time) ?? NOTHING;
    return this.#curve;
  }
}

/** The directions of pools, shared by all edges. */
const directions = new Map<number, Direction>();

function directionAt(sell: number, buy: number): Direction {
  const key = sell * 1024 + buy;
  let direction = directions.get(key);
  if (direction === undefined) {
    direction = { sell, buy };
    directions.set(key, direction);
  }
  return direction;
}

/**
 * All directions of a pool, the ones that sell nothing among them, but none between tokens that are the same node.
 * `nodes`: the nodes of the pool's tokens.
 */
export function makeEdges(pool: Pool, time: bigint, nodes: readonly number[], poolNumber: number): readonly Edge[] {
  const between = (sell: number, buy: number) =>
    makeEdge(pool, directionAt(sell, buy), time, nodes[sell] as number, nodes[buy] as number, poolNumber);
  // An array that is written down holds no room for more.
  if (nodes.length === 2) return nodes[0] === nodes[1] ? [] : [between(0, 1), between(1, 0)];
  const edges: Edge[] = [];
  for (let sell = 0; sell < nodes.length; sell++) {
    for (let buy = 0; buy < nodes.length; buy++) {
      if (nodes[sell] !== nodes[buy]) edges.push(between(sell, buy));
    }
  }
  return edges;
}

function makeEdge(pool: Pool, direction: Direction, time: bigint, from: number, to: number, poolNumber: number): Edge {
  const math = mathOf(pool);
  const outline = math.outline?.(pool.state, direction);
  if (outline !== undefined) return new OutlinedEdge(pool, direction, time, from, to, poolNumber, outline);
  const curve = math.curve(pool.state, direction, time) ?? NOTHING;
  const first = (curve.ceiling ?? curve).marginalRate(0);
  const spot = first > 0 && Number.isFinite(first) ? first : 0;
  const width = spot > 0 ? curve.sellAmountAtRate(spot * NARROW) : 0;
  const depth = spot > 0 ? depthOf(curve, spot) : Number.NaN;
  const deepest = depth > 0 ? depth : Number.POSITIVE_INFINITY;
  const edge = { pool, direction, from, to, poolNumber, curve, spot, depth, deepest, width, gas: curve.gas };
  return curve.toBuy === undefined ? edge : { ...edge, toBuy: { ...edge, curve: curve.toBuy } };
}

/** Whether an edge's gas grows with what it sells. A hyperbola that is trusted is one stretch of it. */
export function isStepped({ depth, curve }: Edge): boolean {
  return !(depth > 0) && curve.gasStretches !== undefined;
}
