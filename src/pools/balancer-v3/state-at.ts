import { mulDown } from "../../math/fixed-point.ts";
import { stableInvariant } from "../composable-stable/invariant.ts";
import type { Direction, Rejection } from "../pool-math.ts";
import { NO_LIQUIDITY, PAUSED } from "../rejections.ts";
import { MIN_OF_EACH } from "../stableswap/bounds.ts";
import { amplificationAt } from "../stableswap/invariant.ts";
import type { WeightedPair } from "../weighted/formula.ts";
import type { BalancerV3State } from "./state.ts";

/** State of a pool at one time: balances in 18 decimals of the common value. */
export interface BalancerV3At {
  readonly state: BalancerV3State;
  readonly scaled: readonly bigint[];
  /** Stable only; zero otherwise. */
  readonly amplification: bigint;
  readonly d: bigint;
}

/** The vault counts balances in 128 bits; larger ones come near what products can hold. */
const MAX_HELD = 1n << 108n;
/** Multiple of its least balance that a weighted pool has to hold. */
const TIMES_LEAST = 100n;

/** The pool at `time`, or why it serves nobody then. */
export function stateAt(state: BalancerV3State, time: bigint): BalancerV3At | Rejection {
  if (state.paused) return PAUSED;
  const scaled = state.balances.map((balance, i) => live(state, balance, i));
  if (scaled.some((balance) => balance > MAX_HELD || balance === 0n)) return NO_LIQUIDITY;
  if (state.kind === "weighted") {
    const few = scaled.some((balance, i) => balance < TIMES_LEAST * (state.minBalances[i] as bigint));
    return few ? NO_LIQUIDITY : { state, scaled, amplification: 0n, d: 0n };
  }
  if (scaled.some((balance) => balance < MIN_OF_EACH)) return NO_LIQUIDITY;
  const amplification = amplificationAt(state, time);
  const d = amplification > 0n ? stableInvariant(scaled, amplification) : undefined;
  return d === undefined ? NO_LIQUIDITY : { state, scaled, amplification, d };
}

/** A balance in 18 decimals of the common value (toScaled18ApplyRateRoundDown). */
function live({ scales, rates }: BalancerV3State, balance: bigint, index: number): bigint {
  return mulDown(balance * (scales[index] as bigint), rates[index] as bigint);
}

/**
 * One direction of a weighted pool; the sold token's balance is counted one higher, but in the first version
 * (WeightedPool.sol, onSwap).
 */
export function pairOf({ state, scaled }: BalancerV3At, { sell, buy }: Direction): WeightedPair {
  return {
    balanceIn: (scaled[sell] as bigint) + (state.firstVersion === true ? 0n : 1n),
    weightIn: state.weights[sell] as bigint,
    balanceOut: scaled[buy] as bigint,
    weightOut: state.weights[buy] as bigint,
  };
}
