import { divRoundingUp, MAX_UINT128 } from "../../math/full-math.ts";
import { settledAs } from "./caps.ts";
import { type DirectedPool, type Side, scaled, unscaled } from "./directed-pool.ts";
import type { FluidState } from "./state.ts";

const MILLION = 10n ** 6n;
const HUNDRED_MILLION = 10n ** 8n;
const PRICE_ONE = 10n ** 27n;
/** A swap is of at least 10^6 of twelve decimals and of 100 base units, and of at most 2^96 - 1 of twelve decimals. */
const MIN_SCALED = MILLION;
const MIN_UNITS = 100n;
const MAX_SCALED = (1n << 96n) - 1n;
/** One reserve is worth at least a part in so many of the other after a swap (MINIMUM_LIQUIDITY_SWAP). */
const MIN_PART = 10n ** 4n;
/** The price after a swap may be 5 % away from the one before (ORACLE_LIMIT of ORACLE_PRECISION). */
const PRICE_LIMIT = 5n * 10n ** 16n;
const WHOLE = 10n ** 18n;

/** Input and output of a swap, in base units. */
export interface Swapped {
  readonly sold: bigint;
  readonly bought: bigint;
}

/** Input and output of one side; twelve decimals. */
interface Leg {
  readonly side: Side | undefined;
  readonly sold: bigint;
  readonly bought: bigint;
}

/** Sells an amount as `swapIn` does; a word why not. */
export function swapIn(pool: DirectedPool, amount: bigint): Swapped | "TOO_SMALL" | "TOO_LARGE" {
  const { state, sell, buy, collateral, debt } = pool;
  const all = scaled(state, sell, amount);
  if (all < MIN_SCALED || amount < MIN_UNITS) return "TOO_SMALL";
  if (all > mostScaled(pool, "sold") || amount > MAX_UINT128) return "TOO_LARGE";
  const first = collateralPart(pool, all, "sold");
  const legs = [legIn(pool, collateral, first), legIn(pool, debt, all - first)] as const;
  const kept = [keptOf(pool, legs[0].sold), keptOf(pool, legs[1].sold)] as const;
  if (!isSound(pool, legs, kept[0] > kept[1])) return "TOO_LARGE";
  const settled = settledAs(pool, { sold: amount, kept, bought: [legs[0].bought, legs[1].bought] });
  if (settled !== "SETTLED") return settled;
  const bought = unscaled(state, buy, legs[0].bought) + unscaled(state, buy, legs[1].bought);
  // Less of what is bought than the least that could be asked for is not served either way.
  if (bought < leastOf(pool, buy)) return "TOO_SMALL";
  return { sold: amount, bought };
}

/** Buys an amount by a `swapOut` of as much as pays it at least. What that brings beyond `amount` is the seller's. */
export function swapOut(pool: DirectedPool, amount: bigint): Swapped | "TOO_SMALL" | "TOO_LARGE" {
  const { state, sell, buy, collateral, debt } = pool;
  if (amount < leastOf(pool, buy)) return "TOO_SMALL";
  const asked = askedFor(pool, amount);
  const all = scaled(state, buy, asked);
  if (all > mostScaled(pool, "bought") || asked > MAX_UINT128) return "TOO_LARGE";
  const first = collateralPart(pool, all, "bought");
  const [own, other] = [legOut(pool, collateral, first), legOut(pool, debt, all - first)];
  if (own === undefined || other === undefined) return "TOO_LARGE";
  const legs = [own, other] as const;
  if (!isSound(pool, legs, own.bought > other.bought)) return "TOO_LARGE";
  const sold = unscaled(state, sell, own.sold + other.sold);
  const kept = [keptOf(pool, own.sold), keptOf(pool, other.sold)] as const;
  const settled = settledAs(pool, { sold, kept, bought: [own.bought, other.bought] });
  if (settled !== "SETTLED") return settled;
  return sold === 0n ? "TOO_SMALL" : { sold, bought: amount };
}

/** The most that a swap is of, in twelve decimals: 2^96 - 1, and half of what both sides trade with. */
export function mostScaled({ collateral, debt }: DirectedPool, of: "sold" | "bought"): bigint {
  const half = ((collateral?.[of] ?? 0n) + (debt?.[of] ?? 0n)) / 2n;
  return half < MAX_SCALED ? half : MAX_SCALED;
}

/** Amount of `swapOut` that pays so much at least: whole units of twelve decimals, and one base unit more where one may be lost. */
function askedFor({ state, buy }: DirectedPool, amount: bigint): bigint {
  const unit = state.down[buy];
  return divRoundingUp(amount, unit) * unit + (mayPayOneLess(state, buy) ? 1n : 0n);
}

/**
 * Whether `swapOut` may pay one base unit of a token less than it is asked for: collateral and debt pay a part each, rounded down
 * to the token's decimals (perfectOperationsAndSwapOut.sol).
 */
export function mayPayOneLess({ up, collateral, debt }: FluidState, token: 0 | 1): boolean {
  return up[token] > 1n && collateral !== undefined && debt !== undefined;
}

/** The most that `swapOut` brings of a token beyond what is wanted: less than a unit of twelve decimals, or the base unit more. */
export function mostBeyond(state: FluidState, token: 0 | 1): bigint {
  return mayPayOneLess(state, token) ? 1n : state.down[token] - 1n;
}

/** The least of a token that can be sold or bought, base units. */
export function leastOf({ state: { up, down } }: DirectedPool, token: 0 | 1): bigint {
  const least = divRoundingUp(MIN_SCALED * down[token], up[token]);
  return least > MIN_UNITS ? least : MIN_UNITS;
}

/**
 * Part of a swap that the collateral takes or gives, so that both sides end with one price (_swapRoutingIn, _swapRoutingOut); the
 * debt has the rest. All or nothing where one side alone is enough.
 */
function collateralPart({ collateral, debt }: DirectedPool, all: bigint, of: "sold" | "bought"): bigint {
  if (debt === undefined) return all;
  if (collateral === undefined) return 0n;
  const { root } = collateral;
  const own = collateral[of] * debt.root;
  const other = debt[of] * root;
  const apart = of === "sold" ? other - own : own - other;
  const part = (all * root + apart) / (root + debt.root);
  if (part <= 0n) return 0n;
  return part < all ? part : all;
}

/** Output of a side for a part (_getAmountOut). */
function legIn({ state: { fee } }: DirectedPool, side: Side | undefined, sold: bigint): Leg {
  if (side === undefined || sold === 0n) return { side, sold: 0n, bought: 0n };
  const net = (sold * (MILLION - fee)) / MILLION;
  return { side, sold, bought: (net * side.bought) / (side.sold + net) };
}

/** Input of a side for a part (_getAmountIn); undefined if it has no more than that. */
function legOut({ state: { fee } }: DirectedPool, side: Side | undefined, bought: bigint): Leg | undefined {
  if (side === undefined || bought === 0n) return { side, sold: 0n, bought: 0n };
  if (bought >= side.bought) return undefined;
  const net = (bought * side.sold) / (side.bought - bought);
  return { side, sold: (net * MILLION) / (MILLION - fee), bought };
}

/** Whether the pool lets a swap pass. `isMostFirst`: the collateral has the larger part of it. */
function isSound(pool: DirectedPool, legs: readonly [Leg, Leg], isMostFirst: boolean): boolean {
  return legs.every((leg) => isEven(pool, leg)) && isNear(pool, isMostFirst ? legs[0] : legs[1]);
}

/** Whether what is left of the bought token is worth enough by the centre's price (_verifyToken0Reserves, …1Reserves). */
function isEven({ state: { centerPrice }, sell }: DirectedPool, { side, sold, bought }: Leg): boolean {
  if (side === undefined || sold === 0n) return true;
  const [more, left] = [side.realSold + sold, side.realBought - bought];
  if (left < 0n) return false;
  const least =
    sell === 0 ? (more * centerPrice) / (PRICE_ONE * MIN_PART) : (more * PRICE_ONE) / (centerPrice * MIN_PART);
  return left >= least;
}

/** Part that is put to account: the protocol's cut is not. */
function keptOf({ state: { fee, revenueCut } }: DirectedPool, sold: bigint): bigint {
  return (sold * (HUNDRED_MILLION - revenueCut * fee)) / HUNDRED_MILLION;
}

/** Whether the price of a side after a swap is near enough to those before it (_priceDiffCheck). */
function isNear(pool: DirectedPool, { side, sold, bought }: Leg): boolean {
  if (side === undefined) return false;
  const { state, sell } = pool;
  const [soldAfter, boughtAfter] = [side.sold + keptOf(pool, sold), side.bought - bought];
  if (boughtAfter <= 0n) return false;
  const price = sell === 0 ? (boughtAfter * PRICE_ONE) / soldAfter : (soldAfter * PRICE_ONE) / boughtAfter;
  if (price === 0n) return false;
  return state.lastPrices.every((last) => {
    const apart = WHOLE - (last * WHOLE) / price;
    return apart <= PRICE_LIMIT && apart >= -PRICE_LIMIT;
  });
}
