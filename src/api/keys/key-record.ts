import type { Address } from "../../domain/address.ts";
import type { SurplusShare } from "../../domain/terms/swap-fee.ts";
import type { RateLimit } from "./key-store.ts";

/** Terms of a key. */
export interface KeyTerms {
  /** Keys with the same account share their limit. */
  readonly account: string;
  /** For the operator's memory. */
  readonly label: string;
  /** Unix milliseconds; null: never. */
  readonly expiresAt: number | null;
  /** Names of the service's methods; null: all. */
  readonly methods: readonly string[] | null;
  /** Web origins; null: all. */
  readonly origins: readonly string[] | null;
  readonly integrator: { readonly recipient: Address; readonly ratePpm: bigint | null } | null;
  /** Recipient of a share of surplus; null: all of it is the taker's. */
  readonly surplus: SurplusShare | null;
  /** Null: the limit that the operator has set for all. */
  readonly limit: RateLimit | null;
}

/** Terms that may change while a key lives. The account stays: usage is counted for it. */
export type ChangeableTerms = Omit<KeyTerms, "account">;

/** One of a key's secrets, as it is kept. Times in unix milliseconds. */
export interface SecretRecord {
  /** HMAC-SHA-256 over id and secret; the pepper is its key. */
  readonly digest: Uint8Array;
  readonly createdAt: number;
  /** Null: as long as the key. */
  readonly expiresAt: number | null;
}

/** A key as it is kept. */
export interface KeyRecord extends KeyTerms {
  readonly id: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  /** Newest first. During a rotation the older one holds too, for a while. */
  readonly secrets: readonly SecretRecord[];
}
