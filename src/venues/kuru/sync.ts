import { toFunctionSelector } from "viem";
import { type Address, type Hex, NATIVE_TOKEN } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import { impossibleKuru } from "../../pools/kuru/impossible.ts";
import type { KuruLevel, KuruSide, KuruState, KuruVaultOrder } from "../../pools/kuru/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { callGroups } from "../reading/call-groups.ts";
import { inGroups } from "../reading/slices.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import { isProtocolPaused } from "./pause.ts";
import type { KuruRecord } from "./record.ts";

const VERIFIED_MARKET = toFunctionSelector("verifiedMarket(address)");
const MARKET_STATE = toFunctionSelector("marketState()");
const MARKET_PARAMS = toFunctionSelector("getMarketParams()");
const VAULT_PARAMS = toFunctionSelector("getVaultParams()");
const LEVELS = toFunctionSelector("getL2Book(uint32,uint32)");

/**
 * Levels of either side that are read. The market adds up all orders of each: with ten orders a level that takes 2.5 million gas
 * at Ethereum's prices, and up to 9 million at Monad's.
 */
const REACH = 24;
/** Markets that are read together: the books of so many, of ten orders a level, take no more gas than a node gives to a request. */
const MARKETS_TOGETHER = 5;
/** State of a market that trades. */
const ACTIVE = 0n;
/** Words of getMarketParams, which verifiedMarket answers likewise. */
const [PRICE_PRECISION, SIZE_PRECISION, BASE, BASE_DECIMALS, QUOTE, QUOTE_DECIMALS, TAKER_FEE] = [0, 1, 2, 3, 4, 5, 9];
/** Words of getVaultParams. */
const [BID_PRICE, BID_FILLED, ASK_PRICE, ASK_FILLED, BID_SIZE, ASK_SIZE, SPREAD] = [1, 2, 3, 4, 5, 6, 7];
/** Price of a vault's ask that nobody has paid into. */
const NO_ASK = (1n << 256n) - 1n;
/** More decimals has no token that is served. */
const MOST_DECIMALS = 36n;

/** Levels and vaults at a block, of markets that the Router says are its own. None is read while the protocol is paused. */
export async function syncMarkets(
  { source, router, marginAccount }: Pick<KuruRecord, "source" | "router" | "marginAccount">,
  refs: readonly PoolRef[],
  { chain, at, reportUnserved }: Reading,
): Promise<readonly Pool[]> {
  const pools: Pool[] = [];
  if (refs.length === 0) return pools;
  const pause = isProtocolPaused(marginAccount, { chain, at });
  for (const group of inGroups(refs, () => 1, MARKETS_TOGETHER)) {
    const calls = group.map((ref) => callsFor(ref, router));
    const [isPaused, answers] = await Promise.all([pause, callGroups(chain, calls, at)]);
    if (isPaused) {
      for (const { id } of refs) reportUnserved(id, "PAUSED");
      return [];
    }
    for (const [index, ref] of group.entries()) {
      const [own = "0x", trades = "0x", params = "0x", vault = "0x", book = "0x"] = answers[index] ?? [];
      const isOwn = isConfirmed(ref, own) && isConfirmed(ref, params);
      const marketState = uintAt(trades, 0, 8);
      const state = isOwn ? stateOf(params, vault, book) : undefined;
      if (isOwn && marketState !== undefined && marketState !== ACTIVE) reportUnserved(ref.id, "PAUSED");
      else if (marketState === undefined || state === undefined || !isServed(ref, state))
        reportUnserved(ref.id, "NOT_READABLE");
      else pools.push({ id: ref.id, source, tokens: ref.tokens, curve: "kuru", state });
    }
  }
  return pools;
}

function callsFor({ address: to }: PoolRef, router: Address): readonly Call[] {
  return [
    { to: router, data: `${VERIFIED_MARKET}${wordOf(BigInt(to))}` },
    ...[MARKET_STATE, MARKET_PARAMS, VAULT_PARAMS].map((data): Call => ({ to, data })),
    { to, data: `${LEVELS}${wordOf(REACH)}${wordOf(REACH)}` },
  ];
}

/** Whether these are the terms of a market between the reference's tokens. */
function isConfirmed({ tokens }: PoolRef, params: Hex): boolean {
  return [BASE, QUOTE].every((word, index) => {
    const asset = tokens[index] === NATIVE_TOKEN ? 0n : BigInt(tokens[index] as string);
    return addressAt(params, word as number) !== undefined && uintAt(params, word as number) === asset;
  });
}

/** Native token that a market counts in finer parts than there are cannot be sold: what it asks for is too much or too little. */
function isServed({ tokens }: PoolRef, state: KuruState): boolean {
  const isCounted = tokens.every((token, index) => {
    const side = index === 0 ? 0 : 1;
    return token !== NATIVE_TOKEN || state.precisions[side] <= state.units[side];
  });
  return isCounted && impossibleKuru(state) === undefined;
}

function stateOf(params: Hex, vault: Hex, book: Hex): KuruState | undefined {
  const [prices, sizes] = [uintAt(params, PRICE_PRECISION, 32), uintAt(params, SIZE_PRECISION, 96)];
  const [base, quote] = [uintAt(params, BASE_DECIMALS), uintAt(params, QUOTE_DECIMALS)];
  const [takerFee, spread] = [uintAt(params, TAKER_FEE, 32), uintAt(vault, SPREAD, 32)];
  const [bid, ask] = [
    vaultOrder(vault, BID_PRICE, BID_SIZE, BID_FILLED),
    vaultOrder(vault, ASK_PRICE, ASK_SIZE, ASK_FILLED),
  ];
  const levels = levelsIn(book);
  if (prices === undefined || sizes === undefined || base === undefined || quote === undefined) return undefined;
  if (takerFee === undefined || spread === undefined || levels === undefined) return undefined;
  if (bid === undefined || ask === undefined || base > MOST_DECIMALS || quote > MOST_DECIMALS) return undefined;
  return {
    ...{ units: [10n ** base, 10n ** quote], precisions: [sizes, prices] },
    ...{ takerFee: Number(takerFee), spread: Number(spread) },
    bidSide: sideOf(levels.bids, bid),
    askSide: sideOf(levels.asks, ask),
  };
}

function sideOf(levels: readonly KuruLevel[], vault: KuruVaultOrder | "none"): KuruSide {
  return { levels, ...(levels.length >= REACH && { more: true as const }), ...(vault !== "none" && { vault }) };
}

/** An order of the vault; undefined where it is not told. */
function vaultOrder(
  vault: Hex,
  priceAt: number,
  sizeAt: number,
  filledAt: number,
): KuruVaultOrder | "none" | undefined {
  const [price, size, filled] = [uintAt(vault, priceAt), uintAt(vault, sizeAt, 96), uintAt(vault, filledAt, 96)];
  if (price === undefined || size === undefined || filled === undefined) return undefined;
  return price === 0n || price === NO_ASK || size === 0n ? "none" : { price, size, filled };
}

/** Bytes of the book: its block, prices and sizes of bids, a zero, prices and sizes of asks. Undefined where they are none. */
function levelsIn(book: Hex): { readonly bids: readonly KuruLevel[]; readonly asks: readonly KuruLevel[] } | undefined {
  const length = uintAt(book, 1, 32);
  if (uintAt(book, 0) !== 32n || length === undefined || length % 32n !== 0n) return undefined;
  const [first, end] = [3, 2 + Number(length / 32n)];
  const bids: KuruLevel[] = [];
  const asks: KuruLevel[] = [];
  let side = bids;
  for (let word = first; word < end; ) {
    const price = uintAt(book, word, 32);
    if (price === undefined || (price === 0n && side === asks)) return undefined;
    word++;
    if (price === 0n) {
      side = asks;
      continue;
    }
    const size = uintAt(book, word++, 96);
    if (size === undefined || side.length >= REACH) return undefined;
    side.push({ price, size });
  }
  return side === asks ? { bids, asks } : undefined;
}
