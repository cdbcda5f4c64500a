import type { FlatGraph } from "./flat-graph.ts";

/** Nodes that wait, each once. */
export interface NodeQueue {
  add(node: number): void;
  /** -1 when there is none. */
  next(): number;
  /** How many have been taken out since it was cleared. */
  taken(): number;
  clear(): void;
}

/** Classes of nodes by the number of their slots, each twice as large as the one before. */
const CLASSES = 32;

/**
 * Nodes with many slots come first: what they are worth concerns most others, and should be settled before these are
 * looked at.
 */
export function createNodeQueue({ size, start, live }: FlatGraph): NodeQueue {
  const waits = new Uint8Array(size);
  const lists: number[][] = Array.from({ length: CLASSES }, () => []);
  const heads = new Int32Array(CLASSES);
  let first = -1;
  let taken = 0;
  return {
    add(node) {
      if (waits[node] === 1) return;
      waits[node] = 1;
      const order = CLASSES - 1 - Math.clz32((live[node] as number) - (start[node] as number));
      (lists[order] as number[]).push(node);
      if (order > first) first = order;
    },
    next() {
      for (; first >= 0; first--) {
        const list = lists[first] as number[];
        const head = heads[first] as number;
        if (head < list.length) {
          heads[first] = head + 1;
          const node = list[head] as number;
          waits[node] = 0;
          taken++;
          return node;
        }
        list.length = 0;
        heads[first] = 0;
      }
      return -1;
    },
    taken: () => taken,
    clear() {
      waits.fill(0);
      for (const list of lists) list.length = 0;
      heads.fill(0);
      first = -1;
      taken = 0;
    },
  };
}
