import type { Edge } from "../edges/edges.ts";
import { mayTouchAgain } from "../edges/may-touch-again.ts";

/** Labels of one layer of a search by node: an amount (0 = none), and the edge it came by. */
export interface Layer {
  amount: Float64Array;
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
    for (const layer of layers) layer.amount = grown(layer.amount, capacity);
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
    while (layers.length <= depth) layers.push({ amount: new Float64Array(capacity), via: [], nodes: [] });
    return layers;
  }
}

function grown(values: Float64Array, capacity: number): Float64Array<ArrayBuffer> {
  const more = new Float64Array(capacity);
  more.set(values);
  return more;
}

/** Gives `node` a label in this layer, or a better one. */
export function mark(layer: Layer, node: number, amount: number, via: Edge | undefined): void {
  if (layer.amount[node] === 0) layer.nodes.push(node);
  layer.amount[node] = amount;
  layer.via[node] = via;
}

/** Tokens of a pool from which on a path can pass it twice, with others between. */
const TWO_PAIRS = 4;

/**
 * Whether a path can pass a pool only once. With `revisits` it may come again between two other tokens, not right after
 * itself: what it pays between these stays the same, or nearly.
 */
export function isPassedOnce({ pool }: Edge, revisits: boolean): boolean {
  return !revisits || pool.tokens.length < TWO_PAIRS || !mayTouchAgain(pool);
}

/**
 * Whether the path to `node` in layer `at` has already seen the token or the pool that `next` would bring.
 */
export function repeats(layers: readonly Layer[], at: number, node: number, next: Edge, revisits: boolean): boolean {
  if (node === next.to) return true;
  const once = isPassedOnce(next, revisits);
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
