import { isPassedOnce } from "../edges/edges.ts";
import type { FlatGraph } from "../edges/flat-graph.ts";

/** Labels that are as good as others of the same node. */
export interface Cover {
  /** Row by row, for each place that labels begin at, 1 for those whose labels may go on wherever its own may. */
  readonly covers: Uint8Array;
  /** The number of places. */
  readonly count: number;
}

/** No label: before the first one of a path, and behind the last one of a node. */
const NONE = -1;

/**
 * Labels of a search that begins at many places and keeps several of a node: each an amount, of which none is covered by
 * another that is no smaller. They are numbered in the order in which they come. Room is used again by the next search.
 */
export class Labels {
  count = 0;
  node = new Int32Array(1024);
  /** 0 for a label that is covered by a later one. */
  amount = new Float64Array(1024);
  /** The place that its path begins at. */
  origin = new Int32Array(1024);
  #before = new Int32Array(1024);
  /** The slot that it was reached over. */
  #via = new Int32Array(1024);
  /** The label of the same node that came before it. */
  #beside = new Int32Array(1024);
  /** The last label of each node. */
  #last = new Int32Array(0);
  #cover: Cover = { covers: new Uint8Array(0), count: 0 };

  /** Empties it for nodes below `size`. */
  clear(size: number, cover: Cover): void {
    for (let label = 0; label < this.count; label++) this.#last[this.node[label] as number] = NONE;
    if (this.#last.length < size) this.#last = new Int32Array(2 * size).fill(NONE);
    this.count = 0;
    this.#cover = cover;
  }

  /** A label at the beginning of a path. */
  begin(node: number, amount: number, origin: number): void {
    this.#put(node, amount, origin, NONE, NONE);
  }

  /**
   * A label at a node that a slot leads to from another one; those from `first` on that it covers are followed no further. Earlier
   * ones have come over fewer pools, and may go on over more.
   */
  add(before: number, slot: number, node: number, amount: number, first: number): void {
    const { covers, count } = this.#cover;
    const origin = this.origin[before] as number;
    for (let other = this.#last[node] as number; other >= first; other = this.#beside[other] as number)
      if ((this.amount[other] as number) <= amount && covers[(this.origin[other] as number) * count + origin] === 1)
        this.amount[other] = 0;
    this.#put(node, amount, origin, before, slot);
  }

  /** Whether a label at this node that covers those of `origin` has as much as `amount`. */
  isCovered(node: number, origin: number, amount: number): boolean {
    const { covers, count } = this.#cover;
    for (let label = this.#last[node] as number; label !== NONE; label = this.#beside[label] as number)
      if ((this.amount[label] as number) >= amount && covers[origin * count + (this.origin[label] as number)] === 1)
        return true;
    return false;
  }

  /** Whether the path to a label has already seen the token or the pool that a slot would bring. */
  repeats(label: number, next: number, { to, pool, edgeAt }: FlatGraph, revisits: boolean): boolean {
    const target = to[next] as number;
    if (this.node[label] === target) return true;
    for (let here = label; ; ) {
      const before = this.#before[here] as number;
      if (before === NONE) return false;
      if (this.node[before] === target) return true;
      const isSamePool = pool[this.#via[here] as number] === pool[next];
      if (isSamePool && (here === label || isPassedOnce(edgeAt(next), revisits))) return true;
      here = before;
    }
  }

  /** The slots by which a label was reached, first one first. */
  pathTo(label: number): number[] {
    const slots: number[] = [];
    for (let here = label; this.#before[here] !== NONE; here = this.#before[here] as number)
      slots.unshift(this.#via[here] as number);
    return slots;
  }

  #put(node: number, amount: number, origin: number, before: number, via: number): void {
    const label = this.count++;
    if (label === this.node.length) this.#grow(2 * label);
    this.node[label] = node;
    this.amount[label] = amount;
    this.origin[label] = origin;
    this.#before[label] = before;
    this.#via[label] = via;
    this.#beside[label] = this.#last[node] as number;
    this.#last[node] = label;
  }

  #grow(capacity: number): void {
    const grown = (values: Int32Array): Int32Array<ArrayBuffer> => {
      const more = new Int32Array(capacity);
      more.set(values);
      return more;
    };
    this.node = grown(this.node);
    this.origin = grown(this.origin);
    this.#before = grown(this.#before);
    this.#via = grown(this.#via);
    this.#beside = grown(this.#beside);
    const amount = new Float64Array(capacity);
    amount.set(this.amount);
    this.amount = amount;
  }
}
