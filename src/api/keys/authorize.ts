import { refuse } from "../../domain/errors/swap-error.ts";
import type { Account, KeyEnd, KeyStore } from "./key-store.ts";

/** Longer texts are no keys, and not worth hashing. */
const LONGEST_KEY = 256;

const ENDS: Readonly<Record<KeyEnd, string>> = {
  EXPIRED: "the API key in the header api-key has expired - ask for a new one",
  REVOKED: "the API key in the header api-key was revoked - ask for a new one",
};

/** Methods that the scope of another one opens. */
const SCOPE_OF: Readonly<Record<string, string>> = { GetPriceLadder: "GetPrice", BatchGetPrices: "GetPrice" };

/**
 * The account that a key belongs to.
 * @throws SwapError UNAUTHENTICATED, and what the store throws
 */
export function authenticate(keys: KeyStore, keyText: string | undefined): Account {
  if (keyText === undefined || keyText === "") {
    throw refuse("API_KEY_MISSING", "no API key was sent - put it in the header api-key");
  }
  const account = keyText.length > LONGEST_KEY ? undefined : keys.verify(keyText);
  if (account === undefined) {
    throw refuse(
      "API_KEY_INVALID",
      "the API key in the header api-key is not valid - check that it is whole, or ask for a new one",
    );
  }
  if (typeof account === "string") {
    throw refuse(`API_KEY_${account}`, ENDS[account]);
  }
  return account;
}

/**
 * Whether an account may make this call.
 * @throws SwapError PERMISSION_DENIED
 */
export function authorize(
  account: Account,
  call: { readonly method: string; readonly origin: string | undefined },
): void {
  if (account.methods !== undefined && !account.methods.includes(SCOPE_OF[call.method] ?? call.method)) {
    throw refuse(
      "METHOD_NOT_PERMITTED",
      `this API key may not call ${call.method} - use one with that scope, or have the scope added`,
    );
  }
  if (account.origins !== undefined && call.origin !== undefined && !account.origins.includes(call.origin)) {
    throw refuse(
      "ORIGIN_NOT_PERMITTED",
      "this API key may not be used from this web origin - have the origin added, or use another key",
    );
  }
}
