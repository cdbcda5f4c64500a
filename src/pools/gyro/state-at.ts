import { mulDown } from "../../math/fixed-point.ts";
import type { Direction, Rejection } from "../pool-math.ts";
import { NO_LIQUIDITY, PAUSED } from "../rejections.ts";
import { type Ellipse, ellipseOf, type Radius } from "./ellipse.ts";
import { radiusOf } from "./radius.ts";
import type { GyroState } from "./state.ts";
import { offsetOf3Clp } from "./three-clp.ts";
import { offsetsOf2Clp } from "./two-clp.ts";

/** A pool as a swap finds it: balances in 18 decimals of the common value. */
export interface GyroAt {
  readonly state: GyroState;
  /** Factors from base units to the common value, 18 decimals more than `scales`. */
  readonly factors: readonly bigint[];
  readonly scaled: readonly bigint[];
  readonly shape: Offsets | OnEllipse;
}

/** A pool that keeps the product of two virtual reserves. */
export interface Offsets {
  /** Addends of a pair's balances. Of three tokens they are kept by the one that is not traded, since the contract rounds by it. */
  readonly offsets: readonly bigint[];
}

export interface OnEllipse {
  readonly ellipse: Ellipse;
  readonly radius: Radius;
}

/** Balances above it are not traded: a 3-CLP's own limit (Gyro3CLPMath.sol, _MAX_BALANCES). 18 decimals. */
export const MAX_HELD = 10n ** 29n;

/** The pool, or why it serves nobody. */
export function stateAt(state: GyroState): GyroAt | Rejection {
  if (state.paused) return PAUSED;
  const factors = state.scales.map((scale, i) => scale * (state.rates[i] as bigint));
  const scaled = state.balances.map((balance, i) => mulDown(balance, factors[i] as bigint));
  if (factors.some((factor) => factor === 0n) || scaled.some((balance) => balance > MAX_HELD)) return NO_LIQUIDITY;
  const shape = shapeOf(state, scaled);
  return shape === undefined ? NO_LIQUIDITY : { state, factors, scaled, shape };
}

function shapeOf({ kind, parameters }: GyroState, scaled: readonly bigint[]): GyroAt["shape"] | undefined {
  const [x, y, z = 0n] = scaled as readonly [bigint, bigint, bigint?];
  const [first, second] = parameters as readonly [bigint, bigint];
  if (kind === "eclp") {
    const ellipse = ellipseOf(parameters);
    const radius = radiusOf(ellipse, x, y);
    return radius === undefined || radius.under <= 0n ? undefined : { ellipse, radius };
  }
  if (kind === "2clp") {
    const offsets = offsetsOf2Clp([x, y], [first, second]);
    return offsets === undefined || offsets.includes(0n) ? undefined : { offsets };
  }
  const offsets: bigint[] = [];
  for (const pair of [[y, z, x] as const, [z, x, y] as const, [x, y, z] as const]) {
    const offset = offsetOf3Clp(pair, first);
    if (!offset) return undefined;
    offsets.push(offset);
  }
  return { offsets };
}

/** The virtual reserves of one direction, 18 decimals: too large for what goes in, too small for what goes out. */
export interface Reserves {
  readonly sold: bigint;
  readonly bought: bigint;
}

/** Addends of a direction's balances, in and out. */
export function offsetsOf({ state, scaled }: GyroAt, { offsets }: Offsets, { sell, buy }: Direction): Reserves {
  if (scaled.length === 2) return { sold: offsets[sell] as bigint, bought: offsets[buy] as bigint };
  const offset = offsets[state.balances.length - sell - buy] as bigint;
  return { sold: offset, bought: offset };
}
