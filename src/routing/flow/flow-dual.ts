import type { Bundle } from "../edges/bundle.ts";
import { TRUSTED_DEPTHS } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";
import { tradeAt } from "../edges/trade-at.ts";
import type { Search, Side } from "../session/search.ts";
import type { Memory } from "../session/workspace.ts";
import { type FlowProblem, nodesOf, numbersOf } from "./flow-problem.ts";
import { type GasTerm, measureAfterGas } from "./gas-term.ts";

/** An amount of the source's token to sell, or one of the sink's to buy. */
export interface Trade {
  readonly side: Side;
  readonly amount: number;
  /** Least value of a useful flow, as prices prove it for a `Flow`. */
  readonly least?: number;
  /** Gas of each edge as a term of an exact-in trade; absent: none. Bundles have no gas. */
  readonly gas?: GasTerm;
}

/**
 * Value and derivatives of a flow's dual at some prices, by variable or by edge, in units of the token whose price is 1
 * unless another unit is named.
 */
export interface FlowPoint {
  value: number;
  readonly gradient: Float64Array;
  /** Amount that each edge or bundle sells, in base units, and its earnings. */
  readonly sells: Float64Array;
  readonly profits: Float64Array;
  /**
   * The value that each carries, and how that grows with the logarithm of the ratio of its prices; where it carries nothing,
   * the slope that it would begin with (0 where no depth tells) and that logarithm at which it would, as a negative value.
   */
  readonly carried: Float64Array;
  readonly slopes: Float64Array;
}

/**
 * The dual of a trade over edges, its variables the logarithms y of the tokens' prices:
 *
 *   exp(y_source) * amount + sum over edges of their largest profit at these prices
 *
 * with the price of the sink at 1 for an amount to sell; for one to buy, with the price of the source at 1,
 *
 *   sum over edges of their largest profit at these prices - exp(y_sink) * amount
 *
 * No route pays more than the one, and none takes less than the other, negative. With gas an edge counts as a `GasTerm` says.
 */
export interface FlowDual {
  /** The tokens, in the order of the variables; the one whose price is 1 comes last and is none of them. */
  readonly nodes: readonly number[];
  /** Position of the token whose amount is given. */
  readonly givenAt: number;
  /** By edge or bundle the variables that it leads between. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** As in numbersOf. */
  readonly depth: Float64Array;
  /** Assumed length of the next step: kinks of gas within that count before they are met. */
  reach: number;
  /** Room for what is measured. */
  point(): FlowPoint;
  measure(at: Float64Array, point: FlowPoint): void;
}

/** Assumed reach of the first step. */
const FIRST_REACH = 0.03;

export function flowDual(search: Search, problem: FlowProblem, { side, amount, gas }: Trade, memory: Memory): FlowDual {
  const { edges, bundles = [] } = problem;
  const { source, sink } = search;
  const { place } = search.workspace;
  const { from, to, spot, depth, opening } = numbersOf(problem, memory);
  const [given, unit] = side === "exactIn" ? [source, sink] : [sink, source];
  const nodes = nodesOf(from, to, given, unit, place);
  const last = nodes.length - 1;
  const count = spot.length;
  const givenAt = place[given] as number;
  const logSpot = memory.floats(count);
  for (let i = 0; i < count; i++) {
    from[i] = place[from[i] as number] as number;
    to[i] = place[to[i] as number] as number;
    logSpot[i] = Math.log(spot[i] as number);
  }
  for (const node of nodes) place[node] = -1;
  const prices = memory.floats(last + 1);
  const point = (): FlowPoint => ({
    value: 0,
    gradient: memory.floats(last + 1),
    sells: memory.floats(count),
    profits: memory.floats(count),
    carried: memory.floats(count),
    slopes: memory.floats(count),
  });

  /** Output array of curves. */
  const trade = memory.floats(3);

  /** Writes the trade of a bundle or curve at a rate into `trade`. */
  const ask = (i: number, rate: number): void => {
    if (i < edges.length) tradeAt((edges[i] as Edge).curve, rate, trade);
    else (bundles[i - edges.length] as Bundle).tradeAt(Math.sqrt(rate), trade);
  };

  const measure = (at: Float64Array, point: FlowPoint): void => {
    const { gradient, sells, profits, carried, slopes } = point;
    search.work.steps += count;
    const worth = Math.exp(at[givenAt] as number) * amount;
    let value = side === "exactIn" ? worth : -worth;
    gradient.fill(0);
    gradient[givenAt] = value;
    for (let slot = 0; slot <= last; slot++) prices[slot] = Math.exp(at[slot] as number);
    for (let i = 0; i < count; i++) {
      const a = from[i] as number;
      const b = to[i] as number;
      const sellPrice = prices[a] as number;
      const buyPrice = prices[b] as number;
      /** The best rate as a part of the ratio of prices. */
      const ratio = ((spot[i] as number) * buyPrice) / sellPrice;
      if (!(ratio > 1)) {
        sells[i] = 0;
        profits[i] = 0;
        slopes[i] = 0.5 * (opening[i] as number) * sellPrice;
        carried[i] = (logSpot[i] as number) + (at[b] as number) - (at[a] as number);
        continue;
      }
      const depths = Math.sqrt(ratio) - 1;
      let sell = (depth[i] as number) * depths;
      let paid = sell * sellPrice;
      let profit: number;
      // Without a depth `sell` is no number.
      if (depths <= TRUSTED_DEPTHS && sell >= 0) {
        profit = paid * depths;
        slopes[i] = 0.5 * (paid + (depth[i] as number) * sellPrice);
      } else {
        ask(i, sellPrice / buyPrice);
        sell = trade[0] as number;
        paid = sell * sellPrice;
        profit = (trade[1] as number) * buyPrice - paid;
        slopes[i] = (trade[2] as number) * sellPrice;
      }
      sells[i] = sell;
      carried[i] = paid;
      profits[i] = profit;
      value += profit;
      gradient[a]! -= paid;
      gradient[b]! += paid + profit;
    }
    point.value = value;
  };

  /** As `measure`, with gas. */
  const measureUses = (at: Float64Array, point: FlowPoint): void => {
    for (let slot = 0; slot <= last; slot++) prices[slot] = Math.exp(at[slot] as number);
    if (gas !== undefined) measureAfterGas(search, dual, edges, { amount, gas }, prices, point);
  };
  const dual: FlowDual = {
    nodes,
    givenAt,
    from,
    to,
    depth,
    reach: FIRST_REACH,
    point,
    measure: gas ? measureUses : measure,
  };
  return dual;
}
