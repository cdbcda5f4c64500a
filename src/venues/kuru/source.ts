import { toEventSelector } from "viem";
import { type Address, type Hex, NATIVE_TOKEN, ZERO_ADDRESS } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { announcedPools } from "../discovery/announced-pools.ts";
import { addressOf, refAt } from "../reading/address-as-id.ts";
import { addressAt } from "../reading/words.ts";
import type { KuruAction } from "./action.ts";
import { kuruErrors } from "./errors.ts";
import { isProtocolPaused } from "./pause.ts";
import type { KuruRecord } from "./record.ts";
import { syncMarkets } from "./sync.ts";

/** Base and quote asset, market, vault and terms: none of them indexed. */
const MARKET_REGISTERED = toEventSelector(
  "MarketRegistered(address,address,address,address,uint32,uint96,uint32,uint96,uint96,uint256,uint256,uint96)",
);
const [BASE_WORD, QUOTE_WORD, MARKET_WORD] = [0, 1, 2] as const;

/** The events that change what a taker meets. The market is read again: a trade's log does not tell where the vault is then. */
const STATE_TOPICS: readonly Hex[] = [
  "FlipOrderCreated(uint40,uint40,address,uint96,uint32,uint32,bool)",
  "FlipOrderUpdated(uint40,uint96)",
  "FlippedOrderCreated(uint40,uint40,address,uint96,uint32,uint32,bool)",
  "MarketStateUpdated(uint8,uint8)",
  "OrderCanceled(uint40,address,uint32,uint96,bool)",
  "OrderCreated(uint40,address,uint96,uint32,bool)",
  "Trade(uint40,address,bool,uint256,uint96,address,address,uint96)",
  "VaultParamsUpdated(uint96,uint96,uint96,uint96,uint256,uint256)",
].map((signature) => toEventSelector(signature));

/** Kuru: markets of one Router, each an order book with a vault whose orders stand between its levels. */
export function kuru({ source, router, marginAccount }: KuruRecord): LiquiditySource {
  return {
    id: source,
    kind: "amm",
    exactOut: false,
    assurance: "modelled",
    errors: kuruErrors,
    ...announcedPools({
      singleton: router,
      topic: MARKET_REGISTERED,
      poolIn: registeredMarket,
      refusal: () => undefined,
    }),
    isSound: isSoundMarket,
    stateTopics: STATE_TOPICS,
    sync: (chain, refs, at, reportUnserved = () => {}) =>
      syncMarkets({ source, router, marginAccount }, refs, { chain, at, reportUnserved }),
    apply: () => "resync",
    // A pause of the protocol is told by a log of the margin account, not of the markets.
    refresh: async (chain, pools, at) => ((await isProtocolPaused(marginAccount, { chain, at })) ? [] : pools),
    action: (pool): KuruAction => ({
      ...{ action: "kuru-market", marginAccount, market: addressOf(pool), baseToken: pool.tokens[0] as Address },
      ...digitsOf(pool),
    }),
    fillData: (pool) => ({ market: addressOf(pool), router, baseToken: pool.tokens[0] as string }),
  };
}

function registeredMarket(router: Address, { address, topics, data }: Log): PoolRef | undefined {
  if (address !== router || topics[0] !== MARKET_REGISTERED) return undefined;
  const [base, quote, market] = [BASE_WORD, QUOTE_WORD, MARKET_WORD].map((word) => addressAt(data, word));
  if (base === undefined || quote === undefined || market === undefined || base === quote) return undefined;
  return refAt(market, [tokenOf(base), tokenOf(quote)]);
}

/** An asset of a market as a token of ours. */
function tokenOf(asset: Address): Address {
  return asset === ZERO_ADDRESS ? NATIVE_TOKEN : asset;
}

/** The Router confirms a market with its base and its quote token. */
function isSoundMarket({ id, address, tokens, terms }: PoolRef): boolean {
  const [base, quote] = tokens;
  return id === address && tokens.length === 2 && base !== quote && Object.keys(terms).length === 0;
}

function digitsOf(pool: Pool): Pick<KuruAction, "decimals" | "digits"> {
  if (pool.curve !== "kuru") throw new TypeError(`${pool.id} is no market of Kuru`);
  const { units, precisions } = pool.state;
  const digits = (power: bigint) => String(power).length - 1;
  return {
    decimals: [digits(units[0]), digits(units[1])],
    digits: [digits(precisions[0]), digits(precisions[1])],
  };
}
