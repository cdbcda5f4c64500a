import type { Address } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import { ages } from "../../pools/moves-with-time.ts";
import { mathOf, type Pool } from "../../pools/pool.ts";
import type { Direction } from "../../pools/pool-math.ts";
import { curvedEdge, type Ends, PoolEdge } from "../edges/edges.ts";
import { type FlatGraph, outlineAt, putOutline } from "../edges/flat-graph.ts";
import type { PoolGraph } from "../router.ts";
import { setSpotPrices } from "../spot/spot-prices.ts";
import { changesBetween, type Followed, NOTHING_FOLLOWED } from "./graph-changes.ts";
import { type LaidOut, layOut } from "./lay-out.ts";

/** One graph in slots. It follows all graphs of the same pools, whatever their states. */
export class Layout {
  /** The tokens that are node 0. */
  readonly same: readonly Address[];
  /** The graph that it was brought to last. */
  followed: PoolGraph;
  readonly flat: FlatGraph;
  #chunks: Followed["chunks"];
  readonly #pools: Pool[];
  readonly #numbers = new Map<PoolId, number>();
  readonly #aging = new Set<number>();
  /**
   * The pools of dead ends whose edges are out of date: no spot price depends on them, nor any route that does not begin or end
   * there.
   */
  readonly #late = new Set<number>();
  readonly #laidOut: LaidOut;
  /** The edges in slots, as far as they were made: a search asks for few of all there are. */
  readonly #made: (PoolEdge | undefined)[];

  /** `before`: a layout whose edges are taken over where pools are as they were. */
  constructor(graph: PoolGraph, same: readonly Address[], before?: Layout) {
    this.same = same;
    this.followed = graph;
    this.#chunks = graph.chunks();
    const changes = changesBetween(before === undefined ? NOTHING_FOLLOWED : before.#last(), graph);
    const earlier = before === undefined ? [] : before.#pools;
    const stay = [...earlier.keys()].filter((number) => !changes.has((earlier[number] as Pool).id));
    const come = [...changes.values()].filter((pool) => pool !== undefined);
    this.#pools = stay.map((number) => earlier[number] as Pool).concat(come);
    this.#pools.sort((a, b) => (a.id < b.id ? -1 : 1));
    /** The number that each pool had before, where nothing has changed; else -1. */
    const was = new Int32Array(this.#pools.length).fill(-1);
    let at = 0;
    this.#pools.forEach((pool, number) => {
      this.#numbers.set(pool.id, number);
      if (pool === earlier[stay[at] as number]) was[number] = stay[at++] as number;
    });
    this.#laidOut = layOut(this.#pools, same, before && { ...before.#laidOut, was });
    const { numbers, nodes, flat } = this.#laidOut;
    this.#made = new Array(flat.spot.length);
    this.flat = {
      ...flat,
      edgeAt: (slot) => {
        this.#made[slot] ??= new PoolEdge(this.#endsOf(slot), outlineAt(this.flat, slot), this.followed.time);
        return this.#made[slot];
      },
      nodeOf: (token) => {
        const node = nodes[numbers.get(token) ?? -1] ?? -1;
        return node === -1 ? undefined : node;
      },
      ready: (node) => this.#catchUp(node),
    };
    this.#markHops();
    was.forEach((old, number) => {
      if (before === undefined || old === -1 || before.#late.has(old)) this.#put(number);
      else this.#takeOver(before, old, number);
    });
    setSpotPrices(this.flat);
  }

  /** Brings it to another graph; returns false, with nothing done, where that has other pools. */
  follow(graph: PoolGraph): boolean {
    const changes: [number, Pool][] = [];
    for (const [id, pool] of changesBetween(this.#last(), graph)) {
      const number = this.#numbers.get(id);
      if (number === undefined || pool === undefined || !holdSame(this.#pools[number] as Pool, pool)) return false;
      changes.push([number, pool]);
    }
    const { hops } = this.followed;
    this.followed = graph;
    this.#chunks = graph.chunks();
    if (hops !== graph.hops) this.#markHops();
    this.flat.follows++;
    let isMoved = false;
    for (const [number, pool] of changes) {
      this.#pools[number] = pool;
      if (this.#isAside(number)) this.#late.add(number);
      else {
        this.#put(number);
        isMoved = true;
      }
    }
    if (isMoved) setSpotPrices(this.flat);
    return true;
  }

  #last(): Followed {
    const aging = Array.from(this.#aging, (number) => this.#pools[number] as Pool);
    return { time: this.followed.time, chunks: this.#chunks, aging };
  }

  /** Marks the nodes that routes may lead over. The native token's is always one. */
  #markHops(): void {
    const { hops } = this.followed;
    const { numbers, nodes } = this.#laidOut;
    for (const [token, number] of numbers) {
      const node = nodes[number] ?? -1;
      if (node !== -1) this.flat.hops[node] = node === 0 || hops === undefined || hops.has(token) ? 1 : 0;
    }
  }

  #slotsOf(number: number): Int32Array {
    const { first, slots } = this.#laidOut;
    return slots.subarray(first[number], first[number + 1]);
  }

  #isAside(number: number): boolean {
    const { dead, from } = this.flat;
    return this.#slotsOf(number).some((slot) => dead[from[slot] as number] === 1);
  }

  /** Ends of the edge in a slot. */
  #endsOf(slot: number): Ends {
    const { from, to, pool } = this.flat;
    const poolNumber = pool[slot] as number;
    const direction = this.#laidOut.directions[poolNumber]?.[this.#slotsOf(poolNumber).indexOf(slot)] as Direction;
    const ends = { from: from[slot] as number, to: to[slot] as number };
    return { pool: this.#pools[poolNumber] as Pool, direction, ...ends, poolNumber };
  }

  /** Puts a pool as it is now into its slots. */
  #put(number: number): void {
    const { flat } = this;
    const pool = this.#pools[number] as Pool;
    if (ages(pool)) this.#aging.add(number);
    const math = mathOf(pool);
    const slots = this.#slotsOf(number);
    this.#laidOut.directions[number]?.forEach((direction, k) => {
      const slot = slots[k] as number;
      const outline = math.outline?.(pool.state, direction);
      const edge = outline === undefined ? curvedEdge(this.#endsOf(slot), this.followed.time) : undefined;
      putOutline(flat, slot, outline ?? (edge as PoolEdge));
      flat.changedAt[slot] = flat.follows;
      this.#made[slot] = edge;
    });
  }

  /** Puts a pool into its slots that is as it was before, where it had another number. */
  #takeOver(before: Layout, old: number, number: number): void {
    const slots = this.#slotsOf(number);
    if (before.#aging.has(old)) this.#aging.add(number);
    before.#slotsOf(old).forEach((was, k) => {
      const slot = slots[k] as number;
      putOutline(this.flat, slot, outlineAt(before.flat, was));
      this.#made[slot] = before.#made[was]?.at(this.#endsOf(slot));
    });
  }

  /** Puts the late pools of a node into their slots. */
  #catchUp(node: number): void {
    const { start, pool } = this.flat;
    for (let slot = start[node] as number; slot < (start[node + 1] as number); slot++)
      if (this.#late.delete(pool[slot] as number)) this.#put(pool[slot] as number);
  }
}

/** Whether two states of a pool are of the same tokens. */
function holdSame({ tokens }: Pool, other: Pool): boolean {
  return tokens === other.tokens || tokens.join() === other.tokens.join();
}
