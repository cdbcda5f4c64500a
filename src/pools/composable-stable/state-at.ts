import { mulDown } from "../../math/fixed-point.ts";
import type { Rejection } from "../pool-math.ts";
import { NO_LIQUIDITY, PAUSED } from "../rejections.ts";
import { isInBounds } from "../stableswap/bounds.ts";
import { amplificationAt } from "../stableswap/invariant.ts";
import { stableInvariant } from "./invariant.ts";
import type { ComposableStableState } from "./state.ts";

/** State of a pool at one time. */
export interface ComposableStableAt {
  /** The state with the values of its tokens as a swap at that time finds them. */
  readonly state: ComposableStableState;
  /** Factors of base units, 18 decimals; in the vault's order. */
  readonly factors: readonly bigint[];
  /** Balances in 18 decimals of the common value, without the share. */
  readonly scaled: readonly bigint[];
  readonly amplification: bigint;
  readonly d: bigint;
}

/** The vault counts a pool's balances in 112 bits. */
const MAX_HELD = 1n << 108n;
/** Values are kept in 96 bits. */
const MAX_RATE = (1n << 96n) - 1n;

/** The pool at `time`, or why it serves nobody then. */
export function stateAt(read: ComposableStableState, time: bigint): ComposableStableAt | Rejection {
  if (read.paused) return PAUSED;
  const state = withRatesAt(read, time);
  if (state === undefined) return NO_LIQUIDITY;
  const factors = state.scales.map((scale, i) => scale * (state.rates[i] as bigint));
  const all = state.balances.map((balance, i) => mulDown(balance, factors[i] as bigint));
  const scaled = withoutShare(state, all);
  if (!isInBounds(scaled)) return NO_LIQUIDITY;
  if (withoutShare(state, state.balances).some((balance) => balance > MAX_HELD)) return NO_LIQUIDITY;
  const amplification = amplificationAt(state, time);
  const d = amplification > 0n ? stableInvariant(scaled, amplification, state.roundsUp) : undefined;
  return d === undefined ? NO_LIQUIDITY : { state, factors, scaled, amplification, d };
}

/** A list without the entry of the pool's own share. */
export function withoutShare<T>({ share }: ComposableStableState, list: readonly T[]): readonly T[] {
  return list.filter((_, i) => i !== share);
}

/** Index of a token other than the share in a list without the share. */
export function indexWithoutShare({ share }: ComposableStableState, index: number): number {
  return index < share ? index : index - 1;
}

/** The pool asks for new values of those tokens whose time has run out; undefined where it would get none. */
function withRatesAt(state: ComposableStableState, time: bigint): ComposableStableState | undefined {
  const { expiries, rates, freshRates, durations } = state;
  if (expiries.every((expiry) => time <= expiry)) return state;
  const fresh = rates.map((rate, i) => (time > (expiries[i] as bigint) ? (freshRates[i] as bigint) : rate));
  if (fresh.some((rate) => rate === 0n || rate > MAX_RATE)) return undefined;
  const until = expiries.map((expiry, i) => (time > expiry ? time + (durations[i] as bigint) : expiry));
  return { ...state, rates: fresh, expiries: until };
}
