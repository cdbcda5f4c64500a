import { mathOf, type Pool } from "../../pools/pool.ts";
import type { Direction } from "../../pools/pool-math.ts";
import { curvedEdge, type Edge, type Ends } from "../edges/edges.ts";
import { type FlatGraph, outlineAt, putOutline } from "../edges/flat-graph.ts";
import type { LaidOut } from "./lay-out.ts";

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

/** Pools and the slots that were laid out for them. */
export interface PoolSlots {
  readonly pools: readonly (Pool | undefined)[];
  /** First slot of each pool, as in LaidOut. */
  readonly first: LaidOut["first"];
  readonly directions: LaidOut["directions"];
  readonly flat: FlatGraph;
  readonly edges: SlotEdges;
}

/** Ends of the edge in a slot. */
export function endsOf({ flat, first, directions, pools }: PoolSlots, slot: number): Ends {
  const poolNumber = flat.pool[slot] as number;
  const k = (flat.rank[slot] as number) - (first[poolNumber] as number);
  return {
    pool: pools[poolNumber] as Pool,
    direction: directions[poolNumber]?.[k] as Direction,
    from: flat.from[slot] as number,
    to: flat.to[slot] as number,
    poolNumber,
  };
}

/** Puts a pool as it is at a time into its slots, and adds these to `changed`. */
export function putPool(layout: PoolSlots, number: number, time: bigint, changed?: number[]): void {
  const { flat, first, directions, edges, pools } = layout;
  const pool = pools[number] as Pool;
  const math = mathOf(pool);
  let place = first[number] as number;
  for (const direction of directions[number] as readonly Direction[]) {
    const slot = flat.ranked[place++] as number;
    const outline = math.outline?.(pool.state, direction);
    const edge = outline === undefined ? curvedEdge(endsOf(layout, slot), time) : undefined;
    putOutline(flat, slot, outline ?? (edge as Edge));
    edges.put(slot, edge);
    changed?.push(slot);
  }
}

/** Puts a pool that is as it was before into its slots. */
export function carryOver(before: PoolSlots, layout: PoolSlots, number: number): void {
  for (let k = 0; k < (layout.directions[number] as readonly Direction[]).length; k++) {
    const slot = before.flat.ranked[(before.first[number] as number) + k] as number;
    const next = layout.flat.ranked[(layout.first[number] as number) + k] as number;
    putOutline(layout.flat, next, outlineAt(before.flat, slot));
    layout.edges.put(next, before.edges.madeAt(slot));
  }
}
