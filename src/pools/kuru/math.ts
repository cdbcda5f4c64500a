import type { Ratio } from "../../domain/ratio.ts";
import { isOfTwo } from "../direction.ts";
import type { Direction, PoolLimits, PoolMath } from "../pool-math.ts";
import { NO_LIMITS, NO_LIQUIDITY, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { kuruCurve } from "./curve.ts";
import { kuruGas } from "./gas.ts";
import type { KuruSideName, KuruState } from "./state.ts";
import { BPS, type KuruStep, stepsOf, WAD } from "./steps.ts";
import { buyBase, type KuruOutcome, mostBought, mostSold, sellBase } from "./trade.ts";

/**
 * Markets of Kuru: a book's levels and the orders of its vault, whichever is better first. What is less than a part of the sold
 * token that the market counts in is the market's. Markets cannot be asked for an exact output. Filled orders may turn round to
 * the other side, of which nothing is known after a trade.
 */
export const kuruMath: PoolMath<KuruState> = {
  servesExactOut: () => false,

  quoteExactIn(state, direction, sellAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const steps = stepsOf(state, sideOf(direction));
    const most = mostParts(state, direction, steps);
    if (most === 0n) return NO_LIQUIDITY;
    const parts = partsOf(state, direction, sellAmount);
    if (parts > most) return tooLarge(amountOf(state, direction, most));
    const { amount, levels, orders, next } = traded(state, direction, steps, parts);
    return amount === 0n ? TOO_SMALL : { amount, gas: kuruGas(levels, orders), next };
  },

  quoteExactOut: (_state, direction, buyAmount) => (isOfTwo(direction) && buyAmount <= 0n ? TOO_SMALL : UNSUPPORTED),

  spotPrice(state, direction): Ratio | undefined {
    if (!isOfTwo(direction)) return undefined;
    const { takerFee, units, precisions } = state;
    for (const step of stepsOf(state, sideOf(direction))) {
      const [best, parts] = "level" in step ? [step.level, precisions[1]] : [step.orders[0], WAD];
      const isEmpty =
        "level" in step ? step.level.size === 0n : step.orders.every(({ size, filled }) => size === filled);
      if (best === undefined || isEmpty) continue;
      const kept = BPS - BigInt(takerFee);
      return direction.sell === 0
        ? { num: best.price * units[1] * kept, den: parts * units[0] * BPS }
        : { num: parts * units[0] * kept, den: best.price * units[1] * BPS };
    }
    return undefined;
  },

  limits: (state, direction) => (isOfTwo(direction) ? limitsOf(state, direction) : NO_LIMITS),

  curve: (state, direction) =>
    isOfTwo(direction) ? kuruCurve(state, sideOf(direction), limitsOf(state, direction).maxSell) : undefined,
};

function sideOf({ sell }: Direction): KuruSideName {
  return sell === 0 ? "bidSide" : "askSide";
}

function precisionOf({ precisions }: KuruState, { sell }: Direction): bigint {
  return precisions[sell === 0 ? 0 : 1];
}

function unitOf({ units }: KuruState, { sell }: Direction): bigint {
  return units[sell === 0 ? 0 : 1];
}

/** The most that can be sold, in parts of its precision. */
function mostParts(state: KuruState, { sell }: Direction, steps: readonly KuruStep[]): bigint {
  return sell === 0 ? mostSold(steps) : mostBought(state, steps);
}

function traded(state: KuruState, { sell }: Direction, steps: readonly KuruStep[], parts: bigint): KuruOutcome {
  return sell === 0 ? sellBase(state, steps, parts) : buyBase(state, steps, parts);
}

/** Parts of the sold token that the market counts in an amount. */
function partsOf(state: KuruState, direction: Direction, amount: bigint): bigint {
  return (amount * precisionOf(state, direction)) / unitOf(state, direction);
}

/** The largest amount that counts as no more than so many parts. */
function amountOf(state: KuruState, direction: Direction, parts: bigint): bigint {
  return ((parts + 1n) * unitOf(state, direction) - 1n) / precisionOf(state, direction);
}

function limitsOf(state: KuruState, direction: Direction): PoolLimits {
  const steps = stepsOf(state, sideOf(direction));
  const most = mostParts(state, direction, steps);
  if (most === 0n) return NO_LIMITS;
  const maxSell = amountOf(state, direction, most);
  // Units may be coarser than parts: the largest amount that counts as no more than the most may count as less.
  const { amount } = traded(state, direction, steps, partsOf(state, direction, maxSell));
  return amount === 0n ? NO_LIMITS : { maxSell, maxBuy: amount };
}
