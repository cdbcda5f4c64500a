import { divRoundingUp } from "../../math/full-math.ts";

/** Shares are worth so many parts of this (EXCHANGE_PRICES_PRECISION). */
const SHARE_ONE = 10n ** 12n;
const WHOLE = 10n ** 4n;
const EXPONENT_BITS = 8n;

/** Fields of the Liquidity layer's word for a user and a token. */
interface UserWord {
  /** Whether the amount is in shares, which gain interest. */
  readonly inShares: boolean;
  readonly amount: bigint;
  readonly lastLimit: bigint;
  readonly lastTime: bigint;
  /** Parts of 10^4 of the amount by which the limit moves in `duration` seconds. */
  readonly expands: bigint;
  readonly duration: bigint;
  /** Least and largest limit of debt. */
  readonly base: bigint;
  readonly most: bigint;
  readonly isPaused: boolean;
}

/** Amount of a token that a pool has on one side, base units, and the amount that may be moved out. */
export interface Holding {
  readonly amount: bigint;
  readonly room: bigint;
}

/** Supplied amount, and the part that may be withdrawn at a time (calcWithdrawalLimitBeforeOperate). `price`: of a share. */
export function suppliedBy(word: bigint, price: bigint, time: bigint): Holding {
  const user = userWord(word);
  const { amount, lastLimit, expands } = user;
  const most = (expands * amount) / WHOLE;
  const freed = movedBy(user, most, time);
  const least = amount - most;
  const expanded = lastLimit > freed ? lastLimit - freed : 0n;
  const limit = lastLimit === 0n ? 0n : expanded > least ? expanded : least;
  const left = user.isPaused || limit > amount ? 0n : amount - limit;
  return { amount: worthOf(user, amount, price), room: worthOf(user, left, price) };
}

/** Debt, and the further amount that may be borrowed at a time (calcBorrowLimitBeforeOperate). */
export function owedBy(word: bigint, price: bigint, time: bigint): Holding {
  const user = userWord(word);
  const { amount, lastLimit, expands, base, most } = user;
  const further = (amount * expands) / WHOLE;
  const expanded = lastLimit + movedBy(user, further, time);
  const bounded = expanded > amount + further ? amount + further : expanded;
  const limit = bounded < base ? base : bounded > most ? most : bounded;
  const left = user.isPaused || limit < amount ? 0n : limit - amount;
  return { amount: worthOf(user, amount, price), room: worthOf(user, left, price) };
}

/** Expansion of the limit since it was written. */
function movedBy({ lastTime, duration }: UserWord, most: bigint, time: bigint): bigint {
  if (duration === 0n || time < lastTime) return 0n;
  return (most * (time - lastTime)) / duration;
}

function worthOf({ inShares }: UserWord, amount: bigint, price: bigint): bigint {
  return inShares ? (amount * price) / SHARE_ONE : amount;
}

/** Totals of all users of a token, rounded so that less seems free than is. */
export function totalsOf(word: bigint, supplyPrice: bigint, debtPrice: bigint) {
  const amountAt = (at: bigint) => unpacked(bitsOf(word, at, 64n));
  return {
    supplied: (amountAt(0n) * supplyPrice) / SHARE_ONE + amountAt(64n),
    borrowed: divRoundingUp(amountAt(128n) * debtPrice, SHARE_ONE) + amountAt(192n),
  };
}

/** Parts of 10^4 of what is supplied that may be borrowed, as a token's second word of settings says; all where it does not. */
export function mostBorrowedOf(word: bigint): bigint {
  const most = bitsOf(word, 0n, 14n);
  return most === 0n ? WHOLE : most;
}

function userWord(word: bigint): UserWord {
  return {
    inShares: bitsOf(word, 0n, 1n) === 1n,
    amount: unpacked(bitsOf(word, 1n, 64n)),
    lastLimit: unpacked(bitsOf(word, 65n, 64n)),
    lastTime: bitsOf(word, 129n, 33n),
    expands: bitsOf(word, 162n, 14n),
    duration: bitsOf(word, 176n, 24n),
    base: unpacked(bitsOf(word, 200n, 18n)),
    most: unpacked(bitsOf(word, 218n, 18n)),
    isPaused: word >> 255n === 1n,
  };
}

/** A number of some digits with an exponent of eight bits behind them (bigMathMinified.sol). */
export function unpacked(number: bigint): bigint {
  return (number >> EXPONENT_BITS) << bitsOf(number, 0n, EXPONENT_BITS);
}

export function bitsOf(word: bigint, at: bigint, count: bigint): bigint {
  return (word >> at) & ((1n << count) - 1n);
}
