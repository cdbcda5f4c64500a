import type { Edge } from "../edges/edges.ts";

/** The edges in the slots of a layout. */
export interface SlotEdges {
  readonly at: (slot: number) => Edge;
  /** Whether any of these ever had another form for exact-out trades. */
  readonly hasToBuy: () => boolean;
  /** Puts an edge into a slot; undefined for one that is made when it is first asked for. */
  readonly put: (slot: number, edge: Edge | undefined) => void;
  /** The edge in a slot if it has been made. */
  readonly madeAt: (slot: number) => Edge | undefined;
}

/** `make`: makes the edge of a slot, which is kept until another one is put there. A search asks for few of all there are. */
export function createSlotEdges(count: number, make: (slot: number) => Edge): SlotEdges {
  const made = new Array<Edge | undefined>(count);
  let hasToBuy = false;
  return {
    at(slot) {
      const known = made[slot];
      if (known !== undefined) return known;
      const edge = make(slot);
      made[slot] = edge;
      return edge;
    },
    hasToBuy: () => hasToBuy,
    put(slot, edge) {
      made[slot] = edge;
      hasToBuy ||= edge?.toBuy !== undefined;
    },
    madeAt: (slot) => made[slot],
  };
}
