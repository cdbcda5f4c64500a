import { toEventSelector, toFunctionSelector } from "viem";
import { type Address, ZERO_ADDRESS } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Fill } from "../../domain/route.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import { isTaxedState } from "../../pools/constant-product/state.ts";
import { keepPpm } from "../../pools/constant-product/taxed.ts";
import type { Pool } from "../../pools/pool.ts";
import { announcedPairs } from "../discovery/announced-pairs.ts";
import { pairsOf } from "../discovery/pairs-of.ts";
import { isSoundPair } from "../discovery/sound-pair.ts";
import { addressOf, refAt } from "../reading/address-as-id.ts";
import { callGroups } from "../reading/call-groups.ts";
import { inSlices } from "../reading/slices.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import type { PairAction } from "./action.ts";
import { uniswapV2Errors } from "./errors.ts";
import type { UniswapV2Record } from "./record.ts";

const PAIR_CREATED = toEventSelector("PairCreated(address,address,address,uint256)");
const SYNC = toEventSelector("Sync(uint112,uint112)");
const GET_PAIR = toFunctionSelector("getPair(address,address)");
const GET_RESERVES = toFunctionSelector("getReserves()");

/** By so much less a fee shows in a small trade: a basis point. */
const LESS_FEE_PPM = 100;

/**
 * Uniswap V2 and its forks: pairs of one factory. Fee per venue, in the pair's own fraction.
 * @throws RangeError when the fee is no whole number of parts per million, which settlement could not express.
 */
export function uniswapV2(venue: UniswapV2Record): LiquiditySource {
  const { feeNum, feeDen } = venue;
  if (feeNum < 0n || feeNum >= feeDen || (feeNum * 1_000_000n) % feeDen !== 0n) {
    throw new RangeError(`${venue.source}: the fee ${feeNum}/${feeDen} is not a whole number of parts per million`);
  }
  const feePpm = Number((feeNum * 1_000_000n) / feeDen);

  return {
    id: venue.source,
    kind: "amm",
    exactOut: true,
    assurance: "exact",
    errors: uniswapV2Errors,
    ...announcedPairs({ factory: venue.factory, topic: PAIR_CREATED }),
    between: (chain, tokens, at) => inSlices(pairsOf(tokens), (slice) => namedPairs(venue, chain, slice, at)),
    isSound: (ref) => isSoundPair(ref),
    stateTopics: [SYNC],
    sync: (chain, refs, at) => inSlices(refs, (slice) => syncPairs(venue, chain, slice, at)),

    apply(pool, log) {
      if (pool.curve !== "constant-product" || log.address !== pool.id) return "resync";
      if (log.topics[0] !== SYNC) return pool;
      const first = uintAt(log.data, 0, 112);
      const second = uintAt(log.data, 1, 112);
      if (first === undefined || second === undefined) return "resync";
      return { ...pool, state: { ...pool.state, reserves: [first, second] } };
    },

    cheaper() {
      return feePpm <= LESS_FEE_PPM
        ? undefined
        : uniswapV2({ ...venue, feeNum: BigInt(feePpm - LESS_FEE_PPM), feeDen: 1_000_000n });
    },
    action: (pool, fill): PairAction => ({
      action: "v2-pair",
      pair: addressOf(pool),
      feePpm: feeWithTax(pool, fill) ?? feePpm,
    }),
    fillData: (pool) => ({ poolAddress: addressOf(pool), factory: venue.factory, feePpm: String(feePpm) }),
  };
}

/**
 * All of what is sent that a pair does not pay for, its fee and the sold token's tax, parts per million: the executor takes both
 * for a fee. Undefined where there is no tax.
 */
function feeWithTax(pool: Pool, { sellToken }: Fill): number | undefined {
  if (pool.curve !== "constant-product" || !isTaxedState(pool.state)) return undefined;
  return 1_000_000 - Number(keepPpm(pool.state, pool.tokens[0] === sellToken ? 0 : 1));
}

/** The pairs that the factory names for these tokens. */
async function namedPairs(
  venue: UniswapV2Record,
  chain: ChainReader,
  pairs: readonly (readonly [Address, Address])[],
  at: BlockRef,
): Promise<readonly PoolRef[]> {
  const calls = pairs.map(([token0, token1]) => {
    return { to: venue.factory, data: `${GET_PAIR}${wordOf(BigInt(token0))}${wordOf(BigInt(token1))}` } as const;
  });
  const answers = await chain.calls(calls, at);
  return pairs.flatMap((tokens, index): PoolRef[] => {
    const pair = addressAt(answers[index] ?? "0x", 0);
    return pair === undefined || pair === ZERO_ADDRESS ? [] : [refAt(pair, tokens)];
  });
}

/** Reserves at `at`, of pairs only that the factory itself names for their tokens. */
async function syncPairs(
  venue: UniswapV2Record,
  chain: ChainReader,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly Pool[]> {
  const calls = refs.map(({ address, tokens: [token0, token1] }): readonly Call[] => [
    {
      to: venue.factory,
      data: `${GET_PAIR}${wordOf(BigInt(token0 as Address))}${wordOf(BigInt(token1 as Address))}`,
    },
    { to: address, data: GET_RESERVES },
  ]);
  const answers = await callGroups(chain, calls, at);
  return refs.flatMap((ref, index): Pool[] => {
    const [named, reserves] = answers[index] ?? [];
    if (named === undefined || reserves === undefined || addressAt(named, 0) !== ref.address) return [];
    const first = uintAt(reserves, 0, 112);
    const second = uintAt(reserves, 1, 112);
    if (first === undefined || second === undefined) return [];
    const { feeNum, feeDen } = venue;
    return [
      {
        id: ref.id,
        source: venue.source,
        tokens: ref.tokens,
        curve: "constant-product",
        state: { reserves: [first, second], feeNum, feeDen },
      },
    ];
  });
}
