import type { PoolCurve } from "../pools/pool-math.ts";
import { type Dual, newtonStep } from "./descent.ts";
import { type EdgeGroup, isIn } from "./edge-group.ts";
import type { Edge } from "./edges.ts";
import { nodesOf, numbersOf, problemOf } from "./flow-problem.ts";
import { gasAtPrice } from "./goal.ts";
import { mostEarned } from "./most-earned.ts";
import type { Question } from "./question.ts";
import { FRESH } from "./scratch.ts";
import { hyperbolaAt, tradeAt } from "./trade-at.ts";

/** Where curves write what is asked of them. */
const trade = new Float64Array(3);
/** Part of its gas below which it is not worked out what an edge earns. */
const FAR = 0.5;
/** A touch costs at least this part of the trade's value: what costs nothing has no kink to be rounded. */
const LEAST_GAS = 1e-9;

/**
 * The dual of a trade with gas over some edges, its variables the logarithms y of the tokens' prices and a multiplier m for
 * each group of which some edge has to be touched:
 *
 *   exp(y_source) * amount + sum over edges of max(0, arb(y) - gas + m of its groups) - sum of m
 *
 * The kink of each max is rounded within `width` parts of the gas, so that Newton steps can be taken: with the slopes of the
 * pools that are touched, and across the kinks of those that are touched in part.
 */
export interface PaidDual extends Dual {
  /** The tokens, in the order of the variables; the sink, whose price is 1, is none of them. */
  readonly nodes: readonly number[];
  /** The multipliers are in units of the cheapest touch, in bought units. */
  readonly unit: number;
  /** Part of a touch that is made of each edge, what a whole touch sells, what it earns after its gas, and what that costs. */
  readonly parts: Float64Array;
  readonly sells: Float64Array;
  readonly profits: Float64Array;
  readonly costs: Float64Array;
  /** What an amount of the sold token is worth there. */
  worthAt(at: Float64Array): number;
}

export function paidDual(
  { session, goal, amount, room }: Question,
  edges: readonly Edge[],
  needed: readonly EdgeGroup[],
  startPrice: number,
  width: number,
): PaidDual {
  const { source, sink } = session;
  const { place } = session.workspace;
  const { from: sellers, to: buyers, spot, depth } = numbersOf(problemOf(edges), FRESH);
  const nodes = nodesOf(sellers, buyers, source, sink, place);
  const last = nodes.length - 1;
  const size = last + needed.length;
  const count = edges.length;
  const sourceAt = place[source] as number;
  const from = sellers.map((node) => place[node] as number);
  const to = buyers.map((node) => place[node] as number);
  for (const node of nodes) place[node] = -1;
  const curves = edges.map(({ curve }) => curve.ceiling ?? curve);
  const groups = edges.map((edge) => needed.flatMap((group, i) => (isIn(group, edge) ? [last + i] : [])));
  const gases = Float64Array.from(edges, ({ gas }) => gas);
  const mostSold = Float64Array.from(edges, ({ from }) => room(from));
  const mostBought = Float64Array.from(edges, ({ to }) => room(to));
  const prices = new Float64Array(last + 1).fill(1);
  const [parts, sells, profits, costs] = numbersFor(count);
  /** What a touch of each edge sells and buys in value, how that grows with the ratio of prices, and how fast it is touched. */
  const [sold, bought, slopes, bends] = numbersFor(count);
  /** What edges sell and buy that can take all that there is room for, and the ratio of prices from which on they do. */
  const [fullSells, fullBuys, fullRates] = numbersFor(count);
  const gradient = new Float64Array(size);
  const hessian = new Float64Array(size * size);
  const worthAt = (at: Float64Array) => Math.exp(at[sourceAt] as number) * amount;
  const cheapest = gases.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  const unit = (count > 0 ? cheapest * gasAtPrice(goal, startPrice) : 0) + LEAST_GAS * startPrice * amount;

  /** What earns most on an edge at this ratio of prices, written into `trade` as curves do. */
  const ask = (i: number, rate: number): void => {
    if (rate <= (fullRates[i] as number)) {
      trade[0] = fullSells[i] as number;
      trade[1] = fullBuys[i] as number;
      trade[2] = 0;
      return;
    }
    const curve = curves[i] as PoolCurve;
    if (!hyperbolaAt(spot[i] as number, depth[i] as number, rate, trade)) tradeAt(curve, rate, trade);
    if ((trade[0] as number) <= (mostSold[i] as number) && (trade[1] as number) <= (mostBought[i] as number)) return;
    const full = mostEarned(edges[i] as Edge, rate, mostSold[i] as number, mostBought[i] as number);
    fullSells[i] = full.sellAmount;
    fullBuys[i] = full.buyAmount;
    fullRates[i] = curve.marginalRate(full.sellAmount);
    trade[0] = full.sellAmount;
    trade[1] = full.buyAmount;
    trade[2] = 0;
  };

  const measure = (at: Float64Array): number => {
    session.steps += count;
    const worth = worthAt(at);
    let value = worth;
    gradient.fill(0);
    gradient[sourceAt] = worth;
    for (let node = 0; node < last; node++) prices[node] = Math.exp(at[node] as number);
    const perGas = gasAtPrice(goal, prices[sourceAt] as number);
    for (let group = last; group < size; group++) {
      value -= unit * (at[group] as number);
      gradient[group] = -unit;
    }
    for (let i = 0; i < count; i++) {
      const [a, b] = [from[i] as number, to[i] as number];
      const [sellPrice, buyPrice] = [prices[a] as number, prices[b] as number];
      const cost = (gases[i] as number) * perGas;
      const half = width * (cost + LEAST_GAS * worth);
      const own = groups[i] as number[];
      let waived = 0;
      for (let k = 0; k < own.length; k++) waived += unit * (at[own[k] as number] as number);
      const rate = sellPrice / buyPrice;
      /** At most what it earns: all that there is room for at its best rate. */
      const most =
        ((spot[i] as number) - rate) *
        buyPrice *
        Math.min(mostSold[i] as number, (mostBought[i] as number) / (spot[i] as number));
      const isFar = most <= Math.min(cost - half, FAR * cost) && own.length === 0;
      if (rate < (spot[i] as number) && !isFar) ask(i, rate);
      else trade.fill(0);
      sold[i] = (trade[0] as number) * sellPrice;
      bought[i] = (trade[1] as number) * buyPrice;
      costs[i] = cost;
      profits[i] = (bought[i] as number) - (sold[i] as number) - cost;
      const over = (profits[i] as number) + waived;
      const part = over <= -half ? 0 : over >= half ? 1 : (over + half) / (2 * half);
      parts[i] = part;
      sells[i] = trade[0] as number;
      slopes[i] = part * (trade[2] as number) * sellPrice;
      bends[i] = part > 0 && part < 1 ? 1 / (2 * half) : 0;
      if (part === 0) continue;
      value += part === 1 ? over : half * part * part;
      if (a < last) gradient[a]! -= part * (sold[i] as number);
      if (b < last) gradient[b]! += part * (bought[i] as number);
      if (goal.kind === "buy") gradient[sourceAt]! -= part * cost;
      for (let k = 0; k < own.length; k++) gradient[own[k] as number]! += part * unit;
    }
    return value;
  };

  const step = (at: Float64Array, least: Float64Array, most: Float64Array, trust: number) => {
    hessian.fill(0);
    const add = (row: number, column: number, value: number) => {
      hessian[row * size + column]! += value;
      if (row !== column) hessian[column * size + row]! += value;
    };
    for (let i = 0; i < count; i++) {
      const [slope, bend] = [slopes[i] as number, bends[i] as number];
      if (slope === 0 && bend === 0) continue;
      const [a, b] = [from[i] as number, to[i] as number];
      const [paid, earned] = [sold[i] as number, bought[i] as number];
      if (a < last) add(a, a, slope + bend * paid * paid);
      if (b < last) add(b, b, slope + bend * earned * earned);
      if (a < last && b < last) add(a, b, -slope - bend * paid * earned);
      if (bend === 0) continue;
      const own = groups[i] as number[];
      for (let k = 0; k < own.length; k++) {
        const group = own[k] as number;
        if (a < last) add(a, group, -bend * unit * paid);
        if (b < last) add(b, group, bend * unit * earned);
        for (let j = 0; j <= k; j++) add(group, own[j] as number, bend * unit * unit);
      }
    }
    const worth = worthAt(at);
    for (let i = 0; i < size; i++) hessian[i * size + i]! += 1e-13 * worth;
    return newtonStep(hessian, gradient, at, least, most, trust);
  };

  return { nodes: nodes.slice(0, last), unit, gradient, parts, sells, profits, costs, measure, step, worthAt };
}

function numbersFor(count: number): [Float64Array, Float64Array, Float64Array, Float64Array] {
  const numbers = () => new Float64Array(count);
  return [numbers(), numbers(), numbers(), numbers()];
}
