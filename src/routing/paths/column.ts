import { takesAll } from "../../pools/pool-math.ts";
import { TRUSTED_DEPTHS } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";
import type { Search } from "../session/search.ts";
import { pricesAlong } from "./amounts.ts";

/** New edges from one token of a flow to another that earn something at the flow's own prices. */
export interface Column {
  readonly edges: readonly Edge[];
  /** The most that they earn at these prices, in bought units: at least what adding them to the flow can bring. */
  readonly profit: number;
  /** Gain of the column with no more than the flow has of its first token. */
  readonly gain: number;
  /** Logarithms of the prices of its tokens, for the next solution to start from. */
  readonly logPrices: () => ReadonlyMap<number, number>;
}

/** Tolerance of a column's best amount, as a part of it, and limit on halvings. */
const PRECISE = 2 ** -12;
const MAX_HALVINGS = 80;

/**
 * A chain of edges as a column at these prices of the tokens at its ends; `most`: what the flow has of the first one.
 * `isStuck`: whether the flow has found no room for all that is sold. Then a pool that has none for more counts as going on
 * at its last rate: what the chain has too much of may find room by another way from there.
 */
export function columnOf(
  { whole }: Search,
  edges: readonly Edge[],
  sellPrice: number,
  buyPrice: number,
  most: number,
  isStuck: boolean,
): Column {
  const unit = (pays: number) => (whole ? Math.floor(pays) : pays);
  const earned = (sell: number): number => {
    let amount = sell;
    for (const edge of edges) amount = unit(edge.curve.buyAmountFor(amount));
    return amount * buyPrice - sell * sellPrice;
  };
  const best = bestAmount(edges, sellPrice / buyPrice, isStuck);
  const sell = Math.min(best, most);
  const gain = earned(sell);
  const logPrices = () => pricesAlong(edges, sell, Math.log(buyPrice), unit);
  return { edges, profit: whole || sell === best ? gain : earned(best), gain, logPrices };
}

/**
 * The amount at which the marginal rate of a chain has fallen to `rate`, or from which on one of its pools takes no more,
 * unless the flow is stuck: by bisection where there is no closed form.
 */
function bestAmount(edges: readonly Edge[], rate: number, isStuck: boolean): number {
  const { curve } = edges[0] as Edge;
  if (edges.length === 1) return Math.min(curve.sellAmountAtRate(rate), curve.maxSell);
  const closed = bestOfHyperbolas(edges, rate);
  if (closed !== undefined) return closed;
  const rest = edges.slice(1).reduce((product, edge) => product * edge.spot, 1);
  let high = Math.min(curve.sellAmountAtRate(rate / rest), curve.maxSell);
  let low = 0;
  // The first pool may be deeper than the others by far: then the way to the amount is long.
  for (let i = 0; i < MAX_HALVINGS && high - low > PRECISE * high; i++) {
    const middle = (low + high) / 2;
    let amount = middle;
    let marginal = 1;
    for (const edge of edges) {
      marginal *= isStuck || takesAll(edge.curve, amount) ? edge.curve.marginalRate(amount) : 0;
      amount = edge.curve.buyAmountFor(amount);
    }
    if (marginal > rate) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Best amount in closed form if every edge is trusted as a hyperbola that far: s * x / (1 + x / D) into another one is a
 * third one, its rate the product of both and 1 / D the sum of 1 / D of the first and its rate / D of the second.
 */
function bestOfHyperbolas(edges: readonly Edge[], rate: number): number | undefined {
  let inverseDepth = 0;
  let product = 1;
  for (const { depth, spot } of edges) {
    inverseDepth += product / depth;
    product *= spot;
  }
  const best = Math.max(0, Math.sqrt(product / rate) - 1) / inverseDepth;
  if (Number.isNaN(best)) return undefined;
  let amount = best;
  for (const { depth, spot, curve } of edges) {
    const depths = amount / depth;
    if (depths > TRUSTED_DEPTHS && amount > curve.maxSell) return undefined;
    amount = (spot * amount) / (1 + depths);
  }
  return best;
}
