import type { Bundle } from "../edges/bundle.ts";
import { depthAbout, TRUSTED_DEPTHS } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";
import { tradeAt } from "../edges/trade-at.ts";
import { gasAtPrice, type Search, type Side } from "../session/search.ts";
import type { Memory } from "../session/workspace.ts";
import { type GasTerm, NO_USE, useAfterGas } from "./gas-term.ts";

/** Edges and bundles over which a trade is split. Its numbers come by edge and then by bundle. */
export interface FlowProblem {
  readonly edges: readonly Edge[];
  readonly bundles?: readonly Bundle[];
}

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

/** Assumed reach of the first step. */
const FIRST_REACH = 0.03;
/** A pool use costs at least this part of the trade's value: what costs nothing has no kink to be rounded. */
const MIN_GAS = 1e-9;

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
export class FlowDual {
  /** The tokens, in the order of the variables; the one whose price is 1 comes last and is none of them. */
  readonly nodes: readonly number[];
  /** Position of the token whose amount is given. */
  readonly givenAt: number;
  /** By edge or bundle the variables that it leads between. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Depths of the edges that are not asked for anything else; bundles have none. */
  readonly depth: Float64Array;
  /** Assumed length of the next step: kinks of gas within that count before they are met. */
  reach = FIRST_REACH;
  readonly #search: Search;
  readonly #trade: Trade;
  readonly #memory: Memory;
  readonly #edges: readonly Edge[];
  readonly #bundles: readonly Bundle[];
  readonly #spot: Float64Array;
  readonly #logSpot: Float64Array;
  /** The depth of a hyperbola that begins about as each edge or bundle does. */
  readonly #opening: Float64Array;
  readonly #prices: Float64Array;
  /** With gas, by variable the most of a token that an edge may sell or buy. */
  readonly #room: readonly number[];
  /** Output array of curves. */
  readonly #asked: Float64Array;

  constructor(search: Search, { edges, bundles = [] }: FlowProblem, trade: Trade, memory: Memory) {
    const { source, sink, workspace } = search;
    const { place } = workspace;
    const count = edges.length + bundles.length;
    const [from, to] = [memory.ints(count), memory.ints(count)];
    const [spot, logSpot] = [memory.floats(count), memory.floats(count)];
    const [depth, opening] = [memory.floats(count), memory.floats(count)];
    const put = (i: number, one: Edge | Bundle, exact: number, about: number) => {
      from[i] = one.from;
      to[i] = one.to;
      spot[i] = one.spot;
      logSpot[i] = Math.log(one.spot);
      depth[i] = exact;
      opening[i] = about;
    };
    edges.forEach((edge, i) => {
      put(i, edge, edge.depth, depthAbout(edge.depth, edge.width));
    });
    bundles.forEach((bundle, i) => {
      put(edges.length + i, bundle, Number.NaN, bundle.depth);
    });
    const [given, unit] = trade.side === "exactIn" ? [source, sink] : [sink, source];
    const nodes = nodesOf(from, to, given, unit, place);
    for (let at = 0; at < nodes.length; at++) place[nodes[at] as number] = at;
    this.givenAt = place[given] as number;
    for (let i = 0; i < count; i++) {
      from[i] = place[from[i] as number] as number;
      to[i] = place[to[i] as number] as number;
    }
    for (const node of nodes) place[node] = -1;
    this.nodes = nodes;
    this.from = from;
    this.to = to;
    this.depth = depth;
    this.#search = search;
    this.#trade = trade;
    this.#memory = memory;
    this.#edges = edges;
    this.#bundles = bundles;
    this.#spot = spot;
    this.#logSpot = logSpot;
    this.#opening = opening;
    this.#prices = memory.floats(nodes.length);
    this.#room = trade.gas === undefined ? [] : nodes.map(trade.gas.room);
    this.#asked = memory.floats(3);
  }

  /** Room for what is measured. */
  point(): FlowPoint {
    const floats = () => this.#memory.floats(this.#spot.length);
    const gradient = this.#memory.floats(this.nodes.length);
    return { value: 0, gradient, sells: floats(), profits: floats(), carried: floats(), slopes: floats() };
  }

  measure(at: Float64Array, point: FlowPoint): void {
    const { gradient, sells, profits, carried, slopes } = point;
    const { from, to, depth, givenAt } = this;
    const { side, amount, gas } = this.#trade;
    const [spot, logSpot, opening, prices, asked] = [
      this.#spot,
      this.#logSpot,
      this.#opening,
      this.#prices,
      this.#asked,
    ];
    for (let slot = 0; slot < prices.length; slot++) prices[slot] = Math.exp(at[slot] as number);
    const worth = (prices[givenAt] as number) * amount;
    let value = side === "exactIn" ? worth : -worth;
    gradient.fill(0);
    gradient[givenAt] = value;
    if (gas === undefined) this.#search.work.steps += spot.length;
    for (let i = 0; i < spot.length; i++) {
      const a = from[i] as number;
      const b = to[i] as number;
      const sellPrice = prices[a] as number;
      const buyPrice = prices[b] as number;
      if (gas !== undefined) {
        value += this.#measureUse(i, gas, worth, point);
        continue;
      }
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
        this.#ask(i, sellPrice / buyPrice);
        sell = asked[0] as number;
        paid = sell * sellPrice;
        profit = (asked[1] as number) * buyPrice - paid;
        slopes[i] = (asked[2] as number) * sellPrice;
      }
      sells[i] = sell;
      carried[i] = paid;
      profits[i] = profit;
      value += profit;
      gradient[a]! -= paid;
      gradient[b]! += paid + profit;
    }
    point.value = value;
  }

  /** Asks for the trade of a curve or bundle at a rate. */
  #ask(i: number, rate: number): void {
    const edge = this.#edges[i];
    if (edge !== undefined) tradeAt(edge.curve, rate, this.#asked);
    else (this.#bundles[i - this.#edges.length] as Bundle).tradeAt(Math.sqrt(rate), this.#asked);
  }

  /** Measures a pool use after its gas; returns its value. */
  #measureUse(i: number, { width }: GasTerm, worth: number, point: FlowPoint): number {
    const { gradient, sells, profits, carried, slopes } = point;
    const { givenAt, reach } = this;
    const [search, prices] = [this.#search, this.#prices];
    const [a, b] = [this.from[i] as number, this.to[i] as number];
    const [mostSold, mostBought] = [this.#room[a] as number, this.#room[b] as number];
    const perGas = gasAtPrice(search, prices[givenAt] as number);
    const at = { sell: prices[a] as number, buy: prices[b] as number, gas: perGas };
    const rounding = { width, least: MIN_GAS * worth, reach };
    const use = useAfterGas(this.#edges[i] as Edge, at, mostSold, mostBought, rounding) ?? NO_USE;
    if (use !== NO_USE) search.work.steps++;
    sells[i] = use.whole.paid / at.sell;
    profits[i] = use.whole.profit;
    carried[i] = use.paid;
    slopes[i] = use.slope;
    gradient[a]! -= use.paid;
    gradient[b]! += use.earned;
    if (search.side === "exactOut") gradient[givenAt]! -= use.gas * perGas;
    return use.profit;
  }
}

/**
 * The nodes, `given` among them, by the number of their edges; `unit` comes last. The factors of the matrix then stay as
 * sparse as the graph nearly is. `place`: -1 for each node.
 */
function nodesOf(from: Int32Array, to: Int32Array, given: number, unit: number, place: Int32Array): number[] {
  const nodes = [given, unit];
  const degrees = [0, 2 * from.length + 1];
  place[given] = 0;
  place[unit] = 1;
  const count = (node: number) => {
    if (place[node] === -1) {
      place[node] = nodes.length;
      nodes.push(node);
      degrees.push(0);
    }
    degrees[place[node] as number]! += 1;
  };
  for (let i = 0; i < from.length; i++) {
    count(from[i] as number);
    count(to[i] as number);
  }
  const size = nodes.length;
  // A comparison of two costs more than all the rest here.
  const keys = new Float64Array(size);
  for (let i = 0; i < size; i++) keys[i] = (degrees[i] as number) * size + i;
  return Array.from(keys.sort(), (key) => nodes[key % size] as number);
}
