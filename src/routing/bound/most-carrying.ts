import type { Edge } from "../edges/edges.ts";

/** An edge of a flow, and the value that it carries. */
export interface Carrying {
  readonly edge: Edge;
  readonly value: number;
}

/** The edges that carry more than `trace` of what the first one carries, those that carry most first. */
export function mostCarrying(carrying: readonly Carrying[], trace: number): Edge[] {
  const all = carrying.reduce((most, { value }) => Math.max(most, value), 0);
  return carrying
    .filter(({ value }) => value > trace * all)
    .sort((a, b) => b.value - a.value)
    .map(({ edge }) => edge);
}
