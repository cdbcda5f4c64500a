import type { Edge } from "./edges.ts";

/** The same edge, of which no more than so much is sold. */
export function ending(edge: Edge, maxSell: number): Edge {
  const { curve } = edge;
  const { gasFor } = curve;
  return {
    ...edge,
    depth: Number.NaN,
    curve: {
      marginalRate: (sellAmount) => curve.marginalRate(Math.min(sellAmount, maxSell)),
      buyAmountFor: (sellAmount) => curve.buyAmountFor(Math.min(sellAmount, maxSell)),
      sellAmountAtRate: (rate) => Math.min(curve.sellAmountAtRate(rate), maxSell),
      maxSell: Math.min(curve.maxSell, maxSell),
      gas: curve.gas,
      ...(gasFor && { gasFor: (sellAmount) => gasFor.call(curve, Math.min(sellAmount, maxSell)) }),
      concave: curve.concave,
    },
  };
}
