/** An exact non-negative fraction; `den` is above zero. Not necessarily in lowest terms. */
export interface Ratio {
  readonly num: bigint;
  readonly den: bigint;
}
