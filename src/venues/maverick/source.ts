import { toEventSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import { ticksAhead } from "../../pools/maverick/swap.ts";
import type { Pool } from "../../pools/pool.ts";
import { announcedPools } from "../discovery/announced-pools.ts";
import { isSoundPair } from "../discovery/sound-pair.ts";
import { addressOf, refAt } from "../reading/address-as-id.ts";
import { inSlices } from "../reading/slices.ts";
import { addressAt } from "../reading/words.ts";
import type { MaverickAction } from "./action.ts";
import { maverickErrors } from "./errors.ts";
import type { MaverickRecord } from "./record.ts";
import { syncPools } from "./sync.ts";

/** The pool, fees, spacing, lookback and tick, both tokens, the kinds of bins and the accessor: none of them indexed. */
const POOL_CREATED = toEventSelector(
  "PoolCreated(address,uint8,uint256,uint256,uint256,uint256,int32,address,address,uint8,address)",
);
const [POOL_WORD, TOKEN_A_WORD, TOKEN_B_WORD, ACCESSOR_WORD] = [0, 7, 8, 10] as const;
const NOBODY = `0x${"00".repeat(20)}`;

/** The events that change what a swap gives or takes. The pool is read again: a log of a swap tells no tick, nor where bins went. */
const STATE_TOPICS: readonly Hex[] = [
  "PoolSwap(address,address,(uint256,bool,bool,int32),uint256,uint256)",
  "PoolAddLiquidity(address,address,uint256,(uint8,int32[],uint128[]),uint256,uint256,uint32[])",
  "PoolRemoveLiquidity(address,address,uint256,(uint32[],uint128[]),uint256,uint256)",
  "PoolSetProtocolFeeRatio(uint256)",
].map((signature) => toEventSelector(signature));

/**
 * Maverick V2: pools of one factory. Every change of a tick has a log, and time changes none before the next swap. An accessor
 * may set a pool's fees or be the only one to trade there.
 */
export function maverick({ source, factory }: MaverickRecord): LiquiditySource {
  return {
    id: source,
    kind: "amm",
    exactOut: true,
    assurance: "modelled",
    errors: maverickErrors,
    ...announcedPools({
      singleton: factory,
      topic: POOL_CREATED,
      poolIn: createdPool,
      refusal: ({ terms }) => (terms.accessor === NOBODY ? undefined : "UNKNOWN_VERSION"),
    }),
    isSound: (ref) => isSoundPair(ref, ["accessor"]) && ref.terms.accessor === NOBODY,
    stateTopics: STATE_TOPICS,
    sync: (chain, refs, at, reportUnserved = () => {}) =>
      inSlices(refs, (slice) => syncPools({ source, factory }, slice, { chain, at, reportUnserved })),
    apply: () => "resync",
    action: (pool, { sellToken }): MaverickAction => ({
      ...{ action: "maverick-pool", pool: addressOf(pool), tokenA: pool.tokens[0] as Address },
      tickLimit: lastTick(pool, sellToken),
    }),
    fillData: (pool) => ({ pool: addressOf(pool), factory, tokenA: pool.tokens[0] as string }),
  };
}

function createdPool(factory: Address, { address, topics, data }: Log): PoolRef | undefined {
  if (address !== factory || topics[0] !== POOL_CREATED) return undefined;
  const [pool, tokenA, tokenB, accessor] = [POOL_WORD, TOKEN_A_WORD, TOKEN_B_WORD, ACCESSOR_WORD].map((word) =>
    addressAt(data, word),
  );
  if (!pool || !tokenA || !tokenB || !accessor || tokenA >= tokenB) return undefined;
  return refAt(pool, [tokenA, tokenB], { accessor });
}

/** The furthest tick that a sale comes to: a pool without limit searches for further ones until all gas is gone. */
function lastTick(pool: Pool, sellToken: Address): number {
  if (pool.curve !== "maverick") throw new TypeError(`${pool.id} is no pool of Maverick`);
  const { state, tokens } = pool;
  return ticksAhead(state, sellToken === tokens[0]).at(-1)?.index ?? state.activeTick;
}
