import type { Memory } from "../session/scratch.ts";
import type { Session } from "../session/session.ts";
import { deepestOf } from "./deepest.ts";
import { entryEndOf, type LastPools } from "./last-pools.ts";

/** The slots that can be in the best path of a chunk as its last pools but two and but one. */
export interface ChunkSlots {
  /** For these chunks they hold, and for paths that bring at least this of the sink's token. */
  amount: number;
  least: number;
  /** By node, what it takes of its token to bring `least` over one pool more, and over one or two. */
  readonly last: Float64Array;
  readonly lastTwo: Float64Array;
  /** Those of the last pools but two, and where those that lead away from a node begin and end there. */
  readonly slots: number[];
  readonly begin: Int32Array;
  readonly end: Int32Array;
  /** Of the nodes that the last pool leads from, and of the sink, slots of pools that lead there, the other way round. */
  readonly into: Map<number, number[]>;
  /** Finds them for such chunks and such paths. */
  find(amount: number, least: number): void;
}

/**
 * None yet. A slot is one of them if what can arrive there at most, over pools that nothing has gone over, makes what the
 * pools behind it need to bring `least`: a pool that chunks go over once pays less each time. Arrays are taken from `memory`.
 */
export function chunkSlots(session: Session, { entries }: LastPools, memory: Memory): ChunkSlots {
  const { graph, source, sink, maxHops, endOf } = session;
  const { start, to, twin, spot, spotBack, deepest, size } = graph;
  const { pays } = deepestOf(graph);
  const arriving = memory.floats(size);
  const [last, lastTwo] = [memory.floats(size), memory.floats(size)];
  const found: ChunkSlots = {
    amount: 0,
    least: Number.POSITIVE_INFINITY,
    last,
    lastTwo,
    slots: [],
    begin: memory.ints(size),
    end: memory.ints(size),
    into: new Map(),
    find(amount, least) {
      Object.assign(found, { amount, least });
      last.fill(Number.POSITIVE_INFINITY);
      need(sink, least, last);
      last[sink] = least;
      lastTwo.set(last);
      for (const node of entries) if (node !== sink) need(node, last[node] as number, lastTwo);
      arriving.fill(0);
      arriving[source] = amount;
      let nodes = [source];
      for (let hop = 1; hop < maxHops - 2; hop++) nodes = arrive(nodes);
      findOnward(nodes);
      findInto();
    },
  };
  return found;

  /** Takes in what pools into a node need to bring so much of its token. */
  function need(node: number, amount: number, needed: Float64Array): void {
    const end = entryEndOf(session, node);
    session.steps += end - (start[node] as number);
    for (let back = start[node] as number; back < end; back++) {
      const rate = spotBack[back] as number;
      const known = needed[to[back] as number] as number;
      if (!(amount < known * rate)) continue;
      const left = rate - amount / (deepest[twin[back] as number] as number);
      if (left > 0) needed[to[back] as number] = Math.min(known, amount / left);
    }
  }

  /** Takes in what pools away from these nodes bring at most; all nodes that something has come to. */
  function arrive(nodes: readonly number[]): number[] {
    const all = [...nodes];
    for (const node of nodes) {
      if (node === sink) continue;
      const available = arriving[node] as number;
      const end = endOf(node);
      session.steps += end - (start[node] as number);
      for (let slot = start[node] as number; slot < end; slot++) {
        const target = to[slot] as number;
        const known = arriving[target] as number;
        if (target === source || (spot[slot] as number) * available <= known || !session.allowsSlot(slot)) continue;
        if (known === 0) all.push(target);
        arriving[target] = Math.max(known, pays(slot, available));
      }
    }
    return all;
  }

  function findOnward(nodes: readonly number[]): void {
    const { slots, begin, end } = found;
    slots.length = 0;
    begin.fill(0);
    end.fill(0);
    /** What else arrives over the pools found, which none of them goes on from. */
    const behind: [node: number, amount: number][] = [];
    for (const node of nodes) {
      if (node === sink) continue;
      const available = arriving[node] as number;
      begin[node] = slots.length;
      const stop = endOf(node);
      session.steps += stop - (start[node] as number);
      for (let slot = start[node] as number; slot < stop; slot++) {
        const target = to[slot] as number;
        const needed = lastTwo[target] as number;
        if (target === source || (spot[slot] as number) * available < needed) continue;
        const most = pays(slot, available);
        if (most < needed || !session.leadsOn(slot, node) || !session.allowsSlot(slot)) continue;
        slots.push(slot);
        behind.push([target, most]);
      }
      end[node] = slots.length;
    }
    for (const [node, amount] of behind) arriving[node] = Math.max(arriving[node] as number, amount);
  }

  function findInto(): void {
    for (const node of entries) {
      const pools: number[] = [];
      const needed = last[node] as number;
      const end = entryEndOf(session, node);
      session.steps += end - (start[node] as number);
      for (let back = start[node] as number; back < end; back++) {
        const available = arriving[to[back] as number] as number;
        if ((spotBack[back] as number) * available < needed) continue;
        const slot = twin[back] as number;
        if (pays(slot, available) >= needed && session.allowsSlot(slot)) pools.push(back);
      }
      found.into.set(node, pools);
    }
  }
}
