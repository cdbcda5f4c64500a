import type { KeyStore } from "./key-store.ts";

/** Several stores as one: a key is looked for in each of them in turn. */
export function firstOf(...stores: readonly KeyStore[]): KeyStore {
  return {
    verify(keyText) {
      for (const store of stores) {
        const found = store.verify(keyText);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}
