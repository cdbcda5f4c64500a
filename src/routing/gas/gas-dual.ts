import { mostEarned, type Room } from "../bound/most-earned.ts";
import { isStepped } from "../edges/edges.ts";
import { hyperbolaAt, tradeAt } from "../edges/trade-at.ts";
import { type Dual, newtonStep } from "../flow/descent.ts";
import { nodesOf, numbersOf, problemIn } from "../flow/flow-problem.ts";
import { gasAtPrice } from "../flow/goal.ts";
import { FRESH } from "../session/scratch.ts";
import type { Search } from "../session/search.ts";
import { emptyUse, useOver } from "./gas-in-parts.ts";

/** A trade of which is to be proven what it is worth at most. */
export interface Question {
  readonly search: Search;
  /** At most what is sold. */
  readonly amount: number;
  readonly room: Room;
}

/** Part of its gas below which it is not worked out what an edge earns. */
const FAR = 0.5;
/** Shift of log prices after which the candidate edges are computed anew. */
const MARGIN = 0.3;
/** A pool use costs at least this part of the trade's value: what costs nothing has no kink to be rounded. */
const MIN_GAS = 1e-9;

/**
 * The dual of a trade with gas over some edges, its variables the logarithms y of the tokens' prices:
 *
 *   exp(y_source) * amount + sum over edges of max(0, arb(y) - gas)
 *
 * Splits `arb - gas` of an edge whose gas grows with the amount into a max for each stretch of constant gas: their sum
 * is the maximum of the difference.
 *
 * The kink of each max is rounded within `width` parts of the gas, so that Newton steps can be taken: with the slopes of the
 * pools that are used, and across the kinks of those that are used in part.
 */
export interface GasDual extends Dual {
  /** The tokens, in the order of the variables; the sink, whose price is 1, is none of them. */
  readonly nodes: readonly number[];
  /** Gas of the cheapest pool use, in bought units. */
  readonly unit: number;
  /** Part of a pool use that is made of each edge, and what a whole one sells. */
  readonly parts: Float64Array;
  readonly sells: Float64Array;
  /** Value of an amount of the sold token there. */
  worthAt(at: Float64Array): number;
}

export function gasDual(
  { search, amount, room }: Question,
  slots: readonly number[],
  startPrice: number,
  width: number,
): GasDual {
  const { source, sink, graph } = search;
  const { place } = search.workspace;
  const { from: sellers, to: buyers, spot, depth } = numbersOf(problemIn(graph, slots, []), FRESH);
  const nodes = nodesOf(sellers, buyers, source, sink, place);
  const last = nodes.length - 1;
  const count = slots.length;
  const sourceAt = place[source] as number;
  const from = sellers.map((node) => place[node] as number);
  const to = buyers.map((node) => place[node] as number);
  for (const node of nodes) place[node] = -1;
  const gases = Float64Array.from(slots, (slot) => graph.gas[slot] as number);
  const deepest = Float64Array.from(slots, (slot) => graph.deepest[slot] as number);
  const hasSteps = Uint8Array.from(slots, (slot) => (isStepped(graph.edgeAt(slot)) ? 1 : 0));
  /** Gas of a pool use over the first stretch of amounts, and its end: 0 until an edge whose gas grows has been asked. */
  const firstGases = gases.slice();
  const firstEnds = new Float64Array(count);
  const rooms = nodes.map(room);
  const mostSold = Float64Array.from(from, (node) => rooms[node] as number);
  const mostBought = Float64Array.from(to, (node) => rooms[node] as number);
  const prices = new Float64Array(last + 1).fill(1);
  /** The variables, those of the tokens alone, and 0 for the sink. */
  const logs = new Float64Array(last + 1);
  /** Largest rise of prices, and largest fall of the sold token's, for which `limit` holds. */
  const highest = new Float64Array(last + 1).fill(Number.NEGATIVE_INFINITY);
  highest[last] = Number.POSITIVE_INFINITY;
  let lowest = Number.POSITIVE_INFINITY;
  /** The ratio of prices from which on each edge may count. */
  const limit = new Float64Array(count);
  /** The edges that may be worth a pool use at the prices at hand, `near` of them. */
  const places = new Int32Array(count);
  let near = 0;
  const [parts, sells] = numbersFor(count);
  /** By edge: value sold and bought in a pool use, its derivative by the price ratio, and the distance of its kink. */
  const [sold, bought, slopes, offs] = numbersFor(count);
  /** By edge whose gas grows: derivative of its gas by the price of the token sold, and of the token bought. */
  const [ofSell, ofBuy] = numbersFor(count);
  /** By edge that can take all that there is room for: amounts sold and bought, and the price ratio from which it does. */
  const [fullSells, fullBuys, fullRates] = numbersFor(count);
  const gradient = new Float64Array(last);
  const hessian = new Float64Array(last * last);
  const worthAt = (at: Float64Array) => Math.exp(at[sourceAt] as number) * amount;
  const cheapest = gases.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  const unit = (count > 0 ? cheapest * gasAtPrice(search, startPrice) : 0) + MIN_GAS * startPrice * amount;

  /** Output arrays of curves and of pool uses. */
  const trade = new Float64Array(3);
  const use = emptyUse();

  /** Writes the trade with the largest earnings on an edge at this price ratio into `trade`, in the form of curves. */
  const ask = (i: number, rate: number): void => {
    if (rate <= (fullRates[i] as number)) {
      trade[0] = fullSells[i] as number;
      trade[1] = fullBuys[i] as number;
      trade[2] = 0;
      return;
    }
    const edge = graph.edgeAt(slots[i] as number);
    const curve = edge.curve.ceiling ?? edge.curve;
    if (!hyperbolaAt(spot[i] as number, depth[i] as number, rate, trade)) tradeAt(curve, rate, trade);
    if ((trade[0] as number) <= (mostSold[i] as number) && (trade[1] as number) <= (mostBought[i] as number)) return;
    const full = mostEarned(edge, rate, mostSold[i] as number, mostBought[i] as number);
    fullSells[i] = full.sellAmount;
    fullBuys[i] = full.buyAmount;
    fullRates[i] = curve.marginalRate(full.sellAmount);
    trade[0] = full.sellAmount;
    trade[1] = full.buyAmount;
    trade[2] = 0;
  };

  /** Works out for all prices near these from which ratio on an edge may earn so much of its gas that it counts. */
  const limitNear = (): void => {
    for (let node = 0; node < last; node++) highest[node] = (logs[node] as number) + MARGIN;
    lowest = (logs[sourceAt] as number) - MARGIN;
    const perGas = gasAtPrice(search, Math.exp(lowest));
    const worth = Math.exp(highest[sourceAt] as number) * amount;
    for (let i = 0; i < count; i++) {
      const node = to[i] as number;
      const best = spot[i] as number;
      const buyPrice = node === last ? 1 : Math.exp(highest[node] as number);
      const cost = (gases[i] as number) * perGas;
      const least = Math.max(0, Math.min(FAR * cost, cost - width * (cost + MIN_GAS * worth)));
      // All that there is room for, at the best rate, earns no less; nor does the deepest hyperbola: the square of the root's part of it.
      const short = least / (buyPrice * Math.min((mostSold[i] as number) * best, mostBought[i] as number));
      const root = Math.sqrt(least / (best * (deepest[i] as number) * buyPrice));
      limit[i] = Math.log(best) + Math.min(Math.log1p(-Math.min(1, short)), 2 * Math.log1p(-Math.min(1, root)));
    }
  };

  const measure = (at: Float64Array): number => {
    const worth = worthAt(at);
    let value = worth;
    gradient.fill(0);
    gradient[sourceAt] = worth;
    let isNear = (at[sourceAt] as number) >= lowest;
    for (let node = 0; node < last; node++) {
      const log = at[node] as number;
      logs[node] = log;
      prices[node] = Math.exp(log);
      isNear &&= log <= (highest[node] as number);
    }
    if (!isNear) limitNear();
    const perGas = gasAtPrice(search, prices[sourceAt] as number);
    parts.fill(0);
    near = 0;
    let asked = 0;
    for (let i = 0; i < count; i++) {
      const a = from[i] as number;
      const b = to[i] as number;
      const cost = (gases[i] as number) * perGas;
      if ((logs[a] as number) - (logs[b] as number) >= (limit[i] as number)) continue;
      asked++;
      const sellPrice = prices[a] as number;
      const buyPrice = prices[b] as number;
      const half = width * (cost + MIN_GAS * worth);
      const rate = sellPrice / buyPrice;
      if (rate < (spot[i] as number)) ask(i, rate);
      else trade.fill(0);
      let paid = (trade[0] as number) * sellPrice;
      let earned = (trade[1] as number) * buyPrice;
      let spent = (firstGases[i] as number) * perGas;
      let profit = earned - paid - spent;
      let slope = (trade[2] as number) * sellPrice;
      const isStepping = hasSteps[i] === 1 && (trade[0] as number) >= (firstEnds[i] as number);
      ofSell[i] = 0;
      ofBuy[i] = 0;
      if (isStepping) {
        const { curve } = graph.edgeAt(slots[i] as number);
        const stretches = curve.gasStretches?.(trade[0] as number) as readonly number[];
        firstEnds[i] = stretches[0] as number;
        firstGases[i] = stretches[2] as number;
        useOver(stretches, trade, sellPrice, buyPrice, perGas, width, width * MIN_GAS * worth, use);
        ({ paid, earned, profit, across: slope } = use);
        spent = use.gas * perGas;
      }
      sells[i] = paid / sellPrice;
      places[near++] = i;
      sold[i] = paid;
      bought[i] = earned;
      offs[i] = Math.max(half, Math.abs(profit));
      slopes[i] = 0;
      if (profit <= -half) continue;
      const part = profit >= half ? 1 : (profit + half) / (2 * half);
      parts[i] = part;
      slopes[i] = part * slope;
      if (isStepping) {
        ofSell[i] = part * (use.ofSell - use.across);
        ofBuy[i] = part * (use.ofBuy - use.across);
      }
      value += part === 1 ? profit : half * part * part;
      if (a < last) gradient[a]! -= part * paid;
      if (b < last) gradient[b]! += part * earned;
      if (search.side === "exactOut") gradient[sourceAt]! -= part * spent;
    }
    search.work.steps += asked;
    return value;
  };

  const step = (at: Float64Array, trust: number, reach: number) => {
    hessian.fill(0);
    const add = (row: number, column: number, value: number) => {
      hessian[row * last + column]! += value;
      if (row !== column) hessian[column * last + row]! += value;
    };
    for (let k = 0; k < near; k++) {
      const i = places[k] as number;
      const paid = sold[i] as number;
      const earned = bought[i] as number;
      const off = offs[i] as number;
      const slope = slopes[i] as number;
      // The parabola with this bend meets max(0, x) and stays above it: a kink that a step may meet counts before it.
      const bend = off <= reach * earned || (parts[i] as number) % 1 > 0 ? 1 / (2 * off) : 0;
      if (slope === 0 && bend === 0 && hasSteps[i] === 0) continue;
      const a = from[i] as number;
      const b = to[i] as number;
      if (a < last) add(a, a, slope + bend * paid * paid);
      if (b < last) add(b, b, slope + bend * earned * earned);
      if (a < last && b < last) add(a, b, -slope - bend * paid * earned);
      if (hasSteps[i] === 1) {
        if (a < last) add(a, a, ofSell[i] as number);
        if (b < last) add(b, b, ofBuy[i] as number);
      }
    }
    const worth = worthAt(at);
    for (let i = 0; i < last; i++) hessian[i * last + i]! += 1e-13 * worth;
    return newtonStep(hessian, gradient, trust);
  };

  return { nodes: nodes.slice(0, last), unit, gradient, parts, sells, measure, step, worthAt };
}

function numbersFor(count: number): [Float64Array, Float64Array, Float64Array, Float64Array] {
  const numbers = () => new Float64Array(count);
  return [numbers(), numbers(), numbers(), numbers()];
}
