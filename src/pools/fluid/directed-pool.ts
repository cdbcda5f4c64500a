import { squareRoot } from "../../math/square-root.ts";
import { isOfTwo } from "../direction.ts";
import type { Direction } from "../pool-math.ts";
import type { FluidReserves, FluidState } from "./state.ts";

/** One side of a pool, as a direction sees it; twelve decimals. */
export interface Side {
  readonly realSold: bigint;
  readonly realBought: bigint;
  readonly sold: bigint;
  readonly bought: bigint;
  /** The root of the product of `sold` and `bought`, nine digits longer (FixedPointMathLib.sqrt of x * y * 1e18). */
  readonly root: bigint;
}

/** One direction of a pool. */
export interface DirectedPool {
  readonly state: FluidState;
  readonly sell: 0 | 1;
  readonly buy: 0 | 1;
  readonly collateral: Side | undefined;
  readonly debt: Side | undefined;
}

const ROOT_DIGITS = 10n ** 18n;

/** A direction of a pool; undefined where there is none, or nothing to trade with. */
export function directedPool(state: FluidState, direction: Direction): DirectedPool | undefined {
  if (!isOfTwo(direction) || state.spent) return undefined;
  const { sell, buy } = direction as { sell: 0 | 1; buy: 0 | 1 };
  const [collateral, debt] = [sideOf(state.collateral, sell, buy), sideOf(state.debt, sell, buy)];
  return collateral === undefined && debt === undefined ? undefined : { state, sell, buy, collateral, debt };
}

function sideOf(reserves: FluidReserves | undefined, sell: 0 | 1, buy: 0 | 1): Side | undefined {
  if (reserves === undefined) return undefined;
  const { real, imaginary } = reserves;
  const [sold, bought] = [imaginary[sell], imaginary[buy]];
  const root = squareRoot(sold * bought * ROOT_DIGITS);
  return { realSold: real[sell], realBought: real[buy], sold, bought, root };
}

/** An amount of a token in twelve decimals, rounded down. */
export function scaled({ up, down }: FluidState, token: 0 | 1, amount: bigint): bigint {
  return (amount * up[token]) / down[token];
}

/** An amount of twelve decimals in a token's base units, rounded down. */
export function unscaled({ up, down }: FluidState, token: 0 | 1, amount: bigint): bigint {
  return (amount * down[token]) / up[token];
}
