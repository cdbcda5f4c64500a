/**
 * An ERC-4626 vault whose share is worth a rate that grows by the second (Sky's sUSDS, Maker's sDAI); the asset is token 0,
 * the share token 1. Rate and growth have 27 digits after the point.
 */
export interface SavingsState {
  /** Assets for a share at `updatedAt`; `chi` there. */
  readonly rate: bigint;
  /** Factor by which the rate grows each second; `ssr` or `dsr` there. */
  readonly growth: bigint;
  /** When the rate was written down last, unix seconds; `rho` there. */
  readonly updatedAt: bigint;
  readonly totalSupply: bigint;
}
