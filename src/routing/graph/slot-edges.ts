import type { Edge } from "../edges/edges.ts";

/** The edges in the slots of a layout. */
export interface SlotEdges {
  readonly at: (slot: number) => Edge;
  /** Edge of a slot in the form that exact-out trades use. */
  readonly toBuyAt: (slot: number) => Edge;
  /** Whether any of these ever was another one. */
  readonly hasOwnToBuy: () => boolean;
  /** Puts an edge into a slot; undefined for one that is made when it is first asked for. */
  readonly put: (slot: number, edge: Edge | undefined) => void;
  /** The edge in a slot if it has been made. */
  readonly madeAt: (slot: number) => Edge | undefined;
}

/** `make`: makes the edge of a slot, which is kept until another one is put there. A search asks for few of all there are. */
export function createSlotEdges(count: number, make: (slot: number) => Edge): SlotEdges {
  const made = new Array<Edge | undefined>(count);
  /** Edges whose form for exact-out trades differs. */
  const toBuy: (Edge | undefined)[] = [];
  const at = (slot: number): Edge => {
    const known = made[slot];
    if (known !== undefined) return known;
    const edge = make(slot);
    made[slot] = edge;
    return edge;
  };
  return {
    at,
    toBuyAt: (slot) => toBuy[slot] ?? at(slot),
    hasOwnToBuy: () => toBuy.length > 0,
    put(slot, edge) {
      made[slot] = edge;
      if (edge?.toBuy !== undefined) {
        if (toBuy.length === 0) toBuy.length = count;
        toBuy[slot] = edge.toBuy;
      } else if (toBuy.length > 0) toBuy[slot] = undefined;
    },
    madeAt: (slot) => made[slot],
  };
}
