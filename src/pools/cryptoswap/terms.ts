import type { CryptoswapState, TricryptoGeneration } from "./state.ts";

/** 18 decimals. */
export const ONE = 10n ** 18n;
/** Units of amplification that make one. */
export const A_MULTIPLIER = 10_000n;
/** Tricrypto's first generation counted in larger parts. */
const FIRST_A_MULTIPLIER = 100n;
/** Fees are parts of this. */
export const FEE_ONE = 10n ** 10n;

const MIN_GAMMA = 10n ** 10n;
/** Above this, pools of two tokens allow them to be less far apart. */
const MAX_GAMMA_SMALL = 2n * 10n ** 16n;

/**
 * Bounds of the maths: CurveCryptoMathOptimized2.vy (2.1.0), CurveCryptoMathOptimized3.vy (2.0.0), which are also
 * those of the second generation before it, and CurveCryptoMath3.vy as of May 2021.
 */
const BOUNDS = {
  2: { minA: (4n * A_MULTIPLIER) / 10n, maxA: 4n * A_MULTIPLIER * 1_000n, maxGamma: 199n * 10n ** 15n },
  3: { minA: (27n * A_MULTIPLIER) / 100n, maxA: 27n * A_MULTIPLIER * 1_000n, maxGamma: 5n * 10n ** 16n },
  first: { minA: 27n * A_MULTIPLIER, maxA: 27n * A_MULTIPLIER * 10_000n, maxGamma: 10n ** 16n },
} as const;
const MIN_D = 10n ** 17n;
const MAX_D = 10n ** 33n;

export interface Amplification {
  /** Times N^N and A_MULTIPLIER. */
  readonly ann: bigint;
  /** 18 decimals. */
  readonly gamma: bigint;
  /** Generation of the maths: see CryptoswapState. */
  readonly generation?: TricryptoGeneration;
}

/** Amplification and gamma at a time (_A_gamma). */
export function amplificationAt(state: CryptoswapState, time: bigint): Amplification {
  const { initialTime, futureTime, initialA, futureA, initialGamma, futureGamma, generation } = state;
  const parts = generation === "first" ? A_MULTIPLIER / FIRST_A_MULTIPLIER : 1n;
  const rest = generation === undefined ? {} : { generation };
  if (time >= futureTime) return { ann: futureA * parts, gamma: futureGamma, ...rest };
  const way = futureTime - initialTime;
  const passed = time > initialTime ? time - initialTime : 0n;
  const at = (from: bigint, to: bigint) => (from * (way - passed) + to * passed) / way;
  return { ann: at(initialA, futureA) * parts, gamma: at(initialGamma, futureGamma), ...rest };
}

/** Whether the contract's maths accepts these at all. */
export function isSafe(tokens: number, { ann, gamma, generation }: Amplification, d: bigint): boolean {
  const { minA, maxA, maxGamma } = BOUNDS[generation === "first" ? generation : tokens === 2 ? 2 : 3];
  return ann >= minA && ann <= maxA && gamma >= MIN_GAMMA && gamma <= maxGamma && d >= MIN_D && d <= MAX_D;
}

/**
 * The least and the most that a token's scaled balance may be of D, 18 decimals, for us to trade: inside what the contracts
 * allow, with room for the move of the internal price that follows an exchange and must not fail.
 */
export function reachOf(tokens: number, gamma: bigint): { readonly least: bigint; readonly most: bigint } {
  if (tokens === 3) return { least: ONE / 50n, most: 50n * ONE };
  const limit = gamma > MAX_GAMMA_SMALL ? (100n * ONE * MAX_GAMMA_SMALL) / gamma : 100n * ONE;
  return { least: (2n * ONE * ONE) / limit, most: (2n * limit) / 5n };
}
