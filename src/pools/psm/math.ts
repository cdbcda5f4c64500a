import { isOfTwo } from "../direction.ts";
import { linearCurve } from "../float/linear-curve.ts";
import type { Direction, PoolLimits, PoolMath } from "../pool-math.ts";
import { NO_LIMITS, PAUSED, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { PSM_GAS } from "./gas.ts";
import type { PsmState } from "./state.ts";

const WAD = 10n ** 18n;

/**
 * Maker's DssLitePsm (DssLitePsm.sol: sellGem, buyGem): one to one but for a fee, out of what it holds. The contract counts
 * in gems either way: what is left of a sale of stablecoins that pays for no whole unit of the gem, less than `to18` and
 * its fee, stays with the seller. An exact output is served where both tokens count alike: the last gem is then worth at
 * most one unit, so that every amount can be paid out. With a coarser gem most outputs of stablecoins would be above what
 * was asked for, so there are none.
 */
export const psmMath: PoolMath<PsmState> = {
  servesExactOut: ({ to18 }) => to18 === 1n,

  quoteExactIn(state, direction, sellAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    if (feeOf(state, direction) === undefined) return PAUSED;
    const { maxSell: most } = limitsOf(state, direction);
    if (sellAmount > most) return tooLarge(most);
    const amount = direction.sell === 1 ? daiFor(state, sellAmount) : gemsFor(state, sellAmount);
    if (amount === 0n) return TOO_SMALL;
    if (direction.sell === 1) return { amount, gas: PSM_GAS, next: moved(state, direction, sellAmount) };
    const unused = sellAmount - costOf(state, amount);
    return { amount, gas: PSM_GAS, next: moved(state, direction, amount), ...(unused > 0n && { unused }) };
  },

  quoteExactOut(state, direction, buyAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    if (state.to18 !== 1n) return UNSUPPORTED;
    if (feeOf(state, direction) === undefined) return PAUSED;
    const { maxBuy: most } = limitsOf(state, direction);
    if (buyAmount > most) return tooLarge(most);
    const gems = direction.sell === 1 ? gemsThatBring(state, buyAmount) : buyAmount;
    const amount = direction.sell === 1 ? gems : costOf(state, gems);
    return { amount, gas: PSM_GAS, next: moved(state, direction, gems) };
  },

  spotPrice(state, direction) {
    const fee = isOfTwo(direction) ? feeOf(state, direction) : undefined;
    if (fee === undefined || limitsOf(state, direction).maxSell === 0n) return undefined;
    return direction.sell === 1
      ? { num: state.to18 * (WAD - fee), den: WAD }
      : { num: WAD, den: state.to18 * (WAD + fee) };
  },

  limits: limitsOf,

  curve(state, direction) {
    const spot = psmMath.spotPrice(state, direction, 0n);
    if (spot === undefined) return undefined;
    return linearCurve(Number(spot.num) / Number(spot.den), limitsOf(state, direction).maxSell, PSM_GAS);
  },
};

function feeOf({ tin, tout }: PsmState, { sell }: Direction): bigint | undefined {
  const fee = sell === 1 ? tin : tout;
  return fee === undefined || fee >= WAD ? undefined : fee;
}

/** Payment of `sellGem`. */
function daiFor({ to18, tin }: PsmState, gems: bigint): bigint {
  const worth = gems * to18;
  return worth - (worth * (tin as bigint)) / WAD;
}

/** Cost of so many gems by `buyGem`. */
function costOf({ to18, tout }: PsmState, gems: bigint): bigint {
  const worth = gems * to18;
  return worth + (worth * (tout as bigint)) / WAD;
}

/** The most gems that so many stablecoins buy. */
function gemsFor({ to18, tout }: PsmState, dai: bigint): bigint {
  return ((dai + 1n) * WAD - 1n) / ((WAD + (tout as bigint)) * to18);
}

/**
 * The least gems that bring so many stablecoins where both count alike: `daiFor` is gems * (WAD - tin) / WAD rounded up,
 * and reaches `dai` as soon as that is above dai - 1.
 */
function gemsThatBring({ tin }: PsmState, dai: bigint): bigint {
  return ((dai - 1n) * WAD) / (WAD - (tin as bigint)) + 1n;
}

/** After so many gems have been sold or bought. */
function moved(state: PsmState, { sell }: Direction, gems: bigint): PsmState {
  const { dai, gem } = state;
  return sell === 1
    ? { ...state, dai: dai - daiFor(state, gems), gem: gem + gems }
    : { ...state, dai: dai + costOf(state, gems), gem: gem - gems };
}

/** No more is sold than what the other side can pay. */
function limitsOf(state: PsmState, direction: Direction): PoolLimits {
  const fee = isOfTwo(direction) ? feeOf(state, direction) : undefined;
  if (fee === undefined) return NO_LIMITS;
  if (direction.sell === 0) {
    // All that buys no more gems than there are.
    const maxSell = state.gem === 0n ? 0n : costOf(state, state.gem + 1n) - 1n;
    return { maxSell, maxBuy: state.gem };
  }
  const maxSell = (state.dai * WAD) / (state.to18 * (WAD - fee));
  return { maxSell, maxBuy: daiFor(state, maxSell) };
}
