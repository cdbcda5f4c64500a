import { divRoundingUp, larger, smaller } from "../../math/full-math.ts";

/** Shares are worth so many parts of this (EXCHANGE_PRICES_PRECISION). */
const SHARE_ONE = 10n ** 12n;
/**
 * One operation may always move so much (MAX_NEW_AMOUNT_WHEN_RATIO_CHECK). More is bound by what all users have: a multiple of
 * it may be added, a part of it taken off (UserModule__OperateAmountRatioExcess, 11017).
 */
const ALWAYS_MOVED = 1n << 80n;
const MAX_ADDED = 10_000n;
const MAX_TAKEN_OFF = 2n;
const WHOLE = 10n ** 4n;
const EXPONENT_BITS = 8n;
/** Bits at which totals begin in the word of a token. */
const SUPPLIED_IN_SHARES = 0n;
const SUPPLIED_PLAIN = 64n;
const BORROWED_IN_SHARES = 128n;
const BORROWED_PLAIN = 192n;

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

/** Amount of a token that a pool has on one side, base units, and amounts that may be moved at a time. */
export interface Holding {
  readonly amount: bigint;
  /** The most that may be withdrawn or borrowed. */
  readonly mostOut: bigint;
  /** The most that may be deposited or paid back. */
  readonly mostIn: bigint;
}

/** One side of the layer at a time. */
interface LayerSide {
  /** Word of what all users have together. */
  readonly totals: bigint;
  /** Worth of a share. */
  readonly price: bigint;
  readonly time: bigint;
}

/** Supplied amount, and the part that may be withdrawn (calcWithdrawalLimitBeforeOperate). */
export function suppliedBy(word: bigint, { totals, price, time }: LayerSide): Holding {
  const user = userWord(word);
  const { amount, lastLimit, expands } = user;
  const most = (expands * amount) / WHOLE;
  const freed = movedBy(user, most, time);
  const least = amount - most;
  const expanded = lastLimit > freed ? lastLimit - freed : 0n;
  const limit = lastLimit === 0n ? 0n : expanded > least ? expanded : least;
  const left = user.isPaused || limit > amount ? 0n : amount - limit;
  const all = totalOf(totals, user.inShares ? SUPPLIED_IN_SHARES : SUPPLIED_PLAIN);
  return {
    amount: worthOf(user, amount, price),
    mostOut: worthOf(user, smaller(left, mostTakenOff(all)), price),
    mostIn: user.isPaused ? 0n : worthBelow(user, mostAdded(all) + 1n, price),
  };
}

/** Debt, and the further amount that may be borrowed (calcBorrowLimitBeforeOperate). */
export function owedBy(word: bigint, { totals, price, time }: LayerSide): Holding {
  const user = userWord(word);
  const { amount, lastLimit, expands, base, most } = user;
  const further = (amount * expands) / WHOLE;
  const expanded = lastLimit + movedBy(user, further, time);
  const bounded = expanded > amount + further ? amount + further : expanded;
  const limit = bounded < base ? base : bounded > most ? most : bounded;
  const left = user.isPaused || limit < amount ? 0n : limit - amount;
  const all = totalOf(totals, user.inShares ? BORROWED_IN_SHARES : BORROWED_PLAIN);
  const owed = worthOf(user, amount, price);
  return {
    amount: owed,
    mostOut: worthOf(user, smaller(left, mostAdded(all)), price),
    mostIn: user.isPaused ? 0n : smaller(owed, worthBelow(user, mostTakenOff(all) + 1n, price)),
  };
}

function mostAdded(all: bigint): bigint {
  return larger(ALWAYS_MOVED, all * MAX_ADDED);
}

function mostTakenOff(all: bigint): bigint {
  return larger(ALWAYS_MOVED, all / MAX_TAKEN_OFF);
}

/** Expansion of the limit since it was written. */
function movedBy({ lastTime, duration }: UserWord, most: bigint, time: bigint): bigint {
  if (duration === 0n || time < lastTime) return 0n;
  return (most * (time - lastTime)) / duration;
}

function worthOf({ inShares }: UserWord, amount: bigint, price: bigint): bigint {
  return inShares ? (amount * price) / SHARE_ONE : amount;
}

/** The largest amount that counts for less than so much: what comes in is rounded down to shares. */
function worthBelow({ inShares }: UserWord, amount: bigint, price: bigint): bigint {
  return (inShares ? divRoundingUp(amount * price, SHARE_ONE) : amount) - 1n;
}

/** Totals of all users of a token, rounded so that less seems free than is. */
export function totalsOf(word: bigint, supplyPrice: bigint, debtPrice: bigint) {
  return {
    supplied: (totalOf(word, SUPPLIED_IN_SHARES) * supplyPrice) / SHARE_ONE + totalOf(word, SUPPLIED_PLAIN),
    borrowed: divRoundingUp(totalOf(word, BORROWED_IN_SHARES) * debtPrice, SHARE_ONE) + totalOf(word, BORROWED_PLAIN),
  };
}

function totalOf(word: bigint, at: bigint): bigint {
  return unpacked(bitsOf(word, at, 64n));
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
