import type { Address } from "../../domain/address.ts";

/** Who a valid API key belongs to. */
export interface Account {
  /** Names the key in logs and usage. No secret. */
  readonly keyId: string;
  /** Methods that the key may call, by their name in the service. Absent: all. */
  readonly methods?: readonly string[];
  /** Web origins that may use the key from a browser. Absent: all. */
  readonly origins?: readonly string[];
  /** Where integrator fees go when the request says nothing. Without a rate the base fee of 0.1 % holds. */
  readonly integrator?: { readonly recipient: Address; readonly ratePpm?: bigint };
}

/** The keys that open the door. */
export interface KeyStore {
  /** The account of a key, or undefined when it is unknown, revoked or expired. Takes the same time for every text. */
  verify(keyText: string): Account | undefined;
}
