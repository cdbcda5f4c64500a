import type { PoolCurve } from "../pools/pool-math.ts";
import type { Edge } from "./edges.ts";

const HALVINGS = 40;
/** Relative step of the rate that the slope of a curve is measured with. */
const RATE_STEP = 1e-6;

/** What an edge sells at a rate, and what it pays for that; the pool's own curve, or the concave one above it. */
interface Trade {
  readonly sellAt: (rate: number) => number;
  readonly buyFor: (sell: number) => number;
}

/**
 * An edge after the gas of one touch, made concave, as if a part of a touch cost a part of its gas: it sells nothing above
 * the rate at which some trade just earns its gas, at that rate as much as this trade, or a part of it, and below it what the
 * pool does. Within `width` of that rate, as a part of it, it sells in proportion: prices can be minimised over a slope,
 * not over a step. `gas`: of a touch, in bought units of the edge; `room`: the most that it may sell. Undefined where
 * no rate above `least` has a trade that earns its gas.
 */
export function paidEdge(edge: Edge, gas: number, room: number, width: number, least: number): Edge | undefined {
  const real = edge.curve.ceiling ?? edge.curve;
  if (!real.concave) return undefined;
  const most = Math.min(room, real.maxSell);
  const trade = edge.depth > 0 ? hyperbola(edge) : curved(real);
  const rate = breakEven(edge, trade, gas, most);
  if (!(rate > least)) return undefined;
  const [bottom, top] = [rate * (1 - width), rate * (1 + width)];
  const sellAt = (at: number) => Math.min(trade.sellAt(at), most);
  const first = sellAt(bottom);
  const curve: PoolCurve = {
    maxSell: most,
    gas: edge.gas,
    concave: true,
    marginalRate: (sell) => (sell < first ? rate : edge.curve.marginalRate(sell)),
    buyAmountFor: (sell) => (sell < first ? rate * sell : trade.buyFor(sell) - gas),
    sellAmountAtRate: (at) => (at >= top ? 0 : at > bottom ? (first * (top - at)) / (top - bottom) : sellAt(at)),
    tradeAtRate(at, into) {
      const sell = curve.sellAmountAtRate(at);
      into[0] = sell;
      if (at > bottom) {
        into[1] = (0.5 * sell * sell * (top - bottom)) / first + at * sell;
        into[2] = (first * at) / (top - bottom);
      } else {
        into[1] = trade.buyFor(sell) - gas;
        into[2] = (sellAt(at * (1 - RATE_STEP)) - sell) / RATE_STEP;
      }
    },
  };
  const { pool, direction, from, to, poolNumber } = edge;
  return {
    pool,
    direction,
    from,
    to,
    poolNumber,
    gas: edge.gas,
    width: edge.width,
    spot: top,
    depth: Number.NaN,
    curve,
  };
}

function curved(curve: PoolCurve): Trade {
  return {
    sellAt: (rate) => curve.sellAmountAtRate(rate),
    buyFor: (sell) => curve.buyAmountFor(sell),
  };
}

function hyperbola({ spot, depth }: Edge): Trade {
  return {
    sellAt: (rate) => (rate < spot ? depth * (Math.sqrt(spot / rate) - 1) : 0),
    buyFor: (sell) => (spot * sell) / (1 + sell / depth),
  };
}

/** The highest rate at which a trade of at most `most` earns its gas; 0 where none does. */
function breakEven({ spot, depth }: Edge, { sellAt, buyFor }: Trade, gas: number, most: number): number {
  const chord = (buyFor(most) - gas) / most;
  if (!(chord > 0)) return 0;
  // The whole room at once earns its gas first where the curve is still steeper there than the straight line.
  if (sellAt(chord) >= most) return chord;
  if (depth > 0) return spot * (1 - Math.sqrt(gas / (spot * depth))) ** 2;
  const earns = (rate: number) => buyFor(sellAt(rate)) - rate * sellAt(rate) > gas;
  let low = chord;
  let high = spot;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (earns(middle)) low = middle;
    else high = middle;
  }
  return low;
}
