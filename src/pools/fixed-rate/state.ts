/** One token against another at one to one, without limit and without fee: a wrapper of the native token. */
export interface FixedRateState {
  /** Gas of one conversion. */
  readonly gas: bigint;
}
