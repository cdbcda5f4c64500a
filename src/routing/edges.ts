import type { Address } from "../domain/address.ts";
import { mathOf, type Pool } from "../pools/pool.ts";
import type { Direction, PoolCurve } from "../pools/pool-math.ts";
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
  /** What has to be sold to move the rate by NARROW: how much a price of this pool is worth. */
  readonly width: number;
  /** Gas of one touch, at the least. */
  readonly gas: number;
  /** A number of the pool, the same for all its edges and states. */
  readonly poolNumber: number;
}

/** Part of the rate that `width` is measured at. */
const NARROW = 0.98;
const WIDTH_OF_DEPTH = 1 / Math.sqrt(NARROW) - 1;

const NOTHING: PoolCurve = {
  marginalRate: () => 0,
  buyAmountFor: () => 0,
  sellAmountAtRate: () => 0,
  maxSell: 0,
  gas: 0,
  concave: true,
};

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

/** All directions of a pool, the ones that sell nothing among them, but none between tokens that are the same node. */
export function makeEdges(
  pool: Pool,
  time: bigint,
  nodeOf: (token: Address) => number,
  poolNumber: number,
): readonly Edge[] {
  const edges: Edge[] = [];
  const { tokens } = pool;
  for (let sell = 0; sell < tokens.length; sell++) {
    for (let buy = 0; buy < tokens.length; buy++) {
      const from = nodeOf(tokens[sell] as Address);
      const to = nodeOf(tokens[buy] as Address);
      if (from !== to) edges.push(makeEdge(pool, directionAt(sell, buy), time, from, to, poolNumber));
    }
  }
  return edges;
}

function makeEdge(pool: Pool, direction: Direction, time: bigint, from: number, to: number, poolNumber: number): Edge {
  const math = mathOf(pool);
  const same = { pool, direction, from, to, poolNumber };
  const hyperbola = math.hyperbola?.(pool.state, direction);
  if (hyperbola !== undefined) {
    const { spot, depth, gas } = hyperbola;
    let made: PoolCurve | undefined;
    return {
      ...same,
      spot,
      depth,
      width: depth * WIDTH_OF_DEPTH,
      gas,
      get curve() {
        made ??= math.curve(pool.state, direction, time) ?? NOTHING;
        return made;
      },
    };
  }
  const curve = math.curve(pool.state, direction, time) ?? NOTHING;
  const first = (curve.ceiling ?? curve).marginalRate(0);
  const spot = first > 0 && Number.isFinite(first) ? first : 0;
  const width = spot > 0 ? curve.sellAmountAtRate(spot * NARROW) : 0;
  return { ...same, curve, spot, depth: spot > 0 ? depthOf(curve, spot) : Number.NaN, width, gas: curve.gas };
}
