import type { Address } from "../domain/address.ts";
import type { Ratio } from "../domain/ratio.ts";

/** Values of tokens against the native token. */
export interface Rates {
  /** Base units of `token` per wei of the native token; undefined when no pool worth trusting leads to it. */
  perNative(token: Address): Ratio | undefined;
}
