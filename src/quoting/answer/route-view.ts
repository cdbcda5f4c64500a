import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import { type Fill, fillsOf, type Route } from "../../domain/route.ts";
import type { SourceId, SourceKind } from "../../domain/source.ts";
import type { LiquiditySource, PoolChanges } from "../../market/liquidity-source.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { compare } from "../../math/full-math.ts";
import { type HopLimit, pathsOf } from "./paths.ts";
import { proportionsOf } from "./proportions.ts";
import type { AnswerFill, AnswerOrder, AnswerSource } from "./types.ts";

/** A source of liquidity as far as quoting has to do with it. */
export type QuotedSource = Pick<
  LiquiditySource,
  | "id"
  | "kind"
  | "wrapsNative"
  | "exactOut"
  | "assurance"
  | "isModelled"
  | "takesDonations"
  | "action"
  | "fillData"
  | "ask"
> &
  Partial<PoolChanges>;

/** The sources of liquidity by name. */
export type SourceCatalog = ReadonlyMap<SourceId, QuotedSource>;

const ORDER_TYPES: { readonly [K in SourceKind]: AnswerOrder["type"] } = { amm: 0, maker: 1, rfq: 2, wrapper: 3 };

/**
 * `sources[]`: one entry per source that serves whole paths alone, then one per path over several pools. Wrapping and
 * unwrapping the native token is no source of liquidity and stands in `orders` and `route` only. Paths have at most `maxHops`
 * pools as far as the flow can be taken apart so.
 */
export function sourcesOf(route: Route, sources: SourceCatalog, maxHops: number): readonly AnswerSource[] {
  const entries = new Map<string, { readonly source: Omit<AnswerSource, "proportion">; weight: bigint }>();
  for (const { fills, weight } of pathsOf(route, hopLimit(maxHops, sources))) {
    const source = describePath(fills.filter((fill) => !wrapsNative(fill, sources)));
    const key = JSON.stringify(source);
    const entry = entries.get(key);
    if (entry === undefined) entries.set(key, { source, weight });
    else entry.weight += weight;
  }
  const sorted = [...entries.values()].sort((a, b) => rank(a.source) - rank(b.source) || compare(b.weight, a.weight));
  const proportions = proportionsOf(sorted.map((entry) => entry.weight));
  return sorted.map((entry, i) => ({ ...entry.source, proportion: proportions[i] as bigint }));
}

function describePath(fills: readonly Fill[]): Omit<AnswerSource, "proportion"> {
  if (fills.length === 1) return { name: (fills[0] as Fill).source };
  return {
    name: "MultiHop",
    multiHop: {
      intermediateTokens: fills.slice(1).map((fill) => fill.sellToken),
      hops: fills.map((fill) => fill.source),
    },
  };
}

function rank(source: Omit<AnswerSource, "proportion">): number {
  return source.multiHop === undefined ? 0 : 1;
}

/** A limit on the pools of a path: wrapping the native token is none. */
export function hopLimit(most: number, sources: SourceCatalog): HopLimit {
  return { most, counts: (fill) => !wrapsNative(fill, sources) };
}

function wrapsNative(fill: Fill, sources: SourceCatalog): boolean {
  const tradesNative = fill.sellToken === NATIVE_TOKEN || fill.buyToken === NATIVE_TOKEN;
  return tradesNative && sources.get(fill.source)?.wrapsNative === true;
}

/** `orders[]`: one element per fill, in execution order. */
export function ordersOf(route: Route, snapshot: Snapshot, sources: SourceCatalog, gasPrice: bigint): AnswerOrder[] {
  return fillsOf(route).map((fill) => {
    const source = sources.get(fill.source);
    const pool = snapshot.graph.pool(fill.poolId);
    if (source === undefined || pool === undefined) throw new Error(`route names an unknown pool ${fill.poolId}`);
    return {
      type: ORDER_TYPES[source.kind],
      source: fill.source,
      makerToken: fill.buyToken,
      takerToken: fill.sellToken,
      makerAmount: fill.buyAmount,
      takerAmount: fill.sellAmount,
      fillData: source.fillData(pool),
      fill: {
        input: fill.sellAmount,
        output: fill.buyAmount,
        adjustedOutput: adjustedOutput(fill, snapshot, gasPrice),
        gas: fill.gas,
      },
    };
  });
}

function adjustedOutput(fill: Fill, snapshot: Snapshot, gasPrice: bigint): bigint {
  const rate = snapshot.rates.perNative(fill.buyToken);
  const cost = rate === undefined ? 0n : (fill.gas * gasPrice * rate.num) / rate.den;
  return fill.buyAmount > cost ? fill.buyAmount - cost : 0n;
}

/** `route.fills[]`: every fill with its share of all that the route spends of its sold token. */
export function routeFillsOf(route: Route): readonly AnswerFill[] {
  const fills = fillsOf(route);
  const proportions = new Map<Fill, bigint>();
  for (const token of new Set(fills.map((fill) => fill.sellToken))) {
    const spending = fills.filter((fill) => fill.sellToken === token);
    const shares = proportionsOf(spending.map((fill) => fill.sellAmount));
    spending.forEach((fill, i) => {
      proportions.set(fill, shares[i] as bigint);
    });
  }
  return fills.map((fill) => ({
    from: fill.sellToken,
    to: fill.buyToken,
    source: fill.source,
    pool: fill.poolId,
    proportion: proportions.get(fill) as bigint,
    sellAmount: fill.sellAmount,
    buyAmount: fill.buyAmount,
  }));
}

/** Every token that a route uses: sold first, bought last. */
export function tokensOf(route: Route): readonly Address[] {
  const between = new Set(fillsOf(route).flatMap((fill) => [fill.sellToken, fill.buyToken]));
  between.delete(route.sellToken);
  between.delete(route.buyToken);
  return [route.sellToken, ...between, route.buyToken];
}
