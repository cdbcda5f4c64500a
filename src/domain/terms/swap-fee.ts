import type { Address } from "../address.ts";

/** What one recipient of a fee gets. */
export interface FeePart {
  /** Parts per million. */
  readonly ratePpm: bigint;
  readonly recipient: Address;
}

/** An integrator's fee. */
export interface SwapFee extends FeePart {
  /** Whether it is a part of what is sold; of what is bought otherwise. */
  readonly fromSold?: boolean;
  /** Further recipients with their own parts, three at the most. */
  readonly others?: readonly FeePart[];
}

/** All parts of a fee, in the order in which they are paid. */
export function partsOf(fee: SwapFee | undefined): readonly FeePart[] {
  if (fee === undefined) return [];
  return [{ ratePpm: fee.ratePpm, recipient: fee.recipient }, ...(fee.others ?? [])];
}
