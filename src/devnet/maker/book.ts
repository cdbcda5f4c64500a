import type { Address } from "../../domain/address.ts";

/** Mid price of a pair: amounts of the base and the quote token of equal worth. */
export interface MidPrice {
  readonly base: Address;
  readonly quote: Address;
  readonly baseAmount: bigint;
  readonly quoteAmount: bigint;
}

/** One level: that much of the base token against that much of the quote token. */
type Level = readonly [baseAmount: bigint, quoteAmount: bigint];

/** Levels of one pair; the best level first. */
export interface Book {
  readonly base: Address;
  readonly quote: Address;
  /** It takes the base token. */
  readonly bids: readonly Level[];
  /** It gives the base token. */
  readonly asks: readonly Level[];
}

/** Sizes of the levels as parts of the middle's amounts, and how far from the middle each is; in basis points. */
const LEVELS = [
  { sizeBps: 20n, spreadBps: 3n },
  { sizeBps: 60n, spreadBps: 7n },
  { sizeBps: 120n, spreadBps: 14n },
] as const;
const BPS = 10_000n;

/** The maker's book around a middle: nothing but that decides it. */
export function bookAround({ base, quote, baseAmount, quoteAmount }: MidPrice): Book {
  const sized = LEVELS.map(({ sizeBps, spreadBps }) => ({ size: (baseAmount * sizeBps) / BPS, spreadBps }));
  const den = baseAmount * BPS;
  return {
    base,
    quote,
    bids: sized.map(({ size, spreadBps }): Level => [size, (size * quoteAmount * (BPS - spreadBps)) / den]),
    asks: sized.map(({ size, spreadBps }): Level => [size, (size * quoteAmount * (BPS + spreadBps)) / den + 1n]),
  };
}

/** Trade that was asked for: by the amount sold or by the amount bought. */
export type Wanted =
  | { readonly takerToken: Address; readonly makerToken: Address; readonly takerAmount: bigint }
  | { readonly takerToken: Address; readonly makerToken: Address; readonly makerAmount: bigint };

/** Both amounts of a trade at the levels of the books; undefined where they do not reach. */
export function trade(
  books: readonly Book[],
  wanted: Wanted,
): { readonly takerAmount: bigint; readonly makerAmount: bigint } | undefined {
  const { takerToken, makerToken } = wanted;
  for (const { base, quote, bids, asks } of books) {
    if (takerToken === base && makerToken === quote) return walk(bids, wanted);
    if (takerToken === quote && makerToken === base) {
      return walk(
        asks.map(([baseAmount, quoteAmount]): Level => [quoteAmount, baseAmount]),
        wanted,
      );
    }
  }
  return undefined;
}

/** Level by level from the best: [what the maker takes, what it gives], the last one in part, rounded for the maker. */
function walk(levels: readonly Level[], wanted: Wanted) {
  const exactIn = "takerAmount" in wanted;
  let left = exactIn ? wanted.takerAmount : wanted.makerAmount;
  let [takerAmount, makerAmount] = [0n, 0n];
  for (const [takes, gives] of levels) {
    const most = exactIn ? takes : gives;
    if (left < most) {
      takerAmount += exactIn ? left : (left * takes + gives - 1n) / gives;
      makerAmount += exactIn ? (left * gives) / takes : left;
      left = 0n;
      break;
    }
    takerAmount += takes;
    makerAmount += gives;
    left -= most;
  }
  return left === 0n && takerAmount > 0n && makerAmount > 0n ? { takerAmount, makerAmount } : undefined;
}
