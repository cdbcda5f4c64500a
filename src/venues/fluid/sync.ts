import { toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import { impossibleFluid } from "../../pools/fluid/impossible.ts";
import { collateralReserves, debtReserves } from "../../pools/fluid/reserves.ts";
import type { FluidState, PerToken } from "../../pools/fluid/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { callGroups } from "../reading/call-groups.ts";
import { uintAt, wordOf } from "../reading/words.ts";
import { bitsOf, mostBorrowedOf, owedBy, suppliedBy, totalsOf, unpacked } from "./layer.ts";
import type { FluidRecord } from "./record.ts";
import { POOL_SLOTS, tokenSlots } from "./slots.ts";

const PRICES = toFunctionSelector("getDexPricesAndExchangePrices(address)");
const SCALES = toFunctionSelector("constantsView2()");
const READ = toFunctionSelector("readFromStorage(bytes32)");
/** Words of one pool: its own two, then four of the Liquidity layer for each of its tokens. */
const OWN_WORDS = 2;
/** A pool's own limit of utilization has three digits, the layer's four. */
const DIGIT = 10n;

/**
 * Reads pools whole: interest, limits and shifts of the price move by time, and every other user of the Liquidity layer moves
 * what may be paid. Prices are those that the pool itself works out at the block.
 */
export async function syncPools(
  { source, liquidity, resolver }: FluidRecord,
  refs: readonly PoolRef[],
  { chain, at, reportUnserved }: Reading,
): Promise<readonly Pool[]> {
  const calls = refs.map((ref) => callsFor(ref, liquidity, resolver));
  const answers = await callGroups(chain, calls, at);
  return refs.flatMap((ref, index): Pool[] => {
    const read = readingOf(answers[index] ?? []);
    if (read === undefined) {
      reportUnserved(ref.id, "NOT_READABLE");
      return [];
    }
    const { words } = read;
    if (words[1]! >> 255n === 1n || bitsOf(words[1]!, 0n, 2n) === 0n) {
      reportUnserved(ref.id, "PAUSED");
      return [];
    }
    const state = stateOf(read, at.timestamp);
    if (state === undefined || impossibleFluid(state) !== undefined) {
      reportUnserved(ref.id, "NOT_READABLE");
      return [];
    }
    return [{ id: ref.id, source, tokens: ref.tokens, curve: "fluid", state }];
  });
}

function callsFor({ address: pool, tokens }: PoolRef, liquidity: Address, resolver: Address): readonly Call[] {
  const slots = tokens.map((token) => tokenSlots(pool, token));
  const ofLayer = slots.flatMap(({ supply, debt, totals, config }) => [supply, debt, totals, config]);
  return [
    { to: resolver, data: `${PRICES}${wordOf(BigInt(pool))}` },
    { to: pool, data: SCALES },
    ...POOL_SLOTS.map((slot): Call => ({ to: pool, data: `${READ}${slot}` })),
    ...ofLayer.map((slot): Call => ({ to: liquidity, data: `${READ}${slot.slice(2)}` })),
  ];
}

/** Answers of a pool's calls. */
interface PoolReading {
  /** The last price, the centre's, the range's upper and lower end and mean; what shares are worth: supply and debt of each token. */
  readonly prices: readonly bigint[];
  /** Factor and divisor of each token, in turns. */
  readonly scales: readonly bigint[];
  readonly words: readonly bigint[];
}

function readingOf([prices = "0x", scales = "0x", ...words]: readonly (Hex | undefined)[]): PoolReading | undefined {
  const read = {
    prices: Array.from({ length: 9 }, (_, index) => uintAt(prices, index, 128)),
    scales: Array.from({ length: 4 }, (_, index) => uintAt(scales, index, 128)),
    words: words.map((word = "0x") => uintAt(word, 0)),
  };
  // A pool that is not at work has no prices.
  const isWhole = Object.values(read).every((values) => values.every((value) => value !== undefined));
  if (!isWhole || read.prices.includes(0n) || read.scales.includes(0n)) return undefined;
  return read as PoolReading;
}

function stateOf({ prices, scales, words }: PoolReading, time: bigint): FluidState | undefined {
  const [variables, terms] = [words[0]!, words[1]!];
  const [, centerPrice, upper, lower, mean] = prices as [bigint, bigint, bigint, bigint, bigint];
  const range = { mean, upper, lower };
  const [up, down]: readonly PerToken[] = [
    [scales[0]!, scales[2]!],
    [scales[1]!, scales[3]!],
  ];
  const tokens = [0, 1].map((token) => tokenOf(token, { prices, words, time }));
  const both = (of: (token: TokenReading) => bigint): PerToken => [of(tokens[0]!), of(tokens[1]!)];
  const scaled = (amounts: PerToken): PerToken => [(amounts[0] * up![0]) / down![0], (amounts[1] * up![1]) / down![1]];
  const isOn = (side: bigint) => bitsOf(terms, side, 1n) === 1n;
  const collateral = isOn(0n) ? collateralReserves(range, scaled(both(({ supply }) => supply.amount))) : undefined;
  const debt = isOn(1n) ? debtReserves(range, scaled(both(({ owed }) => owed.amount))) : undefined;
  // Debt that is switched on and not there makes the contract refuse all swaps; collateral does not.
  if ((isOn(1n) && debt === undefined) || (collateral === undefined && debt === undefined)) return undefined;
  return {
    ...{ up: up!, down: down!, fee: bitsOf(terms, 2n, 17n), revenueCut: bitsOf(terms, 19n, 7n) },
    ...{ centerPrice, lastPrices: lastPrices(variables, time) },
    ...(collateral && { collateral }),
    ...(debt && { debt }),
    withdrawable: both(({ supply }) => supply.mostOut),
    borrowable: both(({ owed }) => owed.mostOut),
    owed: both(({ owed }) => owed.mostIn),
    depositable: both(({ supply }) => supply.mostIn),
    supplied: both(({ totals }) => totals.supplied),
    borrowed: both(({ totals }) => totals.borrowed),
    mostUtilized: [bitsOf(terms, 228n, 10n) * DIGIT, bitsOf(terms, 238n, 10n) * DIGIT],
    mostBorrowed: both(({ most }) => most),
  };
}

type TokenReading = ReturnType<typeof tokenOf>;

function tokenOf(token: number, { prices, words, time }: Omit<PoolReading, "scales"> & { readonly time: bigint }) {
  const [supplyPrice, debtPrice] = prices.slice(5 + 2 * token) as [bigint, bigint];
  const [supply, debt, totals, config] = words.slice(OWN_WORDS + 4 * token) as [bigint, bigint, bigint, bigint];
  return {
    supply: suppliedBy(supply, { totals, price: supplyPrice, time }),
    owed: owedBy(debt, { totals, price: debtPrice, time }),
    totals: totalsOf(totals, supplyPrice, debtPrice),
    most: mostBorrowedOf(config),
  };
}

/** The last price; at the second of the last swap also the one before, which another swap in the same block is held against. */
function lastPrices(variables: bigint, time: bigint): readonly bigint[] {
  const [before, last] = [unpacked(bitsOf(variables, 1n, 40n)), unpacked(bitsOf(variables, 41n, 40n))];
  return bitsOf(variables, 121n, 33n) === time ? [last, before] : [last];
}
