import type { Address } from "../address.ts";

/** Share of one fee recipient. */
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

/** A share of what a swap brings beyond the quoted amount; its rate is of that surplus, half of it at most. */
export type SurplusShare = FeePart;

/** A share of surplus, with the amount that surplus counts from. */
export interface SharedSurplus extends SurplusShare {
  /** Amount that the recipient gets without any surplus, after fees. */
  readonly quotedBuyAmount: bigint;
}

/** All parts of a fee, in the order in which they are paid. */
export function partsOf(fee: SwapFee | undefined): readonly FeePart[] {
  if (fee === undefined) return [];
  return [{ ratePpm: fee.ratePpm, recipient: fee.recipient }, ...(fee.others ?? [])];
}
