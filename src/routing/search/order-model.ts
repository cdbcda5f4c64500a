import { depthAbout } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";
import { priceOf } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { slotsAmong } from "../session/edges-among.ts";
import type { Search } from "../session/search.ts";

/** Tokens, by their numbers in a model, in the order in which a flow may pass them: the sold one first, the bought one last. */
export type TokenOrder = readonly number[];

/** A token of an order at another place. */
export interface Move {
  readonly token: number;
  /** Its place, and the one that it moves to among the others. */
  readonly from: number;
  readonly to: number;
  /** Upper bound of what that adds to the flow, in bought units, and the shift of the logarithm of the token's price that proves it. */
  readonly gain: number;
  readonly shift: number;
}

export function moved(order: TokenOrder, { token, from, to }: Move): TokenOrder {
  return order.toSpliced(from, 1).toSpliced(to, 0, token);
}

/** Width of the pools that a flow's tokens may be put into another order for, as a part of the trade's value. */
const WIDE = 1e-2;
/** The most pools in one direction: the widest ones. */
const MAX_EDGES = 1024;
/** Shifts of the logarithm of a token's price among which the one is taken that proves most. */
const SHIFTS = [0.01, 0.03, 0.06, 0.1, 0.16, 0.25, 0.4, 0.6, 0.9, 1.5];
const GRID = [...SHIFTS.map((shift) => -shift).reverse(), 0, ...SHIFTS];
const FACTORS = GRID.map((shift) => Math.exp(shift));
const ROOTS = GRID.map((shift) => Math.exp(shift / 2));

/**
 * The wide pools among the tokens of a flow and others, each of them in both directions: an order of the tokens says which of the
 * two a flow may use. Prices are of all tokens, in the logarithm, by node.
 */
export class OrderModel {
  readonly nodes: readonly number[];
  readonly edges: readonly Edge[];
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  /** By token the edges into it and out of it. */
  readonly #into: readonly (readonly number[])[];
  readonly #outOf: readonly (readonly number[])[];
  readonly #rootSpot: Float64Array;
  readonly #depth: Float64Array;
  readonly #place: Int32Array;
  readonly #sums: Float64Array;

  /** `logPrices`: of the tokens of the flow, in its order, and of the others. */
  constructor(search: Search, flow: Split, logPrices: ReadonlyMap<number, number>) {
    const { source, sink } = search;
    const between = [...logPrices.keys()].filter((node) => node !== source && node !== sink);
    this.nodes = [source, ...between, sink];
    this.edges = widestAmong(search, flow, logPrices);
    const numbers = new Map(this.nodes.map((node, token) => [node, token]));
    this.#from = Int32Array.from(this.edges, ({ from }) => numbers.get(from) as number);
    this.#to = Int32Array.from(this.edges, ({ to }) => numbers.get(to) as number);
    const into: number[][] = this.nodes.map(() => []);
    const outOf: number[][] = this.nodes.map(() => []);
    for (let i = 0; i < this.edges.length; i++) {
      (into[this.#to[i] as number] as number[]).push(i);
      (outOf[this.#from[i] as number] as number[]).push(i);
    }
    this.#into = into;
    this.#outOf = outOf;
    this.#rootSpot = Float64Array.from(this.edges, ({ spot }) => Math.sqrt(spot));
    this.#depth = Float64Array.from(this.edges, ({ depth, width }) => depthAbout(depth, width));
    this.#place = new Int32Array(this.nodes.length);
    this.#sums = new Float64Array(this.nodes.length * GRID.length);
  }

  /** The edges that lead on in an order. */
  edgesIn(order: TokenOrder): Edge[] {
    this.#setPlaces(order);
    const place = this.#place;
    return this.edges.filter(
      (_, i) => (place[this.#from[i] as number] as number) < (place[this.#to[i] as number] as number),
    );
  }

  /**
   * The best move of each token. At any prices the flow over an order is worth no more than what is sold and what all pools that
   * lead on earn. A move changes that for the token's own pools, and its own price may change with it.
   */
  moves(search: Search, order: TokenOrder, logPrices: ReadonlyMap<number, number>): Move[] {
    this.#setPlaces(order);
    search.work.steps += 2 * this.edges.length;
    const prices = Float64Array.from(this.nodes, (node) => Math.exp(logPrices.get(node) as number));
    const roots = prices.map(Math.sqrt);
    const moves: Move[] = [];
    for (let at = 1; at < order.length - 1; at++) {
      const move = this.#bestMove(order[at] as number, at, prices, roots);
      if (move !== undefined) moves.push(move);
    }
    return moves;
  }

  #setPlaces(order: TokenOrder): void {
    for (let at = 0; at < order.length; at++) this.#place[order[at] as number] = at;
  }

  /** The move of a token to the place among the others at which its pools may earn most beyond what they may where it is. */
  #bestMove(token: number, at: number, prices: Float64Array, roots: Float64Array): Move | undefined {
    const width = GRID.length;
    const sums = this.#earnings(token, at, prices, roots);
    for (let cell = width; cell < sums.length; cell++) sums[cell]! += sums[cell - width] as number;
    /** The cell of a place at whose shift the bound is least. */
    const leastAt = (place: number): number => {
      let least = place * width;
      for (let cell = least + 1; cell < (place + 1) * width; cell++)
        if ((sums[cell] as number) < (sums[least] as number)) least = cell;
      return least;
    };
    const now = sums[leastAt(at)] as number;
    let [best, most] = [-1, now];
    for (let place = 1; place < this.nodes.length - 1; place++) {
      const cell = leastAt(place);
      if (place === at || !((sums[cell] as number) > most)) continue;
      most = sums[cell] as number;
      best = cell;
    }
    if (best === -1) return undefined;
    return { token, from: at, to: Math.floor(best / width), gain: most - now, shift: GRID[best % width] as number };
  }

  /**
   * By place among the others, and by shift of its price, what a token's pools earn there beyond what they do at the place before:
   * those that lead to it from the tokens before, and from it to those behind. Each counts as the hyperbola that it begins as.
   */
  #earnings(token: number, at: number, prices: Float64Array, roots: Float64Array): Float64Array {
    const sums = this.#sums.fill(0);
    const width = GRID.length;
    const root = roots[token] as number;
    /** Beginning of the sums for places behind another token, which is counted without the token itself. */
    const behind = (other: number) => {
      const place = this.#place[other] as number;
      return (place > at ? place : place + 1) * width;
    };
    for (const i of this.#into[token] as readonly number[]) {
      const other = this.#from[i] as number;
      const ratio = ((this.#rootSpot[i] as number) * root) / (roots[other] as number);
      const worth = (this.#depth[i] as number) * (prices[other] as number);
      for (let y = width - 1, row = behind(other); y >= 0; y--) {
        const depths = ratio * (ROOTS[y] as number) - 1;
        if (!(depths > 0)) break;
        sums[row + y]! += worth * depths * depths;
      }
    }
    for (const i of this.#outOf[token] as readonly number[]) {
      const other = this.#to[i] as number;
      const ratio = ((this.#rootSpot[i] as number) * (roots[other] as number)) / root;
      const worth = (this.#depth[i] as number) * (prices[token] as number);
      for (let y = 0, row = behind(other); y < width; y++) {
        const depths = ratio / (ROOTS[y] as number) - 1;
        if (!(depths > 0)) break;
        const earned = worth * (FACTORS[y] as number) * depths * depths;
        sums[y]! += earned;
        sums[row + y]! -= earned;
      }
    }
    return sums;
  }
}

/** The edges of a flow, and the widest others among the tokens that have a price. */
function widestAmong(search: Search, flow: Split, logPrices: ReadonlyMap<number, number>): Edge[] {
  const { graph, source } = search;
  const least = WIDE * flow.sellAmount * priceOf(flow, source);
  const own = new Set(flow.support.edges);
  const others = slotsAmong(search, logPrices, [...logPrices.keys()], 0, () => true)
    .map((slot) => {
      const price = Math.exp(logPrices.get(graph.from[slot] as number) as number);
      return { edge: graph.edgeAt(slot), width: (graph.width[slot] as number) * price };
    })
    .filter(({ edge, width }) => width >= least && !own.has(edge))
    .sort((a, b) => b.width - a.width);
  return [...own, ...others.slice(0, MAX_EDGES).map(({ edge }) => edge)];
}
