import type { Address } from "../domain/address.ts";
import type { PoolId } from "../domain/route.ts";
import { isTaxed, NO_TAX, type TokenTax } from "../domain/token-verdict.ts";
import { curveOf, type Pool, withState } from "../pools/pool.ts";
import type { MarketGraph } from "./pool-store.ts";

/** Tokens with what they keep of transfers: another object whenever that changes, and the same until then. */
export type TokenTaxes = ReadonlyMap<Address, TokenTax>;

type Chunk = ReturnType<MarketGraph["chunks"]>[number];

/**
 * Shows pairs of taxed tokens as what they pay to those who trade with them. The store keeps what the contract says, which
 * is what is read again and compared.
 */
export class TaxedPools {
  readonly #known: (() => TokenTaxes) | undefined;
  #taxes: TokenTaxes | undefined;
  /** A pair is the same object from block to block unless it changes: whoever follows is told of changes only. */
  #shown = new WeakMap<Pool, Pool>();

  /** `known`: the taxes now; absent: there are none. */
  constructor(known?: () => TokenTaxes) {
    this.#known = known;
  }

  /** Whether taxes are others by now than what was last shown. */
  get isOutdated(): boolean {
    return this.#known?.() !== this.#taxes;
  }

  /** The graph with the taxes of now on the pairs that it holds as they are. */
  over(graph: MarketGraph): MarketGraph {
    if (this.isOutdated) {
      this.#taxes = this.#known?.();
      this.#shown = new WeakMap();
    }
    const pools = new Map<PoolId, Pool>();
    for (const token of this.#taxes?.keys() ?? []) {
      for (const pool of graph.poolsOf(token)) if (tradesTaxed(pool)) pools.set(pool.id, this.#taxed(pool));
    }
    return withReplaced(graph, pools);
  }

  #taxed(pool: Pool): Pool {
    const known = this.#shown.get(pool);
    if (known !== undefined) return known;
    const of = (at: 0 | 1) => this.#taxes?.get(pool.tokens[at] as Address) ?? NO_TAX;
    const shown = withState(pool, curveOf(pool).withTaxes?.(pool.state, [of(0), of(1)]) ?? pool.state);
    this.#shown.set(pool, shown);
    return shown;
  }
}

/** Whether a pool can trade tokens that keep a part of transfers. */
export function tradesTaxed(pool: Pool): boolean {
  return curveOf(pool).withTaxes !== undefined;
}

/** A pool as its contract says it is. */
export function withoutTax(pool: Pool): Pool {
  const { taxes, withTaxes } = curveOf(pool);
  if (withTaxes === undefined || taxes?.(pool.state) === undefined) return pool;
  return withState(pool, withTaxes(pool.state, undefined));
}

/** The tax that a pool trades a token with; undefined where it has none, or the pool does not know of it. */
export function taxAt(pool: Pool, token: Address): TokenTax | undefined {
  const tax = curveOf(pool).taxes?.(pool.state)?.[pool.tokens.indexOf(token)];
  return tax !== undefined && isTaxed(tax) ? tax : undefined;
}

/** The tax that a snapshot trades a token with; undefined where it has none. */
export function taxOf(graph: Pick<MarketGraph, "poolsOf">, token: Address): TokenTax | undefined {
  for (const pool of graph.poolsOf(token)) {
    const tax = taxAt(pool, token);
    if (tax !== undefined) return tax;
  }
  return undefined;
}

/** Graph with `pools` in place of those with their ids. Chunks that hold none of them are shared with the original. */
export function withReplaced(graph: MarketGraph, pools: ReadonlyMap<PoolId, Pool>): MarketGraph {
  if (pools.size === 0) return graph;
  const shown = (pool: Pool) => pools.get(pool.id) ?? pool;
  const lists = new Map<Address, readonly Pool[]>();
  let chunks: readonly Chunk[] | undefined;
  return {
    ...graph,
    pool(id) {
      const pool = graph.pool(id);
      return pool && shown(pool);
    },
    poolsOf(token) {
      let list = lists.get(token);
      if (list === undefined) {
        list = graph.poolsOf(token).map(shown);
        lists.set(token, list);
      }
      return list;
    },
    poolsBetween: (first, second) => graph.poolsBetween(first, second).map(shown),
    chunks() {
      chunks ??= graph
        .chunks()
        .map((chunk) =>
          chunk.some((pool) => pool !== undefined && pools.has(pool.id))
            ? chunk.map((pool) => pool && shown(pool))
            : chunk,
        );
      return chunks;
    },
    all: () => graph.all().map(shown),
  };
}
