import type { Address } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import { movesWithTime } from "../../pools/moves-with-time.ts";
import type { Pool } from "../../pools/pool.ts";
import { type Edge, makeEdges } from "../edges/edges.ts";

/** Tokens and pools by small numbers, and the newest edges of every pool. */
export interface Naming {
  readonly nodeOf: (token: Address) => number | undefined;
  readonly nameOf: (node: number) => Address;
  readonly size: () => number;
  readonly poolCount: () => number;
  readonly numberOf: (id: PoolId) => number;
  /** Gives tokens of pools their numbers, those of most pools first: what is looked at most then lies side by side. */
  readonly meet: (pools: readonly Pool[]) => void;
  readonly edgesOf: (pool: Pool, number: number, time: bigint) => readonly Edge[];
}

/** The newest edges of a pool. */
interface Made {
  pool: Pool;
  time: bigint;
  /** Of its tokens. */
  nodes: readonly number[];
  edges: readonly Edge[];
}

/** `same`: tokens that are node 0. */
export function createNaming(same: readonly Address[]): Naming {
  const nodes = new Map<Address, number>(same.map((token) => [token, 0]));
  const names: Address[] = [same[0] as Address];
  const numbers = new Map<PoolId, number>();
  const made: Made[] = [];
  const nodeFor = (token: Address): number => {
    let node = nodes.get(token);
    if (node === undefined) {
      node = names.length;
      nodes.set(token, node);
      names.push(token);
    }
    return node;
  };
  return {
    nodeOf: (token) => nodes.get(token),
    nameOf: (node) => names[node] as Address,
    size: () => names.length,
    poolCount: () => numbers.size,
    numberOf(id) {
      let number = numbers.get(id);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(id, number);
      }
      return number;
    },
    meet(pools) {
      const counts = new Map<Address, number>();
      for (const { tokens } of pools)
        for (const token of tokens) if (!nodes.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1);
      for (const [token] of [...counts].sort((a, b) => b[1] - a[1])) nodeFor(token);
    },
    edgesOf(pool, number, time) {
      const known = made[number];
      if (known?.pool === pool && (known.time === time || !movesWithTime(pool))) return known.edges;
      const nodes = known?.pool.tokens === pool.tokens ? known.nodes : pool.tokens.map(nodeFor);
      const edges = makeEdges(pool, time, nodes, number);
      if (known === undefined) made[number] = { pool, time, nodes, edges };
      else {
        known.pool = pool;
        known.time = time;
        known.nodes = nodes;
        known.edges = edges;
      }
      return edges;
    },
  };
}
