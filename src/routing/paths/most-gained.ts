import { TRUSTED_DEPTHS } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";
import type { Session } from "../session/session.ts";

/** What an edge pays for an amount, in floats: by its depth where that is trusted, else by its curve. */
export function payOf(edge: Edge, amount: number): number {
  const depths = amount / edge.depth;
  return depths <= TRUSTED_DEPTHS ? (edge.spot * amount) / (1 + depths) : edge.curve.buyAmountFor(amount);
}

/** The most that one pool makes of a value of at least `value`, as a part of it: pools out of line, unless too small. */
export function mostGained({ graph, restless }: Session, value: number): number {
  let most = 1;
  for (let i = 0; i < restless.length; i++) {
    const slot = restless[i] as number;
    if ((graph.gain[slot] as number) <= most) continue;
    const edge = graph.edges[slot] as Edge;
    const made = payOf(edge, value / (graph.rest[edge.from] as number)) * (graph.rest[edge.to] as number);
    most = Math.max(most, value > 0 ? made / value : (graph.gain[slot] as number));
  }
  return most;
}
