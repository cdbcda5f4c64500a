import { takesAll } from "../../pools/pool-math.ts";
import { floored } from "../edges/floored.ts";
import type { Session } from "../session/session.ts";
import { deepestOf } from "./deepest.ts";

/** What chunks have sold over a slot so far, and what that paid. */
export interface Filled {
  readonly sold: number;
  readonly paid: number;
}

/** Pools as chunks leave them that go over them one after the other. */
export interface Chunks {
  /** By slot what has gone over it. */
  readonly filled: ReadonlyMap<number, Filled>;
  /** Sells an amount along the path that pays most for it, and says what that is; undefined where none pays a base unit. */
  sell(amount: number): number | undefined;
}

/** The best amounts of each token that so many pools bring, and the slot that each came by. */
interface Layer {
  readonly amount: Float64Array;
  readonly via: Int32Array;
  nodes: number[];
}

const UNTOUCHED: Filled = { sold: 0, paid: 0 };

/** A chunk leads back over no other one's pools, and takes each pool for one pair of its tokens. */
export function createChunks(session: Session): Chunks {
  const { graph, source, sink, maxHops, endOf, workspace } = session;
  const { start, to, from, spot, depth, pool, size, edgeAt } = graph;
  const { pays: paysAtMost } = deepestOf(graph);
  const memory = workspace.scratch;
  memory.begin();
  const filled = new Map<number, Filled>();
  /** The slot that each pool is used in. */
  const slotOf = new Map<number, number>();
  /** The nodes that chunks lead on to, by node. */
  const after = new Map<number, Set<number>>();
  /** The most of each token that a chunk brings, by whatever pools. */
  const most = memory.floats(size).fill(0);
  const layers = Array.from({ length: maxHops + 1 }, (): Layer => {
    return { amount: memory.floats(size).fill(0), via: memory.ints(size), nodes: [] };
  });
  return {
    filled,
    sell(amount) {
      const path = best(amount);
      if (path === undefined) return undefined;
      for (const slot of path) follow(from[slot] as number, to[slot] as number);
      return path.reduce((sold, slot) => fill(slot, sold), amount);
    },
  };

  /** The slots of the path that pays most for an amount; undefined where none pays a base unit. */
  function best(amount: number): readonly number[] | undefined {
    for (const layer of layers) {
      for (const node of layer.nodes) {
        layer.amount[node] = 0;
        most[node] = 0;
      }
      layer.nodes = [];
    }
    put(0, source, amount, -1);
    for (let hop = 1; hop <= maxHops; hop++) {
      const { nodes, amount: amounts } = layers[hop - 1] as Layer;
      for (const node of nodes) if (node !== sink) spread(hop, node, amounts[node] as number);
    }
    const amountAt = (hop: number) => (layers[hop] as Layer).amount[sink] as number;
    let last = 0;
    for (let hop = 1; hop <= maxHops; hop++) if (amountAt(hop) > amountAt(last)) last = hop;
    if (last === 0) return undefined;
    const path: number[] = [];
    for (let [hop, node] = [last, sink]; hop > 0; hop--) {
      const slot = (layers[hop] as Layer).via[node] as number;
      path.unshift(slot);
      node = from[slot] as number;
    }
    return path;
  }

  function spread(hop: number, node: number, available: number): void {
    const end = endOf(node);
    session.steps += end - (start[node] as number);
    for (let slot = start[node] as number; slot < end; slot++) {
      const target = to[slot] as number;
      if (target === source || (hop === maxHops && target !== sink)) continue;
      // No pool pays more than that where no chunk was before.
      if (paysAtMost(slot, available) <= (most[target] as number)) continue;
      if (hop === maxHops - 1 && target !== sink) {
        const atEnd = (spot[slot] as number) * available * session.entryRate(target);
        if (!session.closes(target) || atEnd <= (most[sink] as number)) continue;
      }
      if (!session.leadsOn(slot, node) || !isOpen(slot) || !session.allowsSlot(slot)) continue;
      if (isOnPath(hop - 1, node, target, pool[slot] as number)) continue;
      const amount = pays(slot, available);
      if (amount > (most[target] as number)) put(hop, target, amount, slot);
    }
  }

  function put(hop: number, node: number, amount: number, slot: number): void {
    const layer = layers[hop] as Layer;
    if (layer.amount[node] === 0) layer.nodes.push(node);
    layer.amount[node] = amount;
    layer.via[node] = slot;
    most[node] = amount;
  }

  /** Whether a chunk may go over a slot: its pool is used in no other one, and no chunk has come the other way. */
  function isOpen(slot: number): boolean {
    const used = slotOf.get(pool[slot] as number);
    return (used ?? slot) === slot && after.get(to[slot] as number)?.has(from[slot] as number) !== true;
  }

  /** Whether the path to a node passes a token or a pool. */
  function isOnPath(length: number, last: number, token: number, number: number): boolean {
    let node = last;
    for (let hop = length; hop > 0; hop--) {
      const slot = (layers[hop] as Layer).via[node] as number;
      if (node === token || pool[slot] === number) return true;
      node = from[slot] as number;
    }
    return node === token;
  }

  /** What an amount pays after the chunks before, in whole base units; 0 where the pool does not take all of it. */
  function pays(slot: number, amount: number): number {
    const { sold, paid } = filled.get(slot) ?? UNTOUCHED;
    const all = sold + amount;
    const depths = all / (depth[slot] as number);
    if (depths >= 0) return floored(((spot[slot] as number) * all) / (1 + depths) - paid);
    const { curve } = edgeAt(slot);
    return floored(takesAll(curve, all) ? curve.buyAmountFor(all) - paid : 0);
  }

  /** Takes an amount over a slot; what it pays. */
  function fill(slot: number, amount: number): number {
    const { sold, paid } = filled.get(slot) ?? UNTOUCHED;
    const more = pays(slot, amount);
    filled.set(slot, { sold: sold + amount, paid: paid + more });
    slotOf.set(pool[slot] as number, slot);
    return more;
  }

  /** Notes that a chunk has gone from one node to another. */
  function follow(first: number, second: number): void {
    if (after.get(first)?.has(second)) return;
    const further = [second, ...(after.get(second) ?? [])];
    for (const node of [first, ...after.keys()]) {
      if (node !== first && !after.get(node)?.has(first)) continue;
      const set = after.get(node) ?? new Set<number>();
      for (const one of further) set.add(one);
      after.set(node, set);
    }
  }
}
