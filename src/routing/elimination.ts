import type { FlatGraph } from "./flat-graph.ts";

/**
 * An order in which nodes leave a graph one after the other, and what each of them leaves behind. A link joins two nodes
 * between which there are pools, or a way over nodes that have left; link n has arcs 2n and 2n + 1, one each way.
 */
export interface Elimination {
  readonly links: number;
  /** The arc of each slot, from what it sells to what it buys; -1 for those of dead ends. */
  readonly arcOf: Int32Array;
  /** The nodes in the order in which they leave. */
  readonly order: Int32Array;
  /** Where the arcs from each of these to those that leave later begin; one more at the end. */
  readonly start: Int32Array;
  readonly arcs: Int32Array;
  /** Where each of these arcs leads. */
  readonly to: Int32Array;
  /**
   * For each two nodes that a node leaves behind, in that order, three arcs: from it to the one, from it to the other,
   * and from the one to the other.
   */
  readonly triangles: Int32Array;
}

/** Triangles after which nodes leave nothing behind, so that no graph costs more memory and time than this. */
const MOST_TRIANGLES = 2 ** 18;

/**
 * Eliminates the node with the fewest neighbours left first: around hubs, few links come in this way. It depends on which
 * tokens pools hold, and on the order of their ids.
 */
export function eliminate({ size, spot, start, live, through, to }: FlatGraph): Elimination {
  /** The arcs to the neighbours that each node has left. */
  const around: Map<number, number>[] = Array.from({ length: size }, () => new Map());
  const neighbours = (node: number) => around[node] as Map<number, number>;
  let links = 0;
  const arcBetween = (from: number, to: number): number => {
    const known = neighbours(from).get(to);
    if (known !== undefined) return known;
    const arc = 2 * links++;
    neighbours(from).set(to, arc);
    neighbours(to).set(from, arc + 1);
    return arc;
  };
  const arcOf = new Int32Array(spot.length).fill(-1);
  for (const node of through)
    for (let slot = start[node] as number; slot < (live[node] as number); slot++)
      arcOf[slot] = arcBetween(node, to[slot] as number);
  /** Nodes by how many neighbours they had when they were put there. */
  const classes: number[][] = [];
  const put = (node: number): number => {
    const count = neighbours(node).size;
    classes[count] ??= [];
    classes[count].push(node);
    return count;
  };
  for (const node of through) put(node);
  const hasLeft = new Uint8Array(size);
  const order: number[] = [];
  const starts = [0];
  const arcs: number[] = [];
  const ends: number[] = [];
  const triangles: number[] = [];
  for (let count = 0; count < classes.length; ) {
    const node = classes[count]?.pop();
    if (node === undefined) {
      count++;
      continue;
    }
    if (hasLeft[node] === 1 || neighbours(node).size !== count) continue;
    hasLeft[node] = 1;
    order.push(node);
    const left = [...neighbours(node)];
    for (const [other, arc] of left) {
      arcs.push(arc);
      ends.push(other);
      neighbours(other).delete(node);
    }
    starts.push(arcs.length);
    if (triangles.length + 1.5 * count ** 2 <= 3 * MOST_TRIANGLES)
      for (let i = 0; i < count; i++) {
        const [one, there] = left[i] as [number, number];
        for (let k = i + 1; k < count; k++) {
          const [other, onwards] = left[k] as [number, number];
          triangles.push(there, onwards, arcBetween(one, other));
        }
      }
    for (const [other] of left) count = Math.min(count, put(other));
  }
  return {
    links,
    arcOf,
    order: Int32Array.from(order),
    start: Int32Array.from(starts),
    arcs: Int32Array.from(arcs),
    to: Int32Array.from(ends),
    triangles: Int32Array.from(triangles),
  };
}
