import { mathOf, type Pool } from "../../pools/pool.ts";
import type { Direction } from "../../pools/pool-math.ts";
import { curvedEdge, type Edge, type Ends } from "../edges/edges.ts";
import { type FlatGraph, outlineAt, putOutline } from "../edges/flat-graph.ts";
import type { LaidOut } from "./lay-out.ts";

/** The edges in the slots of a layout, each kept until another one is put there. A search asks for few of all there are. */
export class SlotEdges {
  /** Whether any of these ever had another form for exact-out trades. */
  hasToBuy = false;
  readonly #made: (Edge | undefined)[];
  readonly #make: (slot: number) => Edge;

  /** `make`: makes the edge of a slot where none has been put. */
  constructor(count: number, make: (slot: number) => Edge) {
    this.#made = new Array(count);
    this.#make = make;
  }

  readonly at = (slot: number): Edge => {
    const known = this.#made[slot];
    if (known !== undefined) return known;
    const edge = this.#make(slot);
    this.#made[slot] = edge;
    return edge;
  };

  /** Puts an edge into a slot; undefined for one that is made when it is first asked for. */
  put(slot: number, edge: Edge | undefined): void {
    this.#made[slot] = edge;
    this.hasToBuy ||= edge?.toBuy !== undefined;
  }

  /** The edge in a slot if it has been made. */
  madeAt(slot: number): Edge | undefined {
    return this.#made[slot];
  }
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
