import { vaultOf } from "../../pools/shared-totals.ts";
import type { EdgeGraph } from "../graph/edge-store.ts";
import { createHubBundles } from "./hub-bundles.ts";

/** Computes a value once for each graph, when it is first asked for; updates with the blocks that change the graph. */
function oncePerGraph<T extends object>(make: (graph: EdgeGraph) => T): (graph: EdgeGraph) => T {
  const known = new WeakMap<EdgeGraph, T>();
  return (graph) => {
    const made = known.get(graph) ?? make(graph);
    known.set(graph, made);
    return made;
  };
}

/** Memory of searches, used again by the next one: one search at a time. */
export class Workspace {
  /** `mark` at the nodes that a pool leads to from the source. */
  fromSource = new Int32Array(0);
  /** `mark` at the nodes that a pool leads from to the sink. */
  toSink = new Int32Array(0);
  /** The best rate at which a pool leads from a node to the sink, at the margin; 0 where none does. */
  entryRate = new Float64Array(0);
  /** Amounts by node: see neededAhead. */
  needed = new Float64Array(0);
  mark = 0;
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
  /** The bundles between the hubs of a graph. */
  readonly bundlesOf = oncePerGraph(createHubBundles);
  /** The pools of a graph that other pool uses of a route may move: those of several tokens, and of ERC-4626 vaults. */
  readonly poolsThatOthersMove = oncePerGraph(({ pools }) =>
    pools.filter((pool) => pool !== undefined && (pool.tokens.length > 2 || vaultOf(pool) !== undefined)),
  );
  #allowed = new Uint8Array(0);

  /** Makes ready for a search; gives room for what is known of pools being allowed, all 0. */
  begin(graph: EdgeGraph): Uint8Array {
    const { size, poolCount } = graph;
    this.bundlesOf(graph).follow();
    if (this.lift.length < size) {
      const [ints, floats] = [() => new Int32Array(2 * size), () => new Float64Array(2 * size)];
      Object.assign(this, { fromSource: ints(), toSink: ints(), numbers: ints(), place: ints().fill(-1) });
      Object.assign(this, { entryRate: floats(), needed: floats(), lift: floats(), amounts: floats() });
      Object.assign(this, { visits: new Uint8Array(2 * size), queued: new Uint8Array(2 * size) });
      this.lifted.length = 0;
    }
    this.mark++;
    if (this.#allowed.length < poolCount) this.#allowed = new Uint8Array(2 * poolCount);
    else this.#allowed.fill(0);
    return this.#allowed;
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
  let floats = new Float64Array(FIRST_SIZE);
  let ints = new Int32Array(FIRST_SIZE);
  let [floatsTaken, intsTaken] = [0, 0];
  return {
    /** Releases all arrays taken so far: they may be overwritten from now on. */
    begin() {
      floatsTaken = 0;
      intsTaken = 0;
    },
    floats(count: number) {
      if (floatsTaken + count > floats.length) {
        floats = new Float64Array(2 * (floats.length + count));
        floatsTaken = 0;
      }
      floatsTaken += count;
      return floats.subarray(floatsTaken - count, floatsTaken);
    },
    ints(count: number) {
      if (intsTaken + count > ints.length) {
        ints = new Int32Array(2 * (ints.length + count));
        intsTaken = 0;
      }
      intsTaken += count;
      return ints.subarray(intsTaken - count, intsTaken);
    },
  };
}
