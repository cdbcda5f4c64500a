import type { TokenTax } from "../../domain/token-verdict.ts";

/** x * y = k with a fee on what goes in (Uniswap V2 and its forks). */
export interface ConstantProductState {
  /** Reserves as the pair stores them (uint112 each), in token order. */
  readonly reserves: readonly [bigint, bigint];
  /** The fee as the pair's own fraction: of `feeDen` parts, `feeNum` of what goes in are kept (Uniswap V2: 3 of 1,000). */
  readonly feeNum: bigint;
  readonly feeDen: bigint;
  /** Taxes that the tokens keep of transfers, in their order. Absent: none. */
  readonly taxes?: readonly [TokenTax, TokenTax] | undefined;
}

/** A pair of tokens of which one, or both, keep a part of every transfer. */
export interface TaxedState extends ConstantProductState {
  readonly taxes: readonly [TokenTax, TokenTax];
}

export function isTaxedState(state: ConstantProductState): state is TaxedState {
  return state.taxes !== undefined;
}
