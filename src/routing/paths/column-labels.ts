import { type Label, NO_SLOT } from "./label.ts";

/** Labels that are as good as others of the same node. */
export interface Cover {
  /** Row by row, for each place that labels begin at, 1 for those whose labels may go on wherever its own may. */
  readonly covers: Uint8Array;
  /** The number of places. */
  readonly count: number;
}

/** A label of a path that leaves a flow. */
export interface ColumnLabel extends Label {
  /** 0 for a label that is covered by a later one. */
  amount: number;
  /** The place that its path begins at. */
  readonly origin: number;
  readonly hops: number;
  /** The label of the same node that came before it. */
  readonly beside: ColumnLabel | undefined;
}

/**
 * Labels of a search that begins at many places and keeps several of a node: each an amount, of which none is covered by
 * another that is no smaller.
 */
export class ColumnLabels {
  /** In the order in which they come. */
  readonly all: ColumnLabel[] = [];
  /** By node the number of labels up to its last one; 0 where there is none. */
  readonly #last: Int32Array;
  readonly #cover: Cover;

  /** `numbers`: room by node, all 0, and again once the labels are cleared. */
  constructor(cover: Cover, numbers: Int32Array) {
    this.#cover = cover;
    this.#last = numbers;
  }

  clear(): void {
    for (const { node } of this.all) this.#last[node] = 0;
  }

  /** A label at the beginning of a path. */
  begin(node: number, amount: number, origin: number): void {
    this.#put({ node, amount, origin, hops: 0, slot: NO_SLOT, before: undefined, beside: undefined });
  }

  /**
   * A label at a node that a slot leads to from another one; those of as many pools that it covers are followed no further.
   * Earlier ones have come over fewer pools, and may go on over more.
   */
  add(before: ColumnLabel, slot: number, node: number, amount: number): void {
    const { covers, count } = this.#cover;
    const { origin } = before;
    const hops = before.hops + 1;
    const beside = this.#lastAt(node);
    for (let other = beside; other?.hops === hops; other = other.beside)
      if (other.amount <= amount && covers[other.origin * count + origin] === 1) other.amount = 0;
    this.#put({ node, amount, origin, hops, slot, before, beside });
  }

  /** Whether a label at this node that covers those of `origin` has as much as `amount`. */
  isCovered(node: number, origin: number, amount: number): boolean {
    const { covers, count } = this.#cover;
    for (let label = this.#lastAt(node); label !== undefined; label = label.beside)
      if (label.amount >= amount && covers[origin * count + label.origin] === 1) return true;
    return false;
  }

  #lastAt(node: number): ColumnLabel | undefined {
    const count = this.#last[node] as number;
    return count === 0 ? undefined : this.all[count - 1];
  }

  #put(label: ColumnLabel): void {
    this.#last[label.node] = this.all.push(label);
  }
}
