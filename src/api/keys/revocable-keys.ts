import type { KeyStore } from "./key-store.ts";

/** Keys of which some were revoked elsewhere: those end at once, before the store has heard of it. */
export function revocableKeys(keys: KeyStore, isRevoked: (keyId: string) => boolean): KeyStore {
  return {
    verify(keyText) {
      const found = keys.verify(keyText);
      return typeof found === "object" && isRevoked(found.keyId) ? "REVOKED" : found;
    },
  };
}
