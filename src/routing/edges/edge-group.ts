import type { Edge } from "./edges.ts";

/** Edges that leave a node, that enter one, that lead from one to another, or a single one. */
export interface EdgeGroup {
  readonly from?: number;
  readonly to?: number;
  readonly edge?: Edge;
}

/** A group of which some edge has to be touched: by every route, or where there is `by` by those that touch that edge. */
export interface Need {
  readonly group: EdgeGroup;
  readonly by: Edge | undefined;
}

/** A need, and what it makes up for of the gas of its group's edges, in bought units. */
export interface Waiver {
  readonly need: Need;
  readonly waived: number;
}

export function isIn({ from, to, edge }: EdgeGroup, one: Edge): boolean {
  if (edge !== undefined) return edge === one;
  return (from === undefined || from === one.from) && (to === undefined || to === one.to);
}

/** Whether all edges of one group are in another. */
export function isWithin(small: EdgeGroup, large: EdgeGroup): boolean {
  if (large.edge !== undefined) return small.edge === large.edge;
  const { from, to } = small.edge ?? small;
  return (large.from === undefined || large.from === from) && (large.to === undefined || large.to === to);
}
