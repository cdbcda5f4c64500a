/** An initialized tick. */
export interface Tick {
  readonly index: number;
  /** Liquidity that becomes active when the price crosses the tick upwards. */
  readonly liquidityNet: bigint;
  /** Liquidity of all positions that end here; above zero as long as the tick is initialized. */
  readonly liquidityGross: bigint;
}

/** Liquidity concentrated between ticks (Uniswap V3 and its forks). */
export interface ConcentratedState {
  readonly sqrtPriceX96: bigint;
  /** The pool's current tick as it stores it; not always the tick of sqrtPriceX96 when that stands exactly on a boundary. */
  readonly tick: number;
  /** Active liquidity. */
  readonly liquidity: bigint;
  /** Fee in parts per million of what goes in. */
  readonly feePpm: number;
  readonly tickSpacing: number;
  /** All initialized ticks, ascending. */
  readonly ticks: readonly Tick[];
}
