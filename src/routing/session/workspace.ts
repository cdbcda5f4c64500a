import { vaultOf } from "../../pools/shared-totals.ts";
import type { EdgeGraph } from "../graph/edge-store.ts";
import { createHubBundles, type HubBundles } from "./hub-bundles.ts";
import { Labels } from "./labels.ts";
import { createThrough, type Through } from "./through.ts";

/** Memory of searches, used again by the next one: one search at a time. */
export interface Workspace {
  readonly labels: Labels;
  /** `mark` at the nodes that a pool leads to from the source. */
  fromSource: Int32Array;
  /** `mark` at the nodes that a pool leads from to the sink. */
  toSink: Int32Array;
  /** The best rate at which a pool leads from a node to the sink, at the margin; 0 where none does. */
  entryRate: Float64Array;
  /** Amounts by node: see neededOn. */
  needed: Float64Array;
  mark: number;
  /** Prices of tokens against spot prices, by node; 0 where they have the common level. */
  lift: Float64Array;
  /** The nodes that have a lift. */
  readonly lifted: number[];
  /** Number of times that a node's price was set, and whether it is queued again. */
  visits: Uint8Array;
  queued: Uint8Array;
  /** Numbers and amounts by node, all 0 between uses. */
  numbers: Int32Array;
  amounts: Float64Array;
  /** A place for each node in some list; -1 when in none. Whoever uses it leaves it so. */
  place: Int32Array;
  /** Memory for what is solved at once: one flow at a time. */
  readonly scratch: Scratch;
  /** The bundles between the hubs of a graph. */
  bundlesOf(graph: EdgeGraph): HubBundles;
  /** Capacities of a graph's pools that gain at spot prices. */
  throughOf(graph: EdgeGraph): Through;
  /** Whether a graph has pools that other pool uses of a route may move: those of several tokens, and of ERC-4626 vaults. */
  hasPoolsThatOthersMove(graph: EdgeGraph): boolean;
  /** Makes ready for a search; gives room for what is known of pools being allowed, all 0. */
  begin(graph: EdgeGraph): Uint8Array;
}

/** Computes a value once for each graph, when it is first asked for; updates with the blocks that change the graph. */
function oncePerGraph<T extends object>(make: (graph: EdgeGraph) => T): (graph: EdgeGraph) => T {
  const known = new WeakMap<EdgeGraph, T>();
  return (graph) => {
    const made = known.get(graph) ?? make(graph);
    known.set(graph, made);
    return made;
  };
}

/** Arrays by node. */
function arraysFor(size: number) {
  return {
    fromSource: new Int32Array(size),
    toSink: new Int32Array(size),
    entryRate: new Float64Array(size),
    needed: new Float64Array(size),
    lift: new Float64Array(size),
    visits: new Uint8Array(size),
    queued: new Uint8Array(size),
    numbers: new Int32Array(size),
    amounts: new Float64Array(size),
    place: new Int32Array(size).fill(-1),
  };
}

export function createWorkspace(): Workspace {
  let allowed = new Uint8Array(0);
  const moved = oncePerGraph(({ pools }) =>
    pools.filter((pool) => pool !== undefined && (pool.tokens.length > 2 || vaultOf(pool) !== undefined)),
  );
  const workspace: Workspace = {
    labels: new Labels(),
    ...arraysFor(0),
    mark: 0,
    lifted: [],
    scratch: createScratch(),
    bundlesOf: oncePerGraph(createHubBundles),
    throughOf: oncePerGraph(createThrough),
    hasPoolsThatOthersMove: (graph) => moved(graph).length > 0,
    begin(graph) {
      const { size, poolCount } = graph;
      workspace.bundlesOf(graph).follow();
      if (workspace.lift.length < size) {
        Object.assign(workspace, arraysFor(2 * size));
        workspace.lifted.length = 0;
      }
      workspace.mark++;
      if (allowed.length < poolCount) allowed = new Uint8Array(2 * poolCount);
      else allowed.fill(0);
      return allowed;
    },
  };
  return workspace;
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

/** Memory for one computation after the other: making an array costs more than a small flow has to work out. */
export interface Scratch extends Memory {
  /** Releases all arrays taken so far: they may be overwritten from now on. */
  begin(): void;
}

const FIRST_SIZE = 4096;

export function createScratch(): Scratch {
  let floats = new Float64Array(FIRST_SIZE);
  let ints = new Int32Array(FIRST_SIZE);
  let [floatsTaken, intsTaken] = [0, 0];
  return {
    begin() {
      floatsTaken = 0;
      intsTaken = 0;
    },
    floats(count) {
      if (floatsTaken + count > floats.length) {
        floats = new Float64Array(2 * (floats.length + count));
        floatsTaken = 0;
      }
      floatsTaken += count;
      return floats.subarray(floatsTaken - count, floatsTaken);
    },
    ints(count) {
      if (intsTaken + count > ints.length) {
        ints = new Int32Array(2 * (ints.length + count));
        intsTaken = 0;
      }
      intsTaken += count;
      return ints.subarray(intsTaken - count, intsTaken);
    },
  };
}
