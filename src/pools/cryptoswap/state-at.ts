import type { Rejection } from "../pool-math.ts";
import { NO_LIQUIDITY, UNSUPPORTED } from "../rejections.ts";
import { invariantOf } from "./newton.ts";
import type { CryptoswapState } from "./state.ts";
import { type Amplification, amplificationAt, isSafe, ONE, reachOf } from "./terms.ts";

/** State of a pool at one time. */
export interface CryptoswapAt {
  readonly state: CryptoswapState;
  /** Whether the contract does not mind a loss: while a ramp goes on, up to its very last second. */
  readonly ramping: boolean;
  /** Balances in 18 decimals of the first token, at the internal prices (xp). */
  readonly scaled: readonly bigint[];
  /** Factors from base units to scaled ones, before division by 10^18. */
  readonly scales: readonly bigint[];
  readonly amplification: Amplification;
  /** The invariant: the stored one, or during a ramp that of now. */
  readonly d: bigint;
  /** Scaled balances have to stay between these. */
  readonly least: bigint;
  readonly most: bigint;
}

/** The pool at `time`, or why it serves nobody then. */
export function stateAt(state: CryptoswapState, time: bigint): CryptoswapAt | Rejection {
  if (state.traded || keepsInvariant(state, time)) return UNSUPPORTED;
  const { balances, precisions, priceScale } = state;
  const count = balances.length;
  const scales = precisions.map((precision, i) => precision * (i === 0 ? ONE : (priceScale[i - 1] as bigint)));
  const scaled = balances.map((balance, i) => (balance * (scales[i] as bigint)) / ONE);
  if (scaled.some((balance) => balance === 0n) || state.supply === 0n) return NO_LIQUIDITY;
  const amplification = amplificationAt(state, time);
  if (!isSafe(count, amplification, state.d)) return NO_LIQUIDITY;
  const d = findsInvariant(state, time) ? invariantOf(scaled, amplification, 0n) : state.d;
  if (d === undefined || !isSafe(count, amplification, d)) return NO_LIQUIDITY;
  const reach = reachOf(count, amplification.gamma);
  const [least, most] = [(reach.least * d) / ONE, (reach.most * d) / ONE];
  if (scaled.some((balance) => balance < least || balance > most)) return NO_LIQUIDITY;
  return { state, ramping: findsInvariant(state, time - 1n), scaled, scales, amplification, d, least, most };
}

/**
 * Whether the contract works its invariant out anew: during a ramp. Tricrypto's second generation does so up to the first
 * exchange after the ramp, which sets its end to one and then to zero.
 */
function findsInvariant({ futureTime, generation }: CryptoswapState, time: bigint): boolean {
  return generation === undefined ? futureTime > time : generation === "second" && futureTime > 0n;
}

/** Tricrypto's first generation trades on with the invariant of before a ramp: the first to come gets or pays the difference. */
function keepsInvariant({ futureTime, generation }: CryptoswapState, time: bigint): boolean {
  return generation === "first" && futureTime > time;
}
