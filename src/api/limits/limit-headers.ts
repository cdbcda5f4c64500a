import type { RateLimit } from "../keys/key-store.ts";
import type { Decision } from "./gcra.ts";

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers: q units may be used at once, and are back after w seconds; r of
 * them are left, and all are back after t seconds.
 */
export function limitHeaders(limit: RateLimit, decision: Decision): Record<string, string> {
  const window = Math.max(1, Math.ceil(limit.burst / limit.unitsPerSecond));
  return {
    "ratelimit-policy": `"default";q=${limit.burst};w=${window}`,
    ratelimit: `"default";r=${decision.remaining};t=${Math.ceil(decision.fullAfterMs / 1_000)}`,
  };
}
