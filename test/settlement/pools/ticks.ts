import type { Tick } from "../../../src/pools/concentrated/state.ts";

/** A position around price one: so many ticks to either side, and its liquidity. */
export interface Range {
  readonly half: number;
  readonly amount: bigint;
}

/** The ticks of a pool with these positions. */
export function ticksOf(ranges: readonly Range[]): readonly Tick[] {
  return ranges
    .flatMap(({ half, amount }) => [
      { index: -half, liquidityNet: amount, liquidityGross: amount },
      { index: half, liquidityNet: -amount, liquidityGross: amount },
    ])
    .sort((x, y) => x.index - y.index);
}
