import { asksFor, numbersOfTies, partBorne, type Tie } from "./ties.ts";

/** Ties that an edge may have to do with: one is met by it, or it bears a part of one, at each of its ends. */
const MOST_OF_EDGE = 4;

/** What ties add to the charges of edges, in units of the first charge, as a function of the ties' variables. */
export interface TiedEdges {
  /** Whether a touch of this edge is what a tie asks for. */
  isAskedFor(i: number): boolean;
  costOf(i: number, at: Float64Array): number;
  /** Adds so much of what an edge's cost grows with each tie to a gradient. */
  addSlopes(gradient: Float64Array, i: number, times: number): void;
  /** Adds so many times what an edge's cost grows with each tie to its places beside a variable, in a matrix of `size` rows. */
  addBends(matrix: Float64Array, size: number, i: number, variable: number, times: number): void;
  /** The same for each two ties of the edge. */
  addOwnBends(matrix: Float64Array, size: number, i: number, times: number): void;
}

/**
 * The edges in some slots, which lead from and to nodes at these places among `nodes`, with the ties whose variables begin at
 * `first`.
 */
export function tiedEdges(
  ties: readonly Tie[],
  slots: Int32Array,
  nodes: readonly number[],
  from: Int32Array,
  to: Int32Array,
  first: number,
): TiedEdges {
  const count = ties.length === 0 ? 0 : slots.length;
  const variables = new Int32Array(MOST_OF_EDGE * count);
  const weights = new Float64Array(MOST_OF_EDGE * count);
  const numberOf = numbersOfTies(ties);
  /** By place the tie that asks for edges out of the node there, and into it. */
  const outOf = nodes.map((node) => numberOf(node, false));
  const into = nodes.map((node) => numberOf(node, true));
  const set = (t: number, k: number | undefined, slot: number, weightIn: typeof partBorne): void => {
    if (k === undefined) return;
    variables[t] = first + k;
    weights[t] = weightIn(ties[k] as Tie, slot);
  };
  for (let i = 0; i < count; i++) {
    const [a, b] = [from[i] as number, to[i] as number];
    const slot = slots[i] as number;
    set(MOST_OF_EDGE * i, outOf[a], slot, met);
    set(MOST_OF_EDGE * i + 1, into[b], slot, met);
    set(MOST_OF_EDGE * i + 2, outOf[b], slot, partBorne);
    set(MOST_OF_EDGE * i + 3, into[a], slot, partBorne);
  }
  const endOf = (i: number) => (count === 0 ? 0 : MOST_OF_EDGE * (i + 1));
  return {
    isAskedFor: (i) => count > 0 && (weights[MOST_OF_EDGE * i] !== 0 || weights[MOST_OF_EDGE * i + 1] !== 0),
    costOf(i, at) {
      let sum = 0;
      for (let t = MOST_OF_EDGE * i; t < endOf(i); t++)
        if (weights[t] !== 0) sum += (weights[t] as number) * (at[variables[t] as number] as number);
      return sum;
    },
    addSlopes(gradient, i, times) {
      for (let t = MOST_OF_EDGE * i; t < endOf(i); t++)
        if (weights[t] !== 0) gradient[variables[t] as number]! += times * (weights[t] as number);
    },
    addBends(matrix, size, i, variable, times) {
      for (let t = MOST_OF_EDGE * i; t < endOf(i); t++) {
        if (weights[t] === 0) continue;
        const slope = times * (weights[t] as number);
        matrix[(variables[t] as number) * size + variable]! += slope;
        matrix[variable * size + (variables[t] as number)]! += slope;
      }
    },
    addOwnBends(matrix, size, i, times) {
      for (let t = MOST_OF_EDGE * i; t < endOf(i); t++)
        for (let u = MOST_OF_EDGE * i; u < endOf(i); u++)
          if (weights[t] !== 0 && weights[u] !== 0)
            matrix[(variables[t] as number) * size + (variables[u] as number)]! +=
              times * (weights[t] as number) * (weights[u] as number);
    },
  };
}

/** What a touch of an edge takes off the charge of a tie that asks for it. */
function met(tie: Tie, slot: number): number {
  return asksFor(tie, slot) ? -1 : 0;
}
