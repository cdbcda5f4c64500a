import { isPassedOnce } from "../edges/edges.ts";
import type { FlatGraph } from "../edges/flat-graph.ts";

/** An amount at a node, and the path that it has come by. */
export interface Label {
  readonly node: number;
  readonly amount: number;
  /** The slot that it was reached over, and the label there; none at the beginning of a path. */
  readonly slot: number;
  readonly before: Label | undefined;
}

/** The slot of a label that no other one is before. */
export const NO_SLOT = -1;

/** Whether the path to a label has already seen the token or the pool that a slot would bring. */
export function repeats(label: Label, slot: number, node: number, graph: FlatGraph, revisits: boolean): boolean {
  const { pool, edgeAt } = graph;
  for (let at: Label | undefined = label; at !== undefined; at = at.before) {
    if (at.node === node) return true;
    const isSamePool = at.before !== undefined && pool[at.slot] === pool[slot];
    if (isSamePool && (at === label || isPassedOnce(edgeAt(slot), revisits))) return true;
  }
  return false;
}

/** The slots by which a label was reached, first one first. */
export function slotsTo(label: Label): number[] {
  const slots: number[] = [];
  for (let at = label; at.before !== undefined; at = at.before) slots.unshift(at.slot);
  return slots;
}
