import type { Address, Hex } from "../domain/address.ts";
import type { Fill } from "../domain/route.ts";
import type { VenueAction } from "../domain/venue-action.ts";
import type { ActionVerifier } from "./action-codec.ts";

/** Facts that a payload has to agree with: where it may run, and the venue of each fill. */
export interface Expectation {
  readonly gateway: Address;
  readonly executor: Address;
  /** The contract that fills makers' orders. */
  readonly orders: Address;
  readonly wrappedNative: Address;
  /** Every venue's own reader by its number. */
  readonly verifiers: ReadonlyMap<bigint, ActionVerifier>;
  /** Action of each fill; without it venue kinds are only compared with pool ids and tokens. */
  readonly action?: (fill: Fill) => VenueAction;
}

/** A venue as the payload has it. */
export interface GivenVenue {
  readonly venue: bigint;
  readonly detail: bigint;
  readonly pool: string;
}

export const NATIVE: Hex = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
export const NOBODY = `0x${"0".repeat(40)}`;

/** @throws Error when they differ. */
export function same<T>(what: string, actual: T, wanted: T): void {
  if (actual !== wanted) throw new Error(`${what}: the transaction says ${actual}, promised is ${wanted}`);
}
