import type { Edge } from "./edges.ts";
import type { SpreadPrices } from "./outer-prices.ts";
import type { Session } from "./session.ts";

/** Widest search for a price, in doublings of its step, and bisections within. */
const MOST_DOUBLINGS = 40;
const BISECTIONS = 16;
const FIRST_STEP = 1e-3;

/**
 * Sets the price of one token, all others fixed, so that the pools around it earn least after gas: where the value that
 * they bring in equals the value that they take out. The sum of profits is convex in the price's logarithm.
 */
export function balance(session: Session, prices: SpreadPrices, node: number, costPerGas: number): void {
  const edges: Edge[] = [];
  for (const edge of session.leaving(node).edges) if (prices.of(edge.to) > 0 && session.allows(edge)) edges.push(edge);
  const surplusAt = (logPrice: number): number => {
    session.steps += edges.length;
    return surplus(edges, prices, Math.exp(logPrice), costPerGas, session);
  };
  const start = Math.log(prices.of(node));
  const first = surplusAt(start);
  if (first === 0) return;
  const sign = first > 0 ? -1 : 1;
  let near = start;
  let far = start;
  let step = FIRST_STEP;
  for (let i = 0; i < MOST_DOUBLINGS; i++, step *= 2) {
    far = near + sign * step;
    if (surplusAt(far) * sign >= 0) break;
    near = far;
  }
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (near + far) / 2;
    if (surplusAt(middle) * sign >= 0) far = middle;
    else near = middle;
  }
  prices.set(node, Math.exp((near + far) / 2));
}

/** Value that pools bring in at this price of a token less the value that they take out: rises with the price. */
function surplus(
  edges: readonly Edge[],
  prices: SpreadPrices,
  own: number,
  costPerGas: number,
  { source, sink }: Session,
): number {
  let sum = 0;
  for (const { to, spot, curve, twin } of edges) {
    const other = prices.of(to);
    const gas = curve.gas * costPerGas;
    if (spot * other > own && to !== source) {
      const sell = Math.min(curve.sellAmountAtRate(own / other), curve.maxSell);
      if (curve.buyAmountFor(sell) * other - sell * own > gas) sum -= sell * own;
    }
    if (twin !== undefined && twin.spot * own > other && to !== sink) {
      const sell = Math.min(twin.curve.sellAmountAtRate(other / own), twin.curve.maxSell);
      const buy = twin.curve.buyAmountFor(sell);
      if (buy * own - sell * other > gas) sum += buy * own;
    }
  }
  return sum;
}
