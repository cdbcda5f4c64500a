import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import { curveOf, type Pool } from "../../pools/pool.ts";
import type { PoolGraph } from "../router.ts";

/** Tokens and pools by small numbers. */
export class Naming {
  readonly #nodes: Map<Address, number>;
  readonly #names: Address[];
  readonly #numbers = new Map<PoolId, number>();
  /** The tokens of each pool as they were seen last, and their nodes. */
  readonly #held: { readonly tokens: readonly Address[]; readonly nodes: readonly number[] }[] = [];

  /** `same`: tokens that are node 0. */
  constructor(same: readonly Address[]) {
    this.#nodes = new Map(same.map((token) => [token, 0]));
    this.#names = same.slice(0, 1);
  }

  readonly nodeOf = (token: Address): number | undefined => this.#nodes.get(token);
  readonly nameOf = (node: number): Address => this.#names[node] as Address;

  get size(): number {
    return this.#names.length;
  }

  get poolCount(): number {
    return this.#numbers.size;
  }

  numberOf(id: PoolId): number {
    const number = this.#numbers.get(id) ?? this.#numbers.size;
    if (number === this.#numbers.size) this.#numbers.set(id, number);
    return number;
  }

  /** Gives tokens of pools their numbers, those of most pools first: what is looked at most then lies side by side. */
  meet(pools: readonly Pool[]): void {
    const counts = new Map<Address, number>();
    for (const { tokens } of pools)
      for (const token of tokens) if (!this.#nodes.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1);
    for (const [token] of [...counts].sort((a, b) => b[1] - a[1])) this.#nodes.set(token, this.#names.push(token) - 1);
  }

  /** The nodes of a pool's tokens, which have been met; `number`: the pool's. */
  nodesOf({ tokens }: Pool, number: number): readonly number[] {
    const known = this.#held[number];
    if (known?.tokens === tokens) return known.nodes;
    const nodes = tokens.map((token) => this.#nodes.get(token) as number);
    this.#held[number] = { tokens, nodes };
    return nodes;
  }
}

/** Wrappers of the native token, which convert the members of a node into one another, by wrapped token. */
export type Wrappers = ReadonlyMap<Address, Pool>;

/** The wrappers of the native token among a graph's pools that are allowed. */
export function wrappersOf(graph: PoolGraph, allows: (pool: Pool) => boolean): Wrappers {
  const pools = graph.poolsOf(NATIVE_TOKEN).filter((pool) => curveOf(pool).oneToOneGas !== undefined && allows(pool));
  return new Map(pools.map((pool) => [pool.tokens.find((token) => token !== NATIVE_TOKEN) as Address, pool]));
}
