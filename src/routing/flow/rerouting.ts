import type { Edge } from "../edges/edges.ts";
import { priceOf } from "./goal.ts";
import { invertPositive } from "./linear.ts";
import type { Split } from "./solve-split.ts";

/** Part of the largest slope at a token that stands for a way out where its pools are full. */
const TRACE = 1e-12;

/**
 * Estimated loss of a flow without each of its edges, in bought units: the edge's earnings, and half of what the rest asks
 * for more per unit once it carries the edge's part. Prices in the logarithm answer to value as potentials to current: a
 * pool's resistance is the inverse of its slope, and the rest resists as a network does between the edge's ends. A deep pool
 * that is the only one of its kind earns little and is costly to replace.
 */
export function reroutingLosses(flow: Split): number[] {
  const { edges, order, from, to } = flow.support;
  // The bought token, to which all lead, comes last.
  const size = order.length - 1;
  const matrix = new Float64Array(size * size);
  const values = edges.map((edge, i) => (flow.sells[i] as number) * priceOf(flow, edge.from));
  const slopes = edges.map((edge, i) => slopeOf(edge, flow.sells[i] as number) * priceOf(flow, edge.from));
  slopes.forEach((slope, i) => {
    const [a, b] = [from[i] as number, to[i] as number];
    matrix[a * size + a]! += slope;
    if (b === size) return;
    matrix[b * size + b]! += slope;
    matrix[a * size + b]! -= slope;
    matrix[b * size + a]! -= slope;
  });
  let largest = 0;
  for (let i = 0; i < size; i++) largest = Math.max(largest, matrix[i * size + i] as number);
  for (let i = 0; i < size; i++) matrix[i * size + i]! += TRACE * largest;
  invertPositive(matrix, size);
  const at = (a: number, b: number) => (a === size || b === size ? 0 : (matrix[a * size + b] as number));
  return slopes.map((slope, i) => {
    const [a, b, value] = [from[i] as number, to[i] as number, values[i] as number];
    const between = at(a, a) + at(b, b) - 2 * at(a, b);
    const open = 1 - slope * between;
    return (flow.profits[i] as number) + (open > 0 ? (0.5 * value * value * between) / open : Number.POSITIVE_INFINITY);
  });
}

/** Change of a rate that a slope is measured by, as a part. */
const RATE_STEP = 1e-3;

/** Derivative of an edge's sold amount by the logarithm of its rate, in base units. */
function slopeOf({ curve }: Edge, sell: number): number {
  const further = Math.min(curve.maxSell, curve.sellAmountAtRate(curve.marginalRate(sell) * (1 - RATE_STEP)));
  return Math.max(0, further - sell) / RATE_STEP;
}
