import type { Edge } from "./edges.ts";
import { mayTouchAgain } from "./touches.ts";

/** Labels of one layer of a search by node: an amount (0 = none), the edge it came by, and where its path began. */
export interface Layer {
  amount: Float64Array;
  origin: Int32Array;
  readonly via: (Edge | undefined)[];
  /** The nodes that have a label, in the order in which they got it. */
  readonly nodes: number[];
}

/** Room for layered searches, used again by the next one. */
export interface Layers {
  /** The largest amount that any layer has for a node: a longer path that brings less is not worth following. */
  most: Float64Array;
  /** Empty layers 0 to `depth`, for nodes below `size`. */
  clear(depth: number, size: number): readonly Layer[];
  /** Makes room for nodes below `size`. */
  hold(size: number): void;
}

export function createLayers(): Layers {
  const layers: Layer[] = [];
  let capacity = 1024;
  const room: Layers = { most: new Float64Array(capacity), hold, clear };
  return room;

  function hold(size: number): void {
    if (size <= capacity) return;
    while (capacity < size) capacity *= 2;
    room.most = grown(room.most, capacity);
    for (const layer of layers) {
      layer.amount = grown(layer.amount, capacity);
      const { origin } = layer;
      layer.origin = new Int32Array(capacity);
      layer.origin.set(origin);
    }
  }

  function clear(depth: number, size: number): readonly Layer[] {
    hold(size);
    for (const layer of layers) {
      for (const node of layer.nodes) {
        layer.amount[node] = 0;
        layer.via[node] = undefined;
        room.most[node] = 0;
      }
      layer.nodes.length = 0;
    }
    while (layers.length <= depth)
      layers.push({ amount: new Float64Array(capacity), origin: new Int32Array(capacity), via: [], nodes: [] });
    return layers;
  }
}

function grown(values: Float64Array, capacity: number): Float64Array<ArrayBuffer> {
  const more = new Float64Array(capacity);
  more.set(values);
  return more;
}

/** Gives `node` a label in this layer, or a better one. */
export function mark(layer: Layer, node: number, amount: number, via: Edge | undefined, origin: number): void {
  if (layer.amount[node] === 0) layer.nodes.push(node);
  layer.amount[node] = amount;
  layer.via[node] = via;
  layer.origin[node] = origin;
}

/** Tokens of a pool from which on a path can pass it twice, with others between. */
const TWO_PAIRS = 4;

/**
 * Whether the path to `node` in layer `at` has already seen the token or the pool that `next` would bring. With `revisits`
 * a pool may come again between two other tokens, not right after itself: what it pays between these stays the same,
 * or nearly.
 */
export function repeats(layers: readonly Layer[], at: number, node: number, next: Edge, revisits: boolean): boolean {
  if (node === next.to) return true;
  const once = !revisits || next.pool.tokens.length < TWO_PAIRS || !mayTouchAgain(next.pool);
  let here = node;
  for (let layer = at; layer > 0; layer--) {
    const edge = (layers[layer] as Layer).via[here] as Edge;
    if (edge.from === next.to || (edge.pool === next.pool && (once || layer === at))) return true;
    here = edge.from;
  }
  return false;
}

/** The edges by which `node` in layer `at` was reached, first one first. */
export function pathTo(layers: readonly Layer[], at: number, node: number): Edge[] {
  const edges: Edge[] = [];
  let here = node;
  for (let layer = at; layer > 0; layer--) {
    const edge = (layers[layer] as Layer).via[here] as Edge;
    edges.unshift(edge);
    here = edge.from;
  }
  return edges;
}
