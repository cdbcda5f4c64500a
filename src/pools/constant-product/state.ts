/** x * y = k with a fee on what goes in (Uniswap V2 and its forks). */
export interface ConstantProductState {
  /** Reserves as the pair stores them (uint112 each), in token order. */
  readonly reserves: readonly [bigint, bigint];
  /** The fee as the pair's own fraction: of `feeDen` parts, `feeNum` of what goes in are kept (Uniswap V2: 3 of 1,000). */
  readonly feeNum: bigint;
  readonly feeDen: bigint;
}
