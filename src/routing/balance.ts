import type { Edge } from "./edges.ts";
import type { SpreadPrices } from "./outer-prices.ts";
import type { Session } from "./session.ts";

/** The search outwards: its first step of the logarithm, four times as far each time. */
const FIRST_STEP = 1e-3;
const MOST_DOUBLINGS = 20;
/** The search within: steps, and when it is close enough in the logarithm, or in the surplus against the first. */
const MOST_STEPS = 12;
const CLOSE = 1e-9;
const SMALL = 1e-3;

/**
 * Sets the price of one token, all others fixed, so that the pools around it earn least after gas: where the value that
 * they bring in equals the value that they take out. The sum of profits is convex in the price's logarithm.
 */
export function balance(session: Session, prices: SpreadPrices, node: number, costPerGas: number): void {
  const edges: Edge[] = [];
  for (const edge of session.leaving(node).edges)
    if ((prices.price[edge.to] as number) > 0 && session.allows(edge)) edges.push(edge);
  const surplusAt = (logPrice: number): number => {
    session.steps += edges.length;
    return surplus(edges, prices, Math.exp(logPrice), costPerGas, session);
  };
  const start = Math.log(prices.price[node] as number);
  const first = surplusAt(start);
  if (first === 0) return;
  const sign = first > 0 ? -1 : 1;
  let near = start;
  let far = start;
  let step = FIRST_STEP;
  let nearValue = first;
  let farValue = first;
  for (let i = 0; i < MOST_DOUBLINGS; i++, step *= 4) {
    far = near + sign * step;
    farValue = surplusAt(far);
    if (farValue * sign >= 0) break;
    near = far;
    nearValue = farValue;
  }
  // False position with the Illinois rule: an end that stays is halved, so that both ends come closer.
  let last = 0;
  for (let i = 0; i < MOST_STEPS && Math.abs(far - near) > CLOSE; i++) {
    const middle = (near * farValue - far * nearValue) / (farValue - nearValue);
    const value = surplusAt(middle);
    if (Math.abs(value) <= SMALL * Math.abs(first)) {
      near = middle;
      far = middle;
    } else if (value * sign >= 0) {
      far = middle;
      farValue = value;
      if (last === 1) nearValue /= 2;
      last = 1;
    } else {
      near = middle;
      nearValue = value;
      if (last === -1) farValue /= 2;
      last = -1;
    }
  }
  prices.price[node] = Math.exp((near + far) / 2);
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
    const other = prices.price[to] as number;
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
