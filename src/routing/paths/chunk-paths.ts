import type { Memory } from "../session/scratch.ts";
import type { Session } from "../session/session.ts";
import { chunkSlots } from "./chunk-slots.ts";
import { deepestOf } from "./deepest.ts";
import type { FilledPools } from "./filled-pools.ts";
import { entryEndOf, lastPools } from "./last-pools.ts";

/** The best amounts of each token that so many pools bring, and the slot that each came by. */
interface Reached {
  readonly amount: Float64Array;
  readonly via: Int32Array;
  readonly nodes: number[];
}

/** Paths for chunks after those that were taken before. */
export interface ChunkPaths {
  /** The slots of the path that pays most for an amount; undefined where none pays a base unit. `last`: the one taken before. */
  best(amount: number, last: readonly number[]): readonly number[] | undefined;
  /** Notes that a chunk takes a path. */
  take(path: readonly number[]): void;
}

/** Slots are found for paths that bring this part of what the last one still pays, and anew once that pays less. */
const SLACK = 0.65;

/**
 * Paths over pools as chunks leave them, none of which leads back over another one's slots. `fine`: chunks are carried out
 * as they are, and may go over a pool by several pairs of its tokens. Arrays are taken from `memory`.
 */
export function chunkPaths(session: Session, pools: FilledPools, fine: boolean, memory: Memory): ChunkPaths {
  const { graph, source, sink, maxHops, endOf } = session;
  const { start, to, from, spot, spotBack, pool, twin, size: nodes } = graph;
  const { pays: paysAtMost } = deepestOf(graph);
  const ends = lastPools(session, memory);
  const { entries, onward } = ends;
  const near = chunkSlots(session, ends, memory);
  /** The nodes that chunks lead on to, by node, for those that `passed` has. */
  const after = new Map<number, Set<number>>();
  const passed = memory.ints(nodes).fill(0);
  const known = memory.floats(nodes).fill(0);
  const layers = Array.from({ length: maxHops + 1 }, (): Reached => {
    return { amount: memory.floats(nodes).fill(0), via: memory.ints(nodes), nodes: [] };
  });
  return {
    best(amount, last) {
      for (const layer of layers) {
        for (const node of layer.nodes) {
          layer.amount[node] = 0;
          known[node] = 0;
        }
        layer.nodes.length = 0;
      }
      put(0, source, amount, -1);
      const floor = last.reduce((more, slot) => (more > 0 ? pools.pays(slot, more) : 0), last.length > 0 ? amount : 0);
      known[sink] = floor;
      // Fine chunks may make pools pay more than at rest. Slots hold for no larger chunk, and finding them costs too much for
      // each of a growing size.
      const isNear = !fine && floor > 0 && (near.amount === 0 || amount <= near.amount);
      if (isNear && floor < near.least) near.find(amount, SLACK * floor);
      for (let hop = 1; hop < maxHops - 1; hop++) {
        const { nodes, amount: amounts } = layers[hop - 1] as Reached;
        for (const node of nodes) {
          if (node === sink) continue;
          if (isNear && hop === maxHops - 2) spreadNear(hop, node, amounts[node] as number);
          else spread(hop, node, amounts[node] as number);
        }
      }
      if (maxHops > 1) for (const node of entries) gather(maxHops - 1, node, isNear);
      close();
      return ofLayers() ?? (floor > 0 ? last : undefined);
    },
    take(path) {
      for (const slot of path) follow(from[slot] as number, to[slot] as number);
    },
  };

  /** The best path found; undefined where nothing has come to the sink. */
  function ofLayers(): readonly number[] | undefined {
    const amountAt = (hop: number) => (layers[hop] as Reached).amount[sink] as number;
    let best = 0;
    for (let hop = 1; hop <= maxHops; hop++) if (amountAt(hop) > amountAt(best)) best = hop;
    if (best === 0) return undefined;
    const path: number[] = [];
    for (let [hop, node] = [best, sink]; hop > 0; hop--) {
      const slot = (layers[hop] as Reached).via[node] as number;
      path.unshift(slot);
      node = from[slot] as number;
    }
    return path;
  }

  function spread(hop: number, node: number, available: number): void {
    const isNext = hop === maxHops - 2;
    const end = endOf(node);
    session.steps += end - (start[node] as number);
    for (let slot = start[node] as number; slot < end; slot++) {
      const target = to[slot] as number;
      if (target === source) continue;
      const least = known[target] as number;
      // No pool pays more than that where no chunk was before.
      if (paysAtMost(slot, available) <= least && !movedUp(slot, available, least)) continue;
      const most = (spot[slot] as number) * available;
      if (isNext && target !== sink && most * (onward[target] as number) <= (known[sink] as number)) continue;
      if (!session.leadsOn(slot, node)) continue;
      step(hop, slot, node, available);
    }
  }

  /** The same over the slots that are known to be all that can lead to the best path. */
  function spreadNear(hop: number, node: number, available: number): void {
    const { slots, begin, end, lastTwo } = near;
    const stop = end[node] as number;
    session.steps += stop - (begin[node] as number);
    for (let i = begin[node] as number; i < stop; i++) {
      const slot = slots[i] as number;
      const target = to[slot] as number;
      const most = paysAtMost(slot, available);
      if (most > (known[target] as number) && most > wanted(lastTwo, target)) step(hop, slot, node, available);
    }
  }

  /** What it takes to bring more than is known: to bring so many times as much takes so many times as much at least. */
  function wanted(needed: Float64Array, node: number): number {
    return ((needed[node] as number) * (known[sink] as number)) / near.least;
  }

  /** The labels of layer `hop` at a node that the last pool leads away from, or the sink: from there there are fewer to look at. */
  function gather(hop: number, node: number, isNear: boolean): void {
    const { amount: amounts } = layers[hop - 1] as Reached;
    const needed = isNear ? wanted(near.last, node) : (known[sink] as number) / session.entryRate(node);
    let least = node === sink ? (known[sink] as number) : Math.max(known[node] as number, needed);
    const visit = (back: number) => {
      const available = amounts[to[back] as number] as number;
      if (available === 0) return;
      const slot = twin[back] as number;
      if ((spotBack[back] as number) * available <= least && !movedUp(slot, available, least)) return;
      if (paysAtMost(slot, available) <= least) return;
      step(hop, slot, to[back] as number, available);
      if ((known[node] as number) > least) least = known[node] as number;
    };
    if (isNear) {
      const into = near.into.get(node) as readonly number[];
      session.steps += into.length;
      for (const back of into) visit(back);
      return;
    }
    const end = entryEndOf(session, node);
    session.steps += end - (start[node] as number);
    for (let back = start[node] as number; back < end; back++) visit(back);
  }

  /** The last pools of paths that are as long as they may be: from the sink there are fewer to look at. */
  function close(): void {
    const { amount: amounts } = layers[maxHops - 1] as Reached;
    session.steps += session.entryEnd - (start[sink] as number);
    for (let back = start[sink] as number; back < session.entryEnd; back++) {
      const node = to[back] as number;
      const slot = twin[back] as number;
      const available = amounts[node] as number;
      if (available === 0) continue;
      const least = known[sink] as number;
      if ((spot[slot] as number) * available > least || movedUp(slot, available, least))
        step(maxHops, slot, node, available);
    }
  }

  /** Whether chunks have moved a pool so that it may pay more than this, whatever it paid at rest. */
  function movedUp(slot: number, available: number, least: number): boolean {
    return fine && pools.rate(slot) * available > least;
  }

  /** Goes over a slot where it may be used and brings more than is known. */
  function step(hop: number, slot: number, node: number, available: number): void {
    const target = to[slot] as number;
    if (!pools.isOpen(slot)) return;
    if (passed[node] === 1 && after.get(target)?.has(node)) return;
    if (!session.allowsSlot(slot) || isOnPath(hop - 1, node, target, pool[slot] as number)) return;
    const pays = pools.pays(slot, available);
    if (pays > (known[target] as number)) put(hop, target, pays, slot);
  }

  function put(hop: number, node: number, amount: number, slot: number): void {
    const layer = layers[hop] as Reached;
    if (layer.amount[node] === 0) layer.nodes.push(node);
    layer.amount[node] = amount;
    layer.via[node] = slot;
    known[node] = amount;
  }

  /**
   * Whether the path to a node passes a token or a pool; of fine chunks, which are carried out as they are, a token as well
   * that chunks lead to from there: what coarse ones take that closes a cycle is left out when it is solved.
   */
  function isOnPath(length: number, last: number, token: number, number: number): boolean {
    const behind = fine ? after.get(token) : undefined;
    let node = last;
    for (let hop = length; hop > 0; hop--) {
      const slot = (layers[hop] as Reached).via[node] as number;
      if (node === token || pool[slot] === number || behind?.has(node)) return true;
      node = from[slot] as number;
    }
    return node === token;
  }

  /** Notes that a chunk has gone from one node to another. */
  function follow(first: number, second: number): void {
    if (after.get(first)?.has(second)) return;
    passed[first] = 1;
    passed[second] = 1;
    const further = [second, ...(after.get(second) ?? [])];
    for (const node of [first, ...after.keys()]) {
      if (node !== first && !after.get(node)?.has(first)) continue;
      const set = after.get(node) ?? new Set<number>();
      for (const one of further) set.add(one);
      after.set(node, set);
    }
  }
}
