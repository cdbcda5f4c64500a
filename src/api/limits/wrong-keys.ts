import { refuse, SwapError } from "../../domain/errors/swap-error.ts";
import type { Ledger } from "./ledger.ts";

/** Tells network addresses that send wrong API keys to wait. */
export interface WrongKeys {
  /**
   * Returns the result of `look` for a key. Every key is looked at: wrong ones of others never stand in the way of a
   * right one that comes from the same address.
   * @throws SwapError TOO_MANY_REQUESTS for a wrong key of an address that has sent too many, and what `look` throws
   */
  guard<T>(network: string, look: () => T): T;
}

/** @param perMinute wrong keys that an address may send at once, and again each minute; 0: as many as it likes */
export function createWrongKeys(perMinute: number, ledger: Ledger): WrongKeys {
  return {
    guard(network, look) {
      try {
        return look();
      } catch (error) {
        if (!(error instanceof SwapError) || error.kind !== "UNAUTHENTICATED") throw error;
        const rate = { what: "wrong keys", who: network, perSecond: perMinute / 60, burst: perMinute };
        const { allowed, retryAfterMs } = ledger.spend(rate);
        if (allowed) throw error;
        throw refuse("TOO_MANY_WRONG_KEYS", "too many wrong API keys came from this network address - check the key", {
          retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)),
        });
      }
    },
  };
}
