import type { Address } from "../../domain/address.ts";
import { divRoundingUp, MAX_UINT128 } from "../../math/full-math.ts";
import type { Level, LevelsState } from "../../pools/levels/state.ts";
import { faultOf, MAX_LEVELS, MAX_PAIRS, type PairLevels } from "../levels-message.ts";

/** A level as others tell it: quote tokens for one base token, and how many base tokens. Whole tokens, not base units. */
export interface PriceLevel {
  readonly price: string | number;
  readonly size: string | number;
}

/** A pair with its levels as prices, the best first. */
export interface PricedPair {
  readonly base: Address;
  readonly quote: Address;
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
  /** Levels the other way that are told as bids for quote tokens: a price is base tokens for one. In place of asks. */
  readonly back?: readonly PriceLevel[];
}

/** Most pairs of a message, and levels of a pair, that are looked at: many more than are kept, and few enough to read in no time. */
export const MAX_TOLD = { pairs: 5 * MAX_PAIRS, levels: 4 * MAX_LEVELS } as const;

/** A decimal number: digits divided by ten to the scale. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const DECIMAL = /^(\d{1,40})(?:\.(\d{1,80}))?(?:e([+-]?\d{1,2}))?$/i;

/**
 * Priced pairs in base units, rounded for the maker. Left out: pairs of unknown tokens, pairs named before, sides that
 * cross, levels without an amount. No level is better than the one before it, whatever it says.
 */
export function pairLevelsOf(
  pairs: readonly PricedPair[],
  decimalsOf: (token: Address) => number | undefined,
): readonly PairLevels[] {
  const seen = new Set<string>();
  return pairs
    .flatMap(({ base, quote, bids, asks, back }): readonly PairLevels[] => {
      const decimals = { base: decimalsOf(base), quote: decimalsOf(quote) };
      const key = [base, quote].sort().join();
      if (decimals.base === undefined || decimals.quote === undefined || base === quote || seen.has(key)) return [];
      const units = { base: decimals.base, quote: decimals.quote };
      const state: LevelsState = {
        bids: ladderOf(bids.map((level) => bidOf(level, units))),
        asks: ladderOf(
          back === undefined
            ? asks.map((level) => askOf(level, units))
            : back.map((level) => bidOf(level, { base: units.quote, quote: units.base })),
        ),
        settles: "elsewhere",
      };
      const isEmpty = state.bids.length === 0 && state.asks.length === 0;
      if (isEmpty || faultOf(state) !== undefined) return [];
      seen.add(key);
      return [{ base, quote, state }];
    })
    .slice(0, MAX_PAIRS);
}

interface Units {
  readonly base: number;
  readonly quote: number;
}

/** The maker takes base tokens. */
function bidOf({ price, size }: PriceLevel, units: Units): Level | undefined {
  const [rate, base] = [decimalOf(price), decimalOf(size)];
  if (rate === undefined || base === undefined) return undefined;
  return levelOf(ceilOf(base, units.base), floorOf(product(rate, base), units.quote));
}

/** The maker gives base tokens. */
function askOf({ price, size }: PriceLevel, units: Units): Level | undefined {
  const [rate, base] = [decimalOf(price), decimalOf(size)];
  if (rate === undefined || base === undefined) return undefined;
  return levelOf(floorOf(product(rate, base), units.quote) + 1n, floorOf(base, units.base));
}

function levelOf(takerAmount: bigint, makerAmount: bigint): Level | undefined {
  const fits = [takerAmount, makerAmount].every((amount) => amount > 0n && amount <= MAX_UINT128);
  return fits ? { takerAmount, makerAmount } : undefined;
}

function ladderOf(levels: readonly (Level | undefined)[]): readonly Level[] {
  const ladder: Level[] = [];
  for (const level of levels) {
    if (level === undefined || ladder.length === MAX_LEVELS) continue;
    const before = ladder.at(-1);
    const isBetter =
      before !== undefined && level.makerAmount * before.takerAmount > before.makerAmount * level.takerAmount;
    const makerAmount = isBetter ? (level.takerAmount * before.makerAmount) / before.takerAmount : level.makerAmount;
    if (makerAmount > 0n) ladder.push({ ...level, makerAmount });
  }
  return ladder;
}

function decimalOf(value: string | number): Decimal | undefined {
  const [whole, digits, fraction = "", exponent = "0"] = DECIMAL.exec(String(value)) ?? [];
  if (whole === undefined || digits === undefined) return undefined;
  return { digits: BigInt(digits + fraction), scale: fraction.length - Number(exponent) };
}

function product(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

/** The number in base units, rounded up. */
function ceilOf({ digits, scale }: Decimal, decimals: number): bigint {
  const shift = decimals - scale;
  return shift >= 0 ? digits * 10n ** BigInt(shift) : divRoundingUp(digits, 10n ** BigInt(-shift));
}

/** The number in base units, rounded down. */
function floorOf({ digits, scale }: Decimal, decimals: number): bigint {
  const shift = decimals - scale;
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}
