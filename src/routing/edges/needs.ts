import type { Edge } from "./edges.ts";

/** Edges that leave a node, or that enter one. */
export type EdgeGroup = { readonly from: number } | { readonly to: number };

/** A group of which routes that touch an edge have to touch another one. */
export interface Need {
  readonly group: EdgeGroup;
  readonly by: Edge;
}

/** A need, and what it makes up for of the gas of its group's edges, in bought units. */
export interface Waiver {
  readonly need: Need;
  readonly waived: number;
}

export function isIn(group: EdgeGroup, { from, to }: Pick<Edge, "from" | "to">): boolean {
  return "from" in group ? group.from === from : group.to === to;
}

export function isSame(one: Need, other: Need): boolean {
  if (one.by !== other.by) return false;
  return "from" in one.group
    ? "from" in other.group && one.group.from === other.group.from
    : "to" in other.group && one.group.to === other.group.to;
}
