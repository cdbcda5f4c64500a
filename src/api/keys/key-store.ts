import type { Address } from "../../domain/address.ts";
import type { SurplusShare } from "../../domain/terms/swap-fee.ts";

/** Rate limit of an account. The units of a call depend on its method. */
export interface RateLimit {
  /** Units that come back each second. */
  readonly unitsPerSecond: number;
  /** Units that may be used at once. */
  readonly burst: number;
}

/** Account of a valid API key. */
export interface Account {
  /** Names the key in logs and usage. No secret. */
  readonly keyId: string;
  /** Keys with the same account share their limit. Absent: the key stands alone. */
  readonly account?: string;
  /** Methods that the key may call, by their name in the service. Absent: all. */
  readonly methods?: readonly string[];
  /** Web origins that may use the key from a browser. Absent: all. */
  readonly origins?: readonly string[];
  /** Recipient of integrator fees if the request names none. Without a rate the base fee of 0.1 % holds. */
  readonly integrator?: { readonly recipient: Address; readonly ratePpm?: bigint };
  /** Recipient of a share of surplus. Absent: all of it is the taker's. */
  readonly surplus?: SurplusShare;
  /** Absent: the limit that the operator has set for all. */
  readonly limit?: RateLimit;
}

/** Name that the keys of one account have in common. */
export function accountName({ account, keyId }: Account): string {
  return account ?? keyId;
}

/** Why a key that was right once opens nothing. Told only to callers that know its secret. */
export type KeyEnd = "EXPIRED" | "REVOKED";

/** The keys that the API accepts. */
export interface KeyStore {
  /**
   * The account of a key, or undefined when there is no such key. Takes the same time for every well-formed text.
   * @throws SwapError UNAVAILABLE when the keys cannot be read
   */
  verify(keyText: string): Account | KeyEnd | undefined;
}
