import { TAX_ONE, type TransferTax, taxOn } from "../../domain/token-verdict.ts";
import { MAX_UINT112 } from "../../math/full-math.ts";
import { hyperbolaCurve } from "../float/hyperbola-curve.ts";
import { type CurveOutline, type Direction, NARROW, type PoolMath, TRUSTED_DEPTHS } from "../pool-math.ts";
import { NO_LIMITS, NO_LIQUIDITY, TOO_SMALL, UNSUPPORTED } from "../rejections.ts";
import { TAXED_GAS } from "./gas.ts";
import type { TaxedState } from "./state.ts";

const PPM = 1_000_000n;
/** Base units that a pool keeps of a token, whatever is sold to it. */
const KEPT = 1n;
const WIDTH_OF_DEPTH = 1 / Math.sqrt(NARROW) - 1;
/** A tax that is rounded up takes up to a base unit more than its part: a part per million of this many. */
const MIN_ROUNDED_UP = PPM;

/** One direction of a pair: its reserves, and what both transfers keep. */
interface Sides {
  readonly sold: bigint;
  readonly bought: bigint;
  readonly sellTax: TransferTax;
  readonly buyTax: TransferTax;
  /** Parts per million of the amount sent that the pair pays for. */
  readonly keepPpm: bigint;
}

/**
 * The part of what is sent that a pair pays for, in parts per million: what tax and fee leave, rounded down. The executor
 * pays out by it as by a fee (Pairs.sol), which is never more than the pair's own check of k lets out for what arrives.
 */
export function keepPpm({ feeNum, feeDen, taxes }: TaxedState, sell: 0 | 1): bigint {
  const { ppm, roundsUp } = taxes[sell].sell;
  const kept = ((TAX_ONE - ppm) * (feeDen - feeNum) * PPM) / (feeDen * TAX_ONE);
  return roundsUp && kept > 0n ? kept - 1n : kept;
}

/**
 * A pair of taxed tokens, exact-in only: an exact output would have to be grossed up through two roundings, and the executor
 * asks pairs for what they send, not for what arrives.
 */
export const taxedMath: Omit<PoolMath<TaxedState>, "quoteExactOut" | "outline"> = {
  quoteExactIn(state, direction, sellAmount) {
    const sides = sidesOf(state, direction);
    if (sides === undefined) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const { sold, bought, sellTax, buyTax } = sides;
    if (sold === 0n || bought === 0n) return NO_LIQUIDITY;
    if (sellTax.roundsUp && sellAmount < MIN_ROUNDED_UP)
      return { rejected: "TOO_SMALL", least: { of: "sold", amount: MIN_ROUNDED_UP } };
    const most = MAX_UINT112 - sold;
    if (sellAmount > most) return { rejected: "TOO_LARGE", most };
    const paid = paidOut(sides, sellAmount);
    const amount = paid - taxOn(paid, buyTax);
    if (amount <= 0n) return TOO_SMALL;
    const [into, out] = [sold + sellAmount - taxOn(sellAmount, sellTax), bought - paid];
    const reserves = direction.sell === 0 ? ([into, out] as const) : ([out, into] as const);
    return { amount, gas: TAXED_GAS, next: { ...state, reserves } };
  },

  spotPrice(state, direction) {
    const sides = sidesOf(state, direction);
    if (sides === undefined || sides.sold === 0n || sides.bought === 0n) return undefined;
    const { sold, bought, buyTax, keepPpm } = sides;
    return { num: bought * keepPpm * (TAX_ONE - buyTax.ppm), den: sold * PPM * TAX_ONE };
  },

  limits(state, direction) {
    const sides = sidesOf(state, direction);
    if (sides === undefined || sides.sold === 0n || sides.bought === 0n) return NO_LIMITS;
    const maxSell = MAX_UINT112 - sides.sold;
    const paid = paidOut(sides, maxSell);
    return { maxSell, maxBuy: paid - taxOn(paid, sides.buyTax) };
  },

  curve(state, direction) {
    const floats = floatsOf(state, direction);
    return floats && hyperbolaCurve(floats, Number(TAXED_GAS));
  },
};

/** As in PoolMath. */
export function taxedOutline(state: TaxedState, direction: Direction): CurveOutline | undefined {
  const floats = floatsOf(state, direction);
  if (floats === undefined) return undefined;
  const { sold, bought, keep } = floats;
  const depth = sold / keep;
  if (depth * TRUSTED_DEPTHS > Number(MAX_UINT112) - sold) return undefined;
  const gas = Number(TAXED_GAS);
  return { spot: (keep * bought) / sold, depth, deepest: depth, width: depth * WIDTH_OF_DEPTH, gas };
}

/** Amount that the pair sends, as the executor asks it to. */
function paidOut({ sold, bought, keepPpm }: Sides, sellAmount: bigint): bigint {
  const net = sellAmount * keepPpm;
  return (net * bought) / (sold * PPM + net);
}

function sidesOf(state: TaxedState, { sell, buy }: Direction): Sides | undefined {
  if (!((sell === 0 && buy === 1) || (sell === 1 && buy === 0))) return undefined;
  const [soldTax, boughtTax] = [state.taxes[sell], state.taxes[buy]];
  return {
    sold: state.reserves[sell],
    bought: state.reserves[buy],
    sellTax: soldTax.sell,
    buyTax: boughtTax.buy,
    keepPpm: keepPpm(state, sell),
  };
}

/** The direction as floats, with what is bought less its tax; undefined when nothing can be sold. */
function floatsOf(state: TaxedState, direction: Direction) {
  const sides = sidesOf(state, direction);
  if (sides === undefined) return undefined;
  const maxSell = MAX_UINT112 - sides.sold;
  if (sides.sold === 0n || sides.bought <= KEPT || sides.keepPpm <= 0n || maxSell <= 0n) return undefined;
  const arrives = Number(TAX_ONE - sides.buyTax.ppm) / Number(TAX_ONE);
  return {
    sold: Number(sides.sold),
    bought: Number(sides.bought) * arrives,
    keep: Number(sides.keepPpm) / Number(PPM),
    maxSell: Number(maxSell),
  };
}
