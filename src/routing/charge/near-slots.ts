import { deepestAbout, depthAbout } from "../edges/depth.ts";
import type { EdgeGraph } from "../graph/edge-store.ts";

/** Slots that a charge is minimised over and what is known of each, by their places in the order in which they came. */
export interface NearSlots {
  readonly slots: Int32Array;
  /** The nodes that they lead from and to. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The best rate, and its logarithm. */
  readonly spot: Float64Array;
  readonly best: Float64Array;
  /** Depth of the hyperbola, not a number, or 0, for other curves; of one as wide; of the deepest that it may be, and about. */
  readonly depth: Float64Array;
  readonly deep: Float64Array;
  readonly deepest: Float64Array;
  readonly deepestAbout: Float64Array;
  /** Gas of a touch. */
  readonly gas: Float64Array;
}

export const NO_SLOTS: NearSlots = {
  slots: new Int32Array(0),
  from: new Int32Array(0),
  to: new Int32Array(0),
  spot: new Float64Array(0),
  best: new Float64Array(0),
  depth: new Float64Array(0),
  deep: new Float64Array(0),
  deepest: new Float64Array(0),
  deepestAbout: new Float64Array(0),
  gas: new Float64Array(0),
};

/** These slots and others, none of them among them: one round after the other looks at the same ones, far apart in a graph. */
export function withSlots(graph: EdgeGraph, known: NearSlots, added: readonly number[]): NearSlots {
  if (added.length === 0) return known;
  const before = known.slots.length;
  const size = before + added.length;
  const ints = (first: Int32Array) => begunWith(first, new Int32Array(size));
  const floats = (first: Float64Array) => begunWith(first, new Float64Array(size));
  const [slots, from, to] = [ints(known.slots), ints(known.from), ints(known.to)];
  const [spot, best, gas] = [floats(known.spot), floats(known.best), floats(known.gas)];
  const [depth, deep] = [floats(known.depth), floats(known.deep)];
  const [deepest, about] = [floats(known.deepest), floats(known.deepestAbout)];
  for (let k = 0; k < added.length; k++) {
    const i = before + k;
    const slot = added[k] as number;
    const width = graph.width[slot] as number;
    slots[i] = slot;
    from[i] = graph.from[slot] as number;
    to[i] = graph.to[slot] as number;
    spot[i] = graph.spot[slot] as number;
    best[i] = Math.log(spot[i] as number);
    depth[i] = graph.depth[slot] as number;
    deep[i] = depthAbout(depth[i] as number, width);
    deepest[i] = graph.deepest[slot] as number;
    about[i] = deepestAbout(deepest[i] as number, width);
    gas[i] = graph.gas[slot] as number;
  }
  return { slots, from, to, spot, best, depth, deep, deepest, deepestAbout: about, gas };
}

function begunWith<T extends Int32Array | Float64Array>(first: T, all: T): T {
  all.set(first);
  return all;
}
