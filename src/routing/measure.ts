import { TRUSTED_DEPTHS } from "./depth.ts";
import type { Edge } from "./edges.ts";
import type { SpreadPrices } from "./outer-prices.ts";
import type { Session } from "./session.ts";

/** Token prices and what they prove. All numbers are floats in bought units. */
export interface PriceProof {
  /** The price of the sold token. */
  readonly sellPrice: number;
  /** At least what all pools that a route can use earn at these prices, each after the least gas of one touch. */
  readonly earned: number;
  /** At most what the cheapest touches that every route needs cost and do not earn back. */
  readonly unavoidable: number;
  /** Value that went through these sums: what float errors are relative to. */
  readonly volume: number;
}

/** An edge that earns more than its gas at some prices. */
export interface Earner {
  readonly edge: Edge;
  readonly profit: number;
}

/** Profit of one pool that is counted without a closer look, as a part of the trade's value. */
const DUST = 1e-10;
/** How far a hyperbola is trusted, as 1 - sqrt(rate / spot). */
const TRUSTED = 1 - 1 / (1 + TRUSTED_DEPTHS);

/** What prices prove, and the edges that stand in the way of proving more. */
export interface Measured {
  readonly proof: PriceProof;
  readonly earners: Earner[];
}

/** The bound that a proof gives, as a float. */
export function sumOf(proof: PriceProof, sellAmount: number): number {
  return proof.sellPrice * sellAmount + proof.earned - proof.unavoidable;
}

/** The sum of what all pools earn at these prices, each after the least gas of a touch. */
export function measure(session: Session, prices: SpreadPrices, costPerGas: number, sellAmount: number): Measured {
  const { source, sink, maxHops } = session;
  const earners: Earner[] = [];
  const sellPrice = prices.price[source] as number;
  const dust = DUST * sellPrice * sellAmount;
  let earned = 0;
  let volume = sellPrice * sellAmount;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.POSITIVE_INFINITY;
  let only = Number.POSITIVE_INFINITY;
  // Without gas no touch costs anything: none need be counted.
  const counted = costPerGas > 0;
  for (const node of prices.nodes) {
    if (node === sink) continue;
    const price = prices.price[node] as number;
    const hopsLeft = maxHops - 1 - (prices.ring[node] as number);
    const { edges, to, spot, depth } = session.leaving(node);
    session.steps += to.length;
    for (let i = 0; i < to.length; i++) {
      const target = to[i] as number;
      const targetPrice = prices.price[target] as number;
      const paid = (spot[i] as number) * targetPrice;
      const touchesEnd = counted && (node === source || target === sink);
      if ((paid <= price && !touchesEnd) || targetPrice === 0 || target === source) continue;
      if ((prices.ring[target] as number) > hopsLeft) continue;
      // A hyperbola's largest profit is spot * D * (1 - sqrt(ratio of prices / spot))^2; most of them are dust.
      const short = 1 - Math.sqrt(price / paid);
      const most = paid * (depth[i] as number) * short * short;
      if (most <= dust && short < TRUSTED && !touchesEnd) {
        earned += most;
        continue;
      }
      const edge = edges[i] as Edge;
      if (!session.allows(edge)) continue;
      const gas = edge.curve.gas * costPerGas;
      let profit = 0;
      if (short > 0 && short < TRUSTED && most >= 0) {
        profit = most;
        volume += paid * (depth[i] as number) * short;
      } else if (paid > price) {
        const { sellAmount, buyAmount } = mostEarned(edge, price / targetPrice);
        profit = buyAmount * targetPrice - sellAmount * price;
        volume += buyAmount * targetPrice;
      }
      const lost = Math.max(0, gas - profit);
      if (node === source) first = Math.min(first, lost);
      if (target === sink) last = Math.min(last, lost);
      if (node === source && target === sink) only = Math.min(only, lost);
      if (profit <= gas) continue;
      earned += profit - gas;
      earners.push({ edge, profit: profit - gas });
    }
  }
  const unavoidable = Math.min(only, first + last);
  return { proof: { sellPrice, earned, volume, unavoidable: Number.isFinite(unavoidable) ? unavoidable : 0 }, earners };
}

/**
 * What earns most on an edge at this ratio of prices, or at least as much: a curve that is not concave stands under its
 * ceiling; without one it is taken to give all that it has for nothing.
 */
function mostEarned({ curve: real }: Edge, rate: number): { sellAmount: number; buyAmount: number } {
  const curve = real.ceiling ?? real;
  if (!curve.concave) return { sellAmount: 0, buyAmount: curve.buyAmountFor(curve.maxSell) };
  const sellAmount = Math.min(curve.sellAmountAtRate(rate), curve.maxSell);
  return { sellAmount, buyAmount: curve.buyAmountFor(sellAmount) };
}
