import { complement, divDown, divUp, mulDown, mulUp, ONE } from "../../math/fixed-point.ts";
import { divRoundingUp, MAX_UINT128 } from "../../math/full-math.ts";
import { stableBalance } from "../composable-stable/invariant.ts";
import { MAX_TIMES_ALL, MAX_TIMES_SOLD } from "../float/most-asked.ts";
import { mathAtTime } from "../math-at-time.ts";
import type { Direction, PoolMath, PoolQuote, Rejection } from "../pool-math.ts";
import { belowMinimum, NO_LIQUIDITY, TOO_SMALL } from "../rejections.ts";
import { mostAtOnce, powUp } from "../weighted/formula.ts";
import { movingWeighted } from "../weighted/moving.ts";
import { stableV3Curve, weightedV3Curve } from "./curve.ts";
import { balancerV3Gas } from "./gas.ts";
import { costOf, mulDivUp, paidFor } from "./on-swap.ts";
import { spotOf } from "./spot.ts";
import type { BalancerV3State } from "./state.ts";
import { type BalancerV3At, pairOf, stateAt } from "./state-at.ts";

type Answer = PoolQuote<BalancerV3State> | Rejection;

/** Part of all balances that has to be left of the bought token, and what of a balance is kept from the edge. */
const MIN_LEFT = 1_000n;
/** The contract refuses 10,000 times another balance. */
const MAX_APART = 9_000n;

/**
 * Balancer V3's weighted and stable pools, as `swap` of its vault computes them with the pool's `onSwap` (Vault.sol,
 * WeightedPool.sol, StablePool.sol): amounts are scaled by rates before, the fee is taken of scaled amounts.
 */
export const balancerV3Math: PoolMath<BalancerV3State> = {
  ...mathAtTime({
    tokenCount: ({ balances }) => balances.length,
    stateAt,
    maxSell,
    maxBuy: (current, direction) =>
      current.state.kind === "weighted" ? maxBuyWeighted(current, direction) : undefined,
    soldExactly,
    boughtExactly,
    spotOf,
    curveOf: (current, direction, most) =>
      current.state.kind === "weighted"
        ? weightedV3Curve(current, direction, most, Number(maxBuyWeighted(current, direction)))
        : stableV3Curve(current, direction, most),
  }),
  usesAddUp: ({ kind }) => kind === "weighted",
  moving(state) {
    if (state.kind !== "weighted" || state.paused) return undefined;
    const fee = Number(state.swapFee) / 1e18;
    const gas = Number(balancerV3Gas(state.kind, state.balances.length));
    return movingWeighted(state, { keeps: 1 - fee, leaves: (fee * Number(state.aggregateFee)) / 1e18, gas });
  },
};

function factorOf({ scales, rates }: BalancerV3State, index: number): bigint {
  return (scales[index] as bigint) * (rates[index] as bigint);
}

/** Factor with a rate that is not whole counted one higher (computeRateRoundUp): it works against the buyer. */
function factorUpOf({ scales, rates }: BalancerV3State, index: number): bigint {
  const rate = rates[index] as bigint;
  return (scales[index] as bigint) * (rate % ONE === 0n ? rate : rate + 1n);
}

function soldExactly(current: BalancerV3At, direction: Direction, sellAmount: bigint): Answer {
  const { state } = current;
  const given = mulDown(sellAmount, factorOf(state, direction.sell));
  const fee = mulUp(given, state.swapFee);
  if (given - fee < state.minTrade) return belowMinimum("sold", leastSold(state, direction));
  const scaled = paidFor(current, direction, given - fee);
  if (scaled === undefined) return NO_LIQUIDITY;
  if (scaled < state.minTrade) return belowMinimum("bought", leastBought(state, direction));
  const buyAmount = divDown(scaled, factorUpOf(state, direction.buy));
  return buyAmount === 0n ? TOO_SMALL : swapped(current, direction, sellAmount, buyAmount, fee, buyAmount);
}

function boughtExactly(current: BalancerV3At, direction: Direction, buyAmount: bigint): Answer {
  const { state } = current;
  const given = mulUp(buyAmount, factorUpOf(state, direction.buy));
  if (given < state.minTrade) return belowMinimum("bought", leastBought(state, direction));
  const net = costOf(current, direction, given);
  if (net === undefined) return NO_LIQUIDITY;
  if (net < state.minTrade) return belowMinimum("sold", leastSold(state, direction));
  const fee = mulDivUp(net, state.swapFee, complement(state.swapFee));
  const sellAmount = divUp(net + fee, factorOf(state, direction.sell));
  return swapped(current, direction, sellAmount, buyAmount, fee, sellAmount);
}

/** The least that can be sold under the vault's minimum, which is of scaled amounts after the fee. */
function leastSold(state: BalancerV3State, { sell }: Direction): bigint {
  const gross = divUp(state.minTrade, complement(state.swapFee));
  return divUp(gross, factorOf(state, sell));
}

/** The least that can be bought under the vault's minimum. */
function leastBought(state: BalancerV3State, { buy }: Direction): bigint {
  return divUp(state.minTrade, factorUpOf(state, buy));
}

function swapped(
  { state }: BalancerV3At,
  { sell, buy }: Direction,
  sellAmount: bigint,
  buyAmount: bigint,
  fee: bigint,
  amount: bigint,
): Answer {
  const leaves = mulDown(divDown(fee, factorOf(state, sell)), state.aggregateFee);
  const balances = state.balances.map((balance, i) =>
    i === sell ? balance + sellAmount - leaves : i === buy ? balance - buyAmount : balance,
  );
  if ((balances[buy] as bigint) < 0n || (balances[sell] as bigint) > MAX_UINT128) return NO_LIQUIDITY;
  return { amount, gas: balancerV3Gas(state.kind, balances.length), next: { ...state, balances } };
}

/**
 * The largest exact-in swap of which, scaled and without the fee, no more is left than may come in at once; or what of it the vault
 * can count where that is less, as of a token whose value is next to nothing.
 */
function maxSell(current: BalancerV3At, direction: Direction): bigint {
  const { state } = current;
  const net = maxNet(current, direction);
  if (net === 0n) return 0n;
  const given = divRoundingUp((net + 1n) * ONE, complement(state.swapFee)) - 1n;
  const most = divRoundingUp((given + 1n) * ONE, factorOf(state, direction.sell)) - 1n;
  const room = MAX_UINT128 - (state.balances[direction.sell] as bigint);
  return most < room ? most : room > 0n ? room : 0n;
}

function maxNet(current: BalancerV3At, direction: Direction): bigint {
  if (current.state.kind === "weighted") return mostAtOnce(pairOf(current, direction).balanceIn);
  const held = current.scaled[direction.sell] as bigint;
  const most = mostHeld(current, direction);
  return most > held ? most - held : 0n;
}

/**
 * Largest balance of the sold token: below the multiples of all balances, and of any other one, near which the
 * contract refuses, and with at least a thousandth of all in the bought token.
 */
function mostHeld({ scaled, amplification, d }: BalancerV3At, { sell, buy }: Direction): bigint {
  const sum = scaled.reduce((a, b) => a + b, 0n);
  const left = sum / MIN_LEFT;
  if ((scaled[buy] as bigint) <= left) return 0n;
  const drained = scaled.map((balance, i) => (i === buy ? left : balance));
  const atLeast = stableBalance(drained, sell, d, amplification, "v3") ?? 0n;
  const bounds = [MAX_TIMES_ALL * sum, atLeast - atLeast / MIN_LEFT];
  for (const [i, balance] of scaled.entries()) if (i !== sell && i !== buy) bounds.push(MAX_APART * balance);
  return bounds.reduce((a, b) => (a < b ? a : b));
}

/** Most that may go out at once, or less if that would cost more than `MAX_TIMES_SOLD` times the pool's holdings. */
function maxBuyWeighted(current: BalancerV3At, direction: Direction): bigint {
  const { balanceOut, weightIn, weightOut } = pairOf(current, direction);
  const factor = factorUpOf(current.state, direction.buy);
  const atOnce = mostAtOnce(balanceOut);
  const exponent = divDown(weightIn, weightOut);
  let most = atOnce;
  if (exponent * 4n < ONE) {
    const sensible = mulDown(balanceOut, complement(powUp(ONE / (MAX_TIMES_SOLD + 1n), exponent) ?? ONE));
    if (sensible < atOnce) most = sensible;
  }
  return (most * ONE) / factor;
}
