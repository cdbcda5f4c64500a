import { askBundle, type Bundle } from "./bundle.ts";
import { TRUSTED_DEPTHS } from "./depth.ts";
import type { Edge } from "./edges.ts";
import { type FlowProblem, nodesOf } from "./flow-problem.ts";
import { solvePositive } from "./linear.ts";
import type { Session } from "./session.ts";

/** The best split of a trade over given edges, to floating point accuracy. */
export interface Flow {
  /** Logarithm of each token's price in bought units, by node; the sink's is 0. */
  readonly logPrices: ReadonlyMap<number, number>;
  /** What these prices prove: over these edges nothing is worth more, in bought units. */
  readonly value: number;
  /** What each edge or bundle sells and buys, by position in the problem. */
  readonly sells: Float64Array;
  readonly buys: Float64Array;
  /** What each earns at these prices, in bought units: at least what the trade loses without it. */
  readonly profits: Float64Array;
}

/** Where curves write what is asked of them. */
const trade = new Float64Array(3);
const MOST_ROUNDS = 40;
/** Rounds that are taken even out of budget: less is no flow to answer with. */
const LEAST_ROUNDS = 6;
/** Lengths of a step that are tried, each a fourth of the one before: a deep pool next to a small one turns within 10^-8. */
const MOST_ATTEMPTS = 20;
/** What a further step promises at which the solution is close enough, as a part of the trade's value. */
const CLOSE = 1e-11;
/** Relative step of the rate that the slope of an edge is measured with. */
const RATE_STEP = 1e-6;
/** How far the first step is taken to go, in the logarithm. */
const FIRST_REACH = 3e-3;
/** How much shorter the reach may get in one step: pools that a step makes worth it would let the next one jump back. */
const SLOWEST = 3;
/** How far the first step may go, in the logarithm; the next ones twice as far each, or half as far after a bad one. */
const FIRST_TRUST = 0.1;
/** Most that a logarithm of a price may move in one step. */
const LONGEST_STEP = 3;

/**
 * The trade of `amount` of the source's token over these edges, which form no cycle. Minimises its dual over the logarithms of the token prices y:
 * exp(y_source) * amount + the sum over edges of their largest profit at these prices. One closed problem per edge or bundle
 * (sell until the marginal rate equals the ratio of prices), Newton steps with the Laplacian of the edges' slopes
 * (Diamandis et al., arXiv 2302.04938, there with L-BFGS). `close`: what a further step may still promise at the end, as a
 * part of the trade's value. Out of budget it ends after a few rounds: prices that prove less, a flow that need not balance.
 */
export function solveFlow(
  session: Session,
  { from: sellers, to: buyers, spot, depth, edges, bundles }: FlowProblem,
  amount: number,
  start: ReadonlyMap<number, number>,
  close = CLOSE,
): Flow {
  const { source, sink } = session;
  const { place } = session.workspace;
  const nodes = nodesOf(sellers, buyers, source, sink, place);
  const size = nodes.length - 1;
  const count = spot.length;
  const sourceSlot = place[source] as number;
  const from = sellers.map((node) => place[node] as number);
  const to = buyers.map((node) => place[node] as number);
  const prices = new Float64Array(size + 1);
  const sells = new Float64Array(count);
  const buys = new Float64Array(count);
  const slopes = new Float64Array(count);
  const profits = new Float64Array(count);
  const gradient = new Float64Array(size + 1);
  const hessian = new Float64Array(size * size);
  let y = new Float64Array(size + 1);
  nodes.forEach((node, slot) => {
    y[slot] = node === sink ? 0 : (start.get(node) ?? 0);
    place[node] = -1;
  });
  /** How far the last step went in the logarithm: edges that are not worth it by less than that count as slopes too. */
  let reach = FIRST_REACH;

  /** The dual's value at `at`; leaves flows, slopes and gradient behind. */
  const measure = (at: Float64Array): number => {
    session.steps += count;
    const inflow = Math.exp(at[sourceSlot] as number) * amount;
    let value = inflow;
    gradient.fill(0);
    gradient[sourceSlot] = inflow;
    for (let slot = 0; slot <= size; slot++) prices[slot] = Math.exp(at[slot] as number);
    for (let i = 0; i < count; i++) {
      const a = from[i] as number;
      const b = to[i] as number;
      const sellPrice = prices[a] as number;
      const buyPrice = prices[b] as number;
      const rate = sellPrice / buyPrice;
      if (rate >= (spot[i] as number)) {
        sells[i] = 0;
        buys[i] = 0;
        profits[i] = 0;
        // Nearly worth it: a step as long as the last one would meet this edge's slope.
        const short = 1 - (rate / (spot[i] as number) - 1) / reach;
        slopes[i] = short > 0 && (depth[i] as number) > 0 ? 0.5 * short * (depth[i] as number) * sellPrice : 0;
        continue;
      }
      const stretch = Math.sqrt((spot[i] as number) / rate);
      const depths = stretch - 1;
      let sell = (depth[i] as number) * depths;
      let buy: number;
      let slope: number;
      if (i >= edges.length) {
        askBundle(session.graph, bundles[i - edges.length] as Bundle, Math.sqrt(rate), trade);
        sell = trade[0] as number;
        buy = trade[1] as number;
        slope = (trade[2] as number) * sellPrice;
        // Without a depth `sell` is no number.
      } else if (depths <= TRUSTED_DEPTHS && sell >= 0) {
        buy = (sell * (spot[i] as number)) / stretch;
        slope = 0.5 * (sell + (depth[i] as number)) * sellPrice;
      } else {
        const { curve } = edges[i] as Edge;
        if (curve.tradeAtRate !== undefined) {
          curve.tradeAtRate(rate, trade);
          sell = trade[0] as number;
          buy = trade[1] as number;
          slope = (trade[2] as number) * sellPrice;
        } else {
          sell = Math.min(curve.sellAmountAtRate(rate), curve.maxSell);
          buy = curve.buyAmountFor(sell);
          const further = Math.min(curve.sellAmountAtRate(rate * (1 - RATE_STEP)), curve.maxSell);
          slope = ((further - sell) * sellPrice) / RATE_STEP;
        }
      }
      const paid = sell * sellPrice;
      const earned = buy * buyPrice;
      sells[i] = sell;
      buys[i] = buy;
      slopes[i] = slope;
      profits[i] = earned - paid;
      value += earned - paid;
      gradient[a]! -= paid;
      gradient[b]! += earned;
    }
    return value;
  };

  let value = measure(y);
  let trust = FIRST_TRUST;
  for (let round = 0; round < MOST_ROUNDS && (round < LEAST_ROUNDS || !session.over()); round++) {
    const scale = Math.exp(y[sourceSlot] as number) * amount;
    const step = newtonStep(hessian, gradient, slopes, from, to, size, scale, trust);
    if (dot(gradient, step, size) <= close * scale) break;
    const length = largest(step, size);
    let fraction = length > LONGEST_STEP ? LONGEST_STEP / length : 1;
    reach = Math.max(reach / SLOWEST, Math.min(reach, length));
    const before = value;
    const norm = largest(gradient, size);
    let moved = false;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const next = y.slice();
      for (let slot = 0; slot < size; slot++) {
        next[slot]! -= fraction * (step[slot] as number);
      }
      value = measure(next);
      if (value < before || (value <= before * (1 + 1e-15) && largest(gradient, size) < norm)) {
        y = next;
        moved = true;
        break;
      }
      fraction /= 4;
    }
    trust = fraction === 1 ? Math.min(LONGEST_STEP, 2 * trust) : trust / 2;
    if (!moved) {
      value = measure(y);
      break;
    }
  }
  const logPrices = new Map(nodes.map((node, slot) => [node, y[slot] as number]));
  return { logPrices, value, sells, buys, profits };
}

function newtonStep(
  hessian: Float64Array,
  gradient: Float64Array,
  slopes: Float64Array,
  from: Int32Array,
  to: Int32Array,
  size: number,
  scale: number,
  trust: number,
): Float64Array {
  hessian.fill(0);
  for (let i = 0; i < slopes.length; i++) {
    const a = from[i] as number;
    const b = to[i] as number;
    const slope = slopes[i] as number;
    if (a < size) hessian[a * size + a]! += slope;
    if (b < size) hessian[b * size + b]! += slope;
    if (a < size && b < size) {
      hessian[a * size + b]! -= slope;
      hessian[b * size + a]! -= slope;
    }
  }
  for (let slot = 0; slot < size; slot++)
    hessian[slot * size + slot]! += Math.abs(gradient[slot] as number) / trust + 1e-13 * scale;
  return solvePositive(hessian, gradient, size);
}

function dot(a: Float64Array, b: Float64Array, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

function largest(vector: Float64Array, size: number): number {
  let most = 0;
  for (let i = 0; i < size; i++) most = Math.max(most, Math.abs(vector[i] as number));
  return most;
}
