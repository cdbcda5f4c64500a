import type { Edge } from "../edges/edges.ts";
import { hyperbolaAt, tradeAt } from "../edges/trade-at.ts";
import { type Dual, newtonStep } from "../flow/descent.ts";
import { nodesOf } from "../flow/flow-problem.ts";
import type { Session } from "../session/session.ts";
import { emptyTouch, touchOver } from "./gas-in-parts.ts";
import type { NearSlots } from "./near-slots.ts";
import { tieLimits } from "./tie-limits.ts";
import { tiedEdges } from "./tied-edges.ts";
import { isOfEveryRoute, type Tie } from "./ties.ts";

/** The least part of the charge that may be left of it. */
export const LEAST_CHARGE = 0.3;
/** The kink at a tick is rounded within this part of the charge at least: gas may be next to nothing. */
const LEAST_STEP = 1e-3;

/** A trade of which a route may make no more than so many touches, and where its dual is minimised from. */
export interface ChargedTrade {
  readonly amount: number;
  readonly mostTouches: number;
  readonly costPerGas: number;
  /** Logarithms of the prices to begin with, in bought units, and how far each may move. */
  readonly logPrices: ReadonlyMap<number, number>;
  readonly reach: number;
  /** The charge to begin with, in bought units. */
  readonly charge: number;
  /** How closely kinks are followed, as a part of what a touch costs at first. */
  readonly width: number;
  /** What a route that touches some edges has to touch besides. */
  readonly ties: readonly Tie[];
}

/** What is made of an edge at some prices. */
export interface ChargedEdge {
  readonly edge: Edge;
  readonly slot: number;
  /** What it earns after its gas, in bought units. */
  readonly profit: number;
  /** Part of a touch. */
  readonly part: number;
  /** What a whole touch sells. */
  readonly sells: number;
}

/**
 * The dual of a trade over the edges in some slots of which a route may touch no more than so many, its variables the
 * logarithms y of the tokens' prices, the charge c for each touch, the multiplier of that limit, and those m of ties:
 *
 *   exp(y_source) * amount + sum over edges of max(0, arb(y) - gas - c + met m - borne m) + most touches * c - m of the ends
 *
 * Where gas grows with what an edge sells, `arb - gas` is the most of their difference (`gas-in-parts.ts`). The kink of each
 * max is rounded so that Newton steps can be taken. What earns too little to count is not looked at:
 * multipliers have limits beyond which it would (`tie-limits.ts`).
 */
export interface ChargedDual extends Dual {
  /** The tokens, in the order of the variables; the sink, whose price is 1, is none of them. The charge follows, then the ties. */
  readonly nodes: readonly number[];
  /** The edges that are touched at least in part where was measured last. */
  touched(): ChargedEdge[];
}

export function chargedDual(session: Session, trader: ChargedTrade, near: NearSlots): ChargedDual {
  const { amount, mostTouches, costPerGas, logPrices, reach, charge: unit, width, ties } = trader;
  const { source, sink, graph } = session;
  const { place } = session.workspace;
  const { slots, spot, best, depth, deep, deepest } = near;
  const count = slots.length;
  const nodes = nodesOf(near.from, near.to, source, sink, place);
  const last = nodes.length - 1;
  const size = last + 1 + ties.length;
  const sourceAt = place[source] as number;
  const [from, to] = [new Int32Array(count), new Int32Array(count)];
  for (let i = 0; i < count; i++) {
    from[i] = place[near.from[i] as number] as number;
    to[i] = place[near.to[i] as number] as number;
  }
  for (const node of nodes) place[node] = -1;
  const tied = tiedEdges(ties, slots, nodes, from, to, last + 1);
  const limits = tieLimits(session, ties, last + 1, unit, width * unit);
  const [gases, limit] = [new Float64Array(count), new Float64Array(count)];
  const highest = nodes.map((node) => Math.exp((logPrices.get(node) ?? 0) + (node === sink ? 0 : reach)));
  for (let i = 0; i < count; i++) {
    gases[i] = (near.gas[i] as number) * costPerGas;
    // The logarithm of the ratio of prices from which on it may count. A hyperbola earns spot * depth * (1 - root of ratio / spot)^2.
    const cost = (1 - width) * (gases[i] as number) + Math.max(0, LEAST_CHARGE - width) * unit;
    const most = (spot[i] as number) * (near.deepestAbout[i] as number);
    const short = Math.sqrt(cost / (most * (highest[to[i] as number] as number)));
    limit[i] = short < 1 ? (best[i] as number) + 2 * Math.log(1 - short) : Number.NEGATIVE_INFINITY;
    if (tied.isAskedFor(i)) limit[i] = best[i] as number;
  }

  const prices = new Float64Array(size).fill(1);
  /** The variables, those of the tokens alone, and 0 for the sink. */
  const logs = new Float64Array(size);
  const gradient = new Float64Array(size);
  const hessian = new Float64Array(size * size);
  /** By number of what is touched: the edge, part of a touch, what a touch sells, both sides in value, and slopes. */
  const places = new Int32Array(count);
  const [parts, sells, sold, bought, slopes, bends] = numbersFor(count);
  /** Where an edge's gas grows: how much more that grows with the price of what it sells, and of what it buys. */
  const [ofSell, ofBuy] = numbersFor(count);
  const profits = new Float64Array(count);
  let touched = 0;
  /** Where curves write what is asked of them, and what is made of a touch. */
  const trade = new Float64Array(3);
  const touch = emptyTouch();

  /**
   * What an edge sells and buys at a rate below its best, and its slope, written into `trade`; the stretches over which gas
   * stays the same, where it counts and grows.
   */
  const ask = (i: number, rate: number): readonly number[] | undefined => {
    if (hyperbolaAt(spot[i] as number, depth[i] as number, rate, trade)) return undefined;
    const { curve } = graph.edgeAt(slots[i] as number);
    tradeAt(curve.ceiling ?? curve, rate, trade);
    return costPerGas > 0 ? curve.gasStretches?.(trade[0] as number) : undefined;
  };

  const measure = (at: Float64Array): number => {
    session.steps += count;
    const worth = Math.exp(at[sourceAt] as number) * amount;
    const charge = unit * (at[last] as number);
    let value = worth + mostTouches * charge;
    gradient.fill(0);
    gradient[sourceAt] = worth;
    gradient[last] = mostTouches * unit;
    ties.forEach((tie, k) => {
      if (!isOfEveryRoute(tie)) return;
      value -= unit * (at[last + 1 + k] as number);
      gradient[last + 1 + k] = -unit;
    });
    for (let node = 0; node < last; node++) {
      logs[node] = at[node] as number;
      prices[node] = Math.exp(at[node] as number);
    }
    value += limits.measure(at, gradient);
    touched = 0;
    for (let i = 0; i < count; i++) {
      const a = from[i] as number;
      const b = to[i] as number;
      const ratio = (logs[a] as number) - (logs[b] as number);
      if ((limit[i] as number) <= ratio || (best[i] as number) <= ratio) continue;
      const sellPrice = prices[a] as number;
      const buyPrice = prices[b] as number;
      const gas = gases[i] as number;
      const half = width * (gas + unit);
      const cost = gas + charge + unit * tied.costOf(i, at);
      // No curve earns more than the deepest hyperbola that it may be.
      const stretch = Math.sqrt(((spot[i] as number) * buyPrice) / sellPrice) - 1;
      if ((deepest[i] as number) * sellPrice * stretch * stretch - cost <= -half) continue;
      const stretches = ask(i, sellPrice / buyPrice);
      let paid = (trade[0] as number) * sellPrice;
      let earned = (trade[1] as number) * buyPrice;
      let profit = earned - paid - gas;
      let slope = (trade[2] as number) * sellPrice;
      let moreOfSell = 0;
      let moreOfBuy = 0;
      if (stretches !== undefined) {
        touchOver(stretches, trade, sellPrice, buyPrice, costPerGas, width, width * LEAST_STEP * unit, touch);
        ({ paid, earned, profit, across: slope } = touch);
        [moreOfSell, moreOfBuy] = [touch.ofSell - slope, touch.ofBuy - slope];
      }
      const over = profit - (cost - gas);
      if (over <= -half) continue;
      const part = over >= half ? 1 : (over + half) / (2 * half);
      places[touched] = i;
      parts[touched] = part;
      sells[touched] = paid / sellPrice;
      sold[touched] = paid;
      bought[touched] = earned;
      profits[touched] = profit;
      slopes[touched] = part * slope;
      ofSell[touched] = part * moreOfSell;
      ofBuy[touched] = part * moreOfBuy;
      bends[touched++] = part < 1 ? 1 / (2 * half) : 0;
      value += part === 1 ? over : half * part * part;
      if (a < last) gradient[a]! -= part * paid;
      if (b < last) gradient[b]! += part * earned;
      gradient[last]! -= part * unit;
      tied.addSlopes(gradient, i, -part * unit);
    }
    return value;
  };

  /** Adds a slope between two tokens, of which one may be the sink. */
  const join = (a: number, b: number, first: number, second: number, between: number): void => {
    if (a < last) hessian[a * size + a]! += first;
    if (b < last) hessian[b * size + b]! += second;
    if (a === last || b === last) return;
    hessian[a * size + b]! -= between;
    hessian[b * size + a]! -= between;
  };
  const joinCharge = (node: number, slope: number): void => {
    if (node === last) return;
    hessian[node * size + last]! += slope;
    hessian[last * size + node]! += slope;
  };

  /** Counts edges as slopes that no part of a touch is made of, but would be by a step that goes so far in the logarithm. */
  const foresee = (at: Float64Array, reach: number): void => {
    const charge = unit * (at[last] as number);
    for (let i = 0; i < count; i++) {
      const a = from[i] as number;
      const b = to[i] as number;
      const ratio = (logs[a] as number) - (logs[b] as number);
      if ((limit[i] as number) <= ratio - reach) continue;
      const value = (deep[i] as number) * (prices[a] as number);
      const cost = (1 - width) * (gases[i] as number) + charge - width * unit + unit * tied.costOf(i, at);
      // Where the root of its rate is s times that of the ratio of prices, a hyperbola earns value * (s - 1)^2; log s is no
      // less than 1 - 1 / s.
      const far = reach + (best[i] as number) - ratio;
      if (far <= 0 || (far < 2 && cost * (2 - far) ** 2 >= value * far ** 2)) continue;
      const missing = 2 * Math.log(1 + Math.sqrt(Math.max(0, cost) / value)) - ((best[i] as number) - ratio);
      if (missing <= 0 || missing >= reach) continue;
      const slope = ((1 - missing / reach) * value) / (2 * width);
      join(a, b, slope, slope, slope);
    }
  };

  const step = (at: Float64Array, least: Float64Array, most: Float64Array, trust: number, reach: number) => {
    hessian.fill(0);
    for (let k = 0; k < touched; k++) {
      const a = from[places[k] as number] as number;
      const b = to[places[k] as number] as number;
      const slope = slopes[k] as number;
      const bend = bends[k] as number;
      const paid = sold[k] as number;
      const earned = bought[k] as number;
      const first = slope + (ofSell[k] as number);
      const second = slope + (ofBuy[k] as number);
      join(a, b, first + bend * paid * paid, second + bend * earned * earned, slope + bend * paid * earned);
      joinCharge(a, bend * unit * paid);
      joinCharge(b, -bend * unit * earned);
      hessian[last * size + last]! += bend * unit * unit;
      if (bend === 0) continue;
      const i = places[k] as number;
      if (a < last) tied.addBends(hessian, size, i, a, bend * unit * paid);
      if (b < last) tied.addBends(hessian, size, i, b, -bend * unit * earned);
      tied.addBends(hessian, size, i, last, bend * unit * unit);
      tied.addOwnBends(hessian, size, i, bend * unit * unit);
    }
    limits.addBends(hessian);
    foresee(at, reach);
    const worth = Math.exp(at[sourceAt] as number) * amount;
    for (let i = 0; i < size; i++) hessian[i * size + i]! += 1e-13 * worth;
    return newtonStep(hessian, gradient, at, least, most, trust);
  };

  const touchedEdge = (k: number): ChargedEdge => {
    const slot = slots[places[k] as number] as number;
    const edge = graph.edgeAt(slot);
    return { edge, slot, profit: profits[k] as number, part: parts[k] as number, sells: sells[k] as number };
  };
  return {
    nodes: nodes.slice(0, last),
    gradient,
    measure,
    step,
    touched: () => Array.from({ length: touched }, (_, k) => touchedEdge(k)),
  };
}

type Numbers = Float64Array;

function numbersFor(count: number): [Numbers, Numbers, Numbers, Numbers, Numbers, Numbers] {
  const numbers = () => new Float64Array(count);
  return [numbers(), numbers(), numbers(), numbers(), numbers(), numbers()];
}
