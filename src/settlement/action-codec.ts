import type { Address, Hex } from "../domain/address.ts";
import type { Fill } from "../domain/route.ts";
import type { VenueAction } from "../domain/venue-action.ts";
import type { Pool } from "../pools/pool.ts";
import type { VenueCheck } from "./venue-check.ts";

/** A venue as payloads name it. */
export interface EncodedVenue {
  readonly pool: Address;
  /** Three bytes with a meaning of the venue's own. */
  readonly detail: number;
  /** Remainder that does not fit a fill's entry: it follows in entries of the same size. */
  readonly more?: Hex;
}

/** Bytes of a fill's entry in a payload, and of each further entry that says more of it. */
export const ENTRY_BYTES = 30;

/**
 * Delivery of the sold token to a pool: `ahead` by a transfer before it is called, `transfer` by one that its callback or
 * its maker's signature lets come from anywhere, `own` in another way (drawn by an approval, sent along,
 * settled under a lock).
 */
export type Delivery = "ahead" | "transfer" | "own";

/** Actions of one venue code as bytes. What the executor makes of them is documented in contracts/src/Payload.sol. */
export interface ActionEncoder<A extends VenueAction = VenueAction> {
  /** The venue's number in payloads, of six bits. */
  readonly code: number;
  readonly actions: readonly A["action"][];
  readonly delivery: Delivery;
  /** @throws RangeError when something does not fit its bytes */
  encode(action: A, fill: Fill): EncodedVenue;
  /** Bytes after a fill of this pool as a rule; 0 for pools of other venues. Absent where a fill's entry is enough. */
  usualMoreBytes?(pool: Pool): number;
}

/** Reads the encoded bytes back, by code that knows the layout from contracts/src only and nothing of the encoder. */
export interface ActionVerifier<A extends VenueAction = VenueAction> {
  /** The venue's number in payloads. */
  readonly code: number;
  readonly delivery: Delivery;
  /** Action that a payload with this detail asks for; undefined if the executor knows none. */
  actionBy(detail: bigint): A["action"] | undefined;
  /** Whether the executor takes such a detail at all. */
  admits(detail: bigint): boolean;
  /** Reads what follows the fill's entry and holds all of it against the fill. @throws Error naming the first difference */
  verify(check: VenueCheck<A>): void;
}

/** One venue code's actions, written and read back. Venues may share one. */
export interface ActionCodec {
  readonly encoder: ActionEncoder;
  readonly verifier: ActionVerifier;
}

/** Every action that settlement can write, by its name. @throws Error where two encoders claim one name */
export function encodersByAction(codecs: readonly ActionCodec[]): ReadonlyMap<string, ActionEncoder> {
  const byAction = new Map<string, ActionEncoder>();
  for (const { encoder } of codecs)
    for (const action of encoder.actions) {
      if ((byAction.get(action) ?? encoder) !== encoder) throw new Error(`two venues encode the action ${action}`);
      byAction.set(action, encoder);
    }
  return byAction;
}

/** Every venue that settlement can read back, by its number. @throws Error where two verifiers claim one number */
export function verifiersByCode(codecs: readonly ActionCodec[]): ReadonlyMap<bigint, ActionVerifier> {
  const byCode = new Map<bigint, ActionVerifier>();
  for (const { verifier } of codecs) {
    const code = BigInt(verifier.code);
    if ((byCode.get(code) ?? verifier) !== verifier) throw new Error(`two venues verify the number ${code}`);
    byCode.set(code, verifier);
  }
  return byCode;
}
