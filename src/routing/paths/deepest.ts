import { TRUSTED_DEPTHS } from "../edges/depth.ts";
import type { FlatGraph } from "../edges/flat-graph.ts";

/** What pools pay at most for an amount, and take at least: each counts as the deepest hyperbola that it may be. */
export function deepestOf({ spot, depth, deepest }: FlatGraph) {
  return {
    pays: (slot: number, amount: number) =>
      ((spot[slot] as number) * amount) / (1 + amount / (deepest[slot] as number)),
    takes: (slot: number, amount: number) => {
      const rate = spot[slot] as number;
      const taken = amount / (rate - amount / (deepest[slot] as number));
      const trusted = TRUSTED_DEPTHS * (depth[slot] as number);
      if (taken >= 0 && !(taken > trusted)) return taken;
      return trusted > 0 ? Math.max(amount / rate, trusted) : Number.POSITIVE_INFINITY;
    },
  };
}
