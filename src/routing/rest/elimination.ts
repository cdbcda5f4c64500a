import type { FlatGraph } from "../edges/flat-graph.ts";

/**
 * An order in which nodes leave a graph one after the other, and what each of them leaves behind. A link joins two nodes
 * between which there are pools, or a way over nodes that have left. Links come in the order in which the first of their
 * two nodes leaves; link n has arcs 2n, away from that node, and 2n + 1, back to it.
 */
export interface Elimination {
  /** The arc of each slot, from what it sells to what it buys; -1 for those of dead ends. */
  readonly arcOf: Int32Array;
  /** The nodes in the order in which they leave. */
  readonly order: Int32Array;
  /** Where the links from each of these to those that leave later begin; one more at the end. */
  readonly start: Int32Array;
  /** Where each link leads. */
  readonly to: Int32Array;
  /** Where the ways from end to end of each link over nodes that have left before begin; one more at the end. */
  readonly firstWay: Int32Array;
  /** Of each way, which are in the order in which these leave, the links from such a node to the one end and to the other. */
  readonly ways: Int32Array;
  /**
   * For each two links with which a node leaves, node by node, first with second, first with third and so on: the way
   * over them, and the arc from where the first of them leads to where the second does.
   */
  readonly over: Int32Array;
  /** Where those of each node in `order` begin; one more at the end. None where a node leaves nothing behind. */
  readonly firstOver: Int32Array;
}

/** Ways after which nodes leave nothing behind, so that no graph costs more memory and time than this. */
const MOST_WAYS = 2 ** 18;

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
  /** For each two nodes that a node leaves behind three arcs: from it to the one, to the other, and from one to other. */
  const triangles: number[] = [];
  const firstOver = [0];
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
    if (triangles.length + 1.5 * count ** 2 <= 3 * MOST_WAYS)
      for (let i = 0; i < count; i++) {
        const [one, there] = left[i] as [number, number];
        for (let k = i + 1; k < count; k++) {
          const [other, onwards] = left[k] as [number, number];
          triangles.push(there, onwards, arcBetween(one, other));
        }
      }
    firstOver.push(triangles.length / 3);
    for (const [other] of left) count = Math.min(count, put(other));
  }
  const arcNow = new Int32Array(2 * arcs.length);
  arcs.forEach((arc, link) => {
    arcNow[arc] = 2 * link;
    arcNow[arc ^ 1] = 2 * link + 1;
  });
  const now = (arc: number) => arcNow[arc] as number;
  return {
    arcOf: arcOf.map((arc) => (arc < 0 ? arc : now(arc))),
    order: Int32Array.from(order),
    start: Int32Array.from(starts),
    to: Int32Array.from(ends),
    ...waysOf(Int32Array.from(triangles, now), arcs.length),
    firstOver: Int32Array.from(firstOver),
  };
}

/** The ways of so many links, by triangles of their arcs as they are numbered in the end. */
function waysOf(triangles: Int32Array, links: number): Pick<Elimination, "firstWay" | "ways" | "over"> {
  const count = triangles.length / 3;
  const arcAt = (triangle: number, i: number) => triangles[3 * triangle + i] as number;
  const firstWay = new Int32Array(links + 1);
  for (let n = 0; n < count; n++) firstWay[(arcAt(n, 2) >> 1) + 1]! += 1;
  for (let link = 0; link < links; link++) firstWay[link + 1]! += firstWay[link] as number;
  const next = firstWay.slice();
  const ways = new Int32Array(2 * count);
  const over = new Int32Array(2 * count);
  for (let n = 0; n < count; n++) {
    const arc = arcAt(n, 2);
    const way = next[arc >> 1] as number;
    next[arc >> 1] = way + 1;
    ways[2 * way] = arcAt(n, 0) >> 1;
    ways[2 * way + 1] = arcAt(n, 1) >> 1;
    over[2 * n] = way;
    over[2 * n + 1] = arc;
  }
  return { firstWay, ways, over };
}
