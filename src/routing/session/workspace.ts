import type { FlatGraph } from "../edges/flat-graph.ts";
import { createHubBundles, type HubBundles } from "./hub-bundles.ts";

/** Memory of searches, used again by the next one: one search at a time. */
export class Workspace {
  /** Amounts by node: see neededAhead. */
  needed = new Float64Array(0);
  /** Prices of tokens against spot prices, by node; 0 where they have the common level. */
  lift = new Float64Array(0);
  /** The nodes that have a lift. */
  readonly lifted: number[] = [];
  /** Number of times that a node's price was set, and whether it is queued again. */
  visits = new Uint8Array(0);
  queued = new Uint8Array(0);
  /** Numbers and amounts by node, all 0 between uses. */
  numbers = new Int32Array(0);
  amounts = new Float64Array(0);
  /** A place for each node in some list; -1 when in none. Whoever uses it leaves it so. */
  place = new Int32Array(0);
  /** Memory for what is solved at once: one flow at a time. */
  readonly scratch = createScratch();
  readonly #bundles = new WeakMap<FlatGraph, HubBundles>();

  /** The bundles between the hubs of a graph. */
  bundlesOf(graph: FlatGraph): HubBundles {
    const bundles = this.#bundles.get(graph) ?? createHubBundles(graph);
    this.#bundles.set(graph, bundles);
    return bundles;
  }

  /** Makes room for a search over so many nodes. */
  begin(size: number): void {
    if (this.lift.length >= size) return;
    const [ints, floats] = [() => new Int32Array(2 * size), () => new Float64Array(2 * size)];
    Object.assign(this, { numbers: ints(), place: ints().fill(-1) });
    Object.assign(this, { needed: floats(), lift: floats(), amounts: floats() });
    Object.assign(this, { visits: new Uint8Array(2 * size), queued: new Uint8Array(2 * size) });
    this.lifted.length = 0;
  }
}

/** Allocator of a computation's arrays. Their contents are undefined. */
export interface Memory {
  floats(count: number): Float64Array;
  ints(count: number): Int32Array;
}

/** Arrays of their own. */
export const FRESH: Memory = {
  floats: (count) => new Float64Array(count),
  ints: (count) => new Int32Array(count),
};

const FIRST_SIZE = 4096;

/** Memory for one computation after the other: making an array costs more than a small flow has to work out. */
function createScratch() {
  const floats = inParts((count) => new Float64Array(count));
  const ints = inParts((count) => new Int32Array(count));
  return {
    /** Releases all arrays taken so far: they may be overwritten from now on. */
    begin() {
      floats.begin();
      ints.begin();
    },
    floats: floats.take,
    ints: ints.take,
  };
}

/** Gives parts of one array, and of a larger one where that has no more room. */
function inParts<A extends { readonly length: number; subarray(from: number, to: number): A }>(
  make: (count: number) => A,
) {
  let array = make(FIRST_SIZE);
  let taken = 0;
  return {
    begin() {
      taken = 0;
    },
    take(count: number): A {
      if (taken + count > array.length) {
        array = make(2 * (array.length + count));
        taken = 0;
      }
      taken += count;
      return array.subarray(taken - count, taken);
    },
  };
}
