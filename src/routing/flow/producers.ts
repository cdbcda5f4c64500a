import type { Edge } from "../edges/edges.ts";
import type { Producer } from "./piece.ts";
import type { Settled } from "./settled.ts";
import { slopeOf } from "./slope.ts";

/** What a touch takes, in base units, below which one of them counts. */
export const COARSE = 1e7;
/** How dear such touches are beside others: as so many pools. */
const COARSELY = 16;
/**
 * What a producer may lose by making more or less, as a part of the trade's value, how far its price may move for that, in
 * the logarithm, and the part of what it makes that this is at most.
 */
const NEGLIGIBLE = 1e-6;
const NEAR = 0.05;
const MOST_PLAY = 0.1;
/**
 * Where touches are scarce pools are left out for each that is not saved: a producer may lose this part of what one of those
 * that earn least does, of so many pools, and move so many times as far at most.
 */
const WORTH_A_TOUCH = 0.1;
const ONE_OF = 8;
const WIDEST = 3;

/** Part of what a pool takes at most from which on it is worked out how much more it can make. */
const NEARLY_FULL = 0.5;

/** An edge of a flow that makes a token. */
export interface EdgeProducer extends Producer {
  readonly edge: Edge;
  /** Its position among the edges of the flow. */
  readonly position: number;
  /** The place of the token that it takes, and what it takes of it. */
  readonly from: number;
  readonly sell: number;
}

/**
 * The edges of a flow that make each token, by its place. To make d more in value where that grows by s with the logarithm
 * of the price, over all that leads there, loses d^2 / 2s.
 */
export function producersOf({ support, sells, profits, sellAmount, logPrices }: Settled): EdgeProducer[][] {
  const { edges, order, leaving, to, depth } = support;
  const producers: EdgeProducer[][] = order.map(() => []);
  const prices = order.map((node) => Math.exp(logPrices.get(node) as number));
  const negligible = NEGLIGIBLE * sellAmount * (prices[0] as number);
  const low = Float64Array.from(profits).sort()[Math.floor(profits.length / ONE_OF)] as number;
  const most = Math.max(negligible, WORTH_A_TOUCH * low);
  const wider = Math.min(WIDEST, Math.sqrt(most / negligible));
  /** As slopes of pools side by side and one behind the other: the sold token's price does not move. */
  const slopes = new Float64Array(order.length);
  slopes[0] = Number.POSITIVE_INFINITY;
  leaving.forEach((own, from) => {
    const far = depth[from] as number;
    for (const i of own) {
      const edge = edges[i] as Edge;
      const sell = sells[i] as number;
      const target = to[i] as number;
      const slope = 1 / (1 / (slopeOf(edge, sell) * (prices[from] as number)) + 1 / (slopes[from] as number));
      slopes[target]! += slope;
      const buys = edge.curve.buyAmountFor(sell);
      const worth = Math.min(Math.sqrt(2 * most * slope), wider * NEAR * slope);
      const play = Math.min(worth / (prices[target] as number), wider * MOST_PLAY * buys, roomLeft(edge, sell, buys));
      // With another touch all that makes what it takes is touched again, and where a base unit counts, one more is lost.
      producers[target]?.push({
        edge,
        position: i,
        from,
        sell,
        buys,
        play,
        dear: sell < COARSE ? far + COARSELY : far,
      });
    }
  });
  return producers;
}

/** How much more an edge can make than it buys. */
function roomLeft({ curve }: Edge, sell: number, buys: number): number {
  return sell > NEARLY_FULL * curve.maxSell ? curve.buyAmountFor(curve.maxSell) - buys : Number.POSITIVE_INFINITY;
}
