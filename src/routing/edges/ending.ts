import type { StraightLevel } from "../../pools/pool-math.ts";
import type { Edge } from "./edges.ts";

/** Returns the edge with its amount to sell limited to `maxSell`. */
export function ending(edge: Edge, maxSell: number): Edge {
  const { curve } = edge;
  const { gasFor, levels } = curve;
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
      ...(levels && { levels: levelsUpTo(levels, maxSell) }),
      concave: curve.concave,
    },
  };
}

/** As much of these levels as sells no more than so much. */
function levelsUpTo(levels: readonly StraightLevel[], maxSell: number): StraightLevel[] {
  let left = maxSell;
  return levels.map(({ sells, rate }) => {
    const sold = Math.min(sells, left);
    left -= sold;
    return { sells: sold, rate };
  });
}
