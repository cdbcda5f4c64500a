import { toEventSelector, toFunctionSelector } from "viem";
import { type Address, ZERO_ADDRESS } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader, Log } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { announcedPairs } from "../discovery/announced-pairs.ts";
import { pairsOf } from "../discovery/pairs-of.ts";
import { isSoundPair } from "../discovery/sound-pair.ts";
import { addressOf, refAt } from "../reading/address-as-id.ts";
import { inSlices } from "../reading/slices.ts";
import { addressAt, tickAt, uintAt, wordOf } from "../reading/words.ts";
import type { CallbackPoolAction } from "./action.ts";
import { type Dialect, UNISWAP } from "./dialect.ts";
import { uniswapV3Errors } from "./errors.ts";
import { followedBy, stateAfter, stateTopics } from "./events.ts";
import { NEAR } from "./heads.ts";
import type { UniswapV3Record } from "./record.ts";
import { BY_FEE, type FactoryKind, type PoolFactory, syncPools } from "./sync.ts";

/** A factory of such pools, under the name of its source. */
type Venue = Pick<UniswapV3Record, "source" | "factory">;

const GET_POOL = toFunctionSelector("getPool(address,address,uint24)");
const POOL_CREATED = toEventSelector("PoolCreated(address,address,uint24,int24,address)");

/** Uniswap V3 and the forks that left its pools as they are. */
export function uniswapV3(venue: UniswapV3Record): LiquiditySource {
  return poolsOfFactory(venue, UNISWAP);
}

/** Pools of one factory that speak one dialect, named by their first fee. */
export function poolsOfFactory(venue: Venue, dialect: Dialect): LiquiditySource {
  const { source, factory } = venue;
  const pools: PoolFactory = { source, address: factory, kind: kindOf(dialect) };
  return {
    id: source,
    kind: "amm",
    exactOut: true,
    assurance: "exact",
    errors: uniswapV3Errors,
    ...announcedPairs({ factory, topic: POOL_CREATED, poolWord: 1, termsOf }),
    between: (chain, tokens, at) =>
      inSlices(pairsOf(tokens), (slice) => namedPools({ factory, fees: dialect.fees }, chain, slice, at)),
    isSound: (ref) => isSoundPair(ref, ["fee"]),
    stateTopics: stateTopics(dialect),
    sync: (chain, refs, at) => syncPools(pools, chain, refs, at),
    near: (chain, refs, at) => syncPools({ ...pools, reach: NEAR }, chain, refs, at),
    apply: followedBy((state, log) => stateAfter(dialect, state, log)),
    action: (pool): CallbackPoolAction<string> => ({ action: dialect.action, pool: addressOf(pool) }),
    fillData: (pool) => fillDataOf(pool, factory),
  };
}

function kindOf({ family, feeTopic }: Dialect): FactoryKind {
  return { ...BY_FEE, family, feeChanges: feeTopic !== undefined };
}

/** Data shown of a fill over a pool of one factory. */
export function fillDataOf(pool: Pool, factory: Address): Readonly<Record<string, string>> {
  const base = { poolAddress: addressOf(pool), factory };
  if (pool.curve !== "concentrated") return base;
  const { feePpm, tickSpacing } = pool.state;
  return { ...base, feePpm: String(feePpm), tickSpacing: String(tickSpacing) };
}

/** The pools that the factory names for these tokens with the fees that its pools have as a rule. */
async function namedPools(
  { factory, fees }: Pick<Venue, "factory"> & Pick<Dialect, "fees">,
  chain: ChainReader,
  pairs: readonly (readonly [Address, Address])[],
  at: BlockRef,
): Promise<readonly PoolRef[]> {
  const wanted = pairs.flatMap((tokens) => fees.map((fee) => ({ tokens, fee })));
  const calls = wanted.map(({ tokens: [token0, token1], fee }) => {
    const words = [BigInt(token0), BigInt(token1), fee].map(wordOf).join("");
    return { to: factory, data: `${GET_POOL}${words}` } as const;
  });
  const answers = await chain.calls(calls, at);
  return wanted.flatMap(({ tokens, fee }, index): PoolRef[] => {
    const pool = addressAt(answers[index] ?? "0x", 0);
    if (pool === undefined || pool === ZERO_ADDRESS) return [];
    return [refAt(pool, tokens, { fee: String(fee) })];
  });
}

function termsOf({ topics, data }: Log): PoolRef["terms"] | undefined {
  const fee = uintAt(topics[3] ?? "0x", 0, 24);
  const tickSpacing = tickAt(data, 0);
  if (fee === undefined || fee >= 1_000_000n || tickSpacing === undefined || tickSpacing <= 0) return undefined;
  return { fee: String(fee) };
}
