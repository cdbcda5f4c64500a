import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import { curveOf, type Pool } from "../../pools/pool.ts";
import type { PoolGraph } from "../router.ts";

/** Tokens and pools by small numbers. */
export interface Naming {
  readonly nodeOf: (token: Address) => number | undefined;
  readonly nameOf: (node: number) => Address;
  readonly size: () => number;
  readonly poolCount: () => number;
  readonly numberOf: (id: PoolId) => number;
  /** Gives tokens of pools their numbers, those of most pools first: what is looked at most then lies side by side. */
  readonly meet: (pools: readonly Pool[]) => void;
  /** The nodes of a pool's tokens; `number`: the pool's. */
  readonly nodesOf: (pool: Pool, number: number) => readonly number[];
}

/** The tokens of a pool as they were seen last, and their nodes. */
interface Held {
  readonly tokens: readonly Address[];
  readonly nodes: readonly number[];
}

/** `same`: tokens that are node 0. */
export function createNaming(same: readonly Address[]): Naming {
  const nodes = new Map<Address, number>(same.map((token) => [token, 0]));
  const names: Address[] = [same[0] as Address];
  const numbers = new Map<PoolId, number>();
  const held: Held[] = [];
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
    nodesOf(pool, number) {
      const known = held[number];
      if (known?.tokens === pool.tokens) return known.nodes;
      const nodes = pool.tokens.map(nodeFor);
      held[number] = { tokens: pool.tokens, nodes };
      return nodes;
    },
  };
}

/** Wrappers of the native token, which convert the members of a node into one another, by wrapped token. */
export type Wrappers = ReadonlyMap<Address, Pool>;

/** The wrappers of the native token among a graph's pools that are allowed. */
export function wrappersOf(graph: PoolGraph, allows: (pool: Pool) => boolean): Wrappers {
  const pools = graph.poolsOf(NATIVE_TOKEN).filter((pool) => curveOf(pool).oneToOneGas !== undefined && allows(pool));
  return new Map(pools.map((pool) => [pool.tokens.find((token) => token !== NATIVE_TOKEN) as Address, pool]));
}
