/** Blocks of the saved devnet's market, and queries over them that a seed determines. */
import { fileURLToPath } from "node:url";
import { createRandom, type Random } from "../../../fixtures/random.ts";
import type { Address } from "../../../src/domain/address.ts";
import { ALL_ON } from "../../../src/domain/switches.ts";
import type { FeedTerms } from "../../../src/market/feed/feed-state.ts";
import { withLevels } from "../../../src/market/indicative.ts";
import { createMarket, freshnessFor } from "../../../src/market/market.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { mathOf, type Pool } from "../../../src/pools/pool.ts";
import type { RouteQuery } from "../../../src/quoting/search/route-search.ts";
import { readSnapshotFile } from "../../../src/snapshot/file.ts";

const saved = readSnapshotFile(fileURLToPath(new URL("../../../bench/universes/devnet.bin", import.meta.url)));

export const SEARCH_TERMS: FeedTerms = {
  ...{ chainId: saved.chainId, wrappedNative: saved.wrappedNative, references: saved.referenceTokens },
};

/** So many blocks, each with other reserves in some of its pools. */
export function searchBlocks(count: number): readonly Snapshot[] {
  const market = createMarket({
    ...{ chainId: saved.chainId, wrappedNative: saved.wrappedNative, references: saved.referenceTokens },
    sources: saved.sources.map(({ id }) => id),
    eligibility: { controllers: new Set(), listed: new Set(saved.hopTokens) },
    ...{ freshness: freshnessFor(0), now: () => 0, elapsed: () => 0 },
  });
  for (const { pool } of saved.pools) market.pools.set(pool.id, pool);
  const random = createRandom(7);
  return Array.from({ length: count }, (_, height) => {
    for (const { pool } of saved.pools)
      if (height > 0 && random.chance(0.2)) market.pools.set(pool.id, moved(pool, random));
    const number = saved.block.number + BigInt(height);
    const hash = `0x${number.toString(16).padStart(64, "0")}` as const;
    const block = {
      number,
      hash,
      parentHash: saved.block.hash,
      timestamp: saved.block.timestamp + 2n * BigInt(height),
    };
    return market.publish(block, saved.gasPrice + BigInt(height));
  });
}

function moved(pool: Pool, random: Random): Pool {
  if (pool.curve !== "constant-product") return pool;
  const [first, second] = pool.state.reserves;
  const parts = BigInt(990 + random.below(20));
  return { ...pool, state: { ...pool.state, reserves: [(first * parts) / 1_000n, second] } };
}

/** Maker's levels of the wrapped native token against a token, a little better than a pool. */
function levelsBeside(snapshot: Snapshot, token: Address): readonly Pool[] {
  const [pool] = snapshot.graph.poolsBetween(saved.wrappedNative, token);
  if (pool === undefined) return [];
  const takerAmount = 10n ** 18n;
  const direction = { sell: pool.tokens.indexOf(saved.wrappedNative), buy: pool.tokens.indexOf(token) };
  const { num, den } = mathOf(pool).spotPrice(pool.state, direction, snapshot.block.timestamp)!;
  const makerAmount = (takerAmount * num * 1_001n) / (den * 1_000n);
  const state = { bids: [{ takerAmount, makerAmount }], asks: [] };
  return [{ id: "maker:desk", source: "Desk", tokens: [saved.wrappedNative, token], curve: "levels", state }];
}

/** A query over a snapshot: any pair, either kind, any size, with filters now and then. */
export function anyQuery(base: Snapshot, random: Random): RouteQuery {
  const pools = base.graph.all();
  const [from, to] = [random.pick(pools), random.pick(pools)];
  const sellToken = random.pick(from.tokens);
  const others = to.tokens.filter((token) => token !== sellToken);
  const buyToken = random.pick(others);
  const exactIn = random.chance(0.6);
  const amount = sizeIn(exactIn ? from : to, exactIn ? sellToken : buyToken, base, random);
  const sources = [...base.sources.keys()];
  const snapshot = random.chance(0.4) ? withLevels(base, levelsBeside(base, buyToken)) : base;
  const pick = (chance: number) => random.chance(chance);
  return {
    order: exactIn
      ? { kind: "exactIn", sellToken, buyToken, sellAmount: amount }
      : { kind: "exactOut", sellToken, buyToken, buyAmount: amount },
    snapshot,
    pools: {
      sources: pick(0.2) ? { kind: "without", ids: [random.pick(sources), random.pick(sources)] } : { kind: "all" },
      without: pick(0.2) ? new Set([random.pick(pools).id]) : new Set(),
      off: pick(0.1) ? { ...ALL_ON, pool: new Set([random.pick(pools).id]) } : ALL_ON,
      keptOut: pick(0.1) ? new Map([[random.pick(pools).tokens[0]!, "takes a fee"]]) : new Map(),
      ...(pick(0.2) && { withoutMakers: true as const }),
    },
    gasPrice: base.gasPrice,
    budget: { maxHops: pick(0.1) ? 1 : 4, maxFills: 128, maxSteps: 4_000_000 },
    ...(pick(0.15) && { isAnyEnough: true }),
    ...(pick(0.1) && { overAnyToken: true as const }),
  };
}

/** From a millionth of what a pool takes to more than that. */
function sizeIn(pool: Pool, token: Address, { block }: Snapshot, random: Random): bigint {
  const at = pool.tokens.indexOf(token);
  const other = at === 0 ? 1 : 0;
  const direction = { sell: at, buy: other };
  const { maxSell, maxBuy } = mathOf(pool).limits(pool.state, direction, block.timestamp);
  const most = [maxSell, maxBuy].reduce((least, each) => (each < least ? each : least), 10n ** 24n);
  return (most * BigInt(Math.floor(random.logUniform(1, 2e6)))) / 10n ** 6n + 1n;
}
