import { TransportError } from "../../chain/rpc/provider-errors.ts";
import { messageOf } from "../../domain/message-of.ts";

/** Result of a check; `limited` works, with less. */
export interface Finding {
  readonly check: string;
  readonly outcome: "ok" | "limited" | "wrong";
  readonly says: string;
}

/** Result of a check, without its name. */
export type Found = Omit<Finding, "check">;

/** A check's name, and the look that it takes. */
export type Check = readonly [string, () => Promise<Found>];

/** One check after another, until one finds nobody to ask: the others would all say the same. Never throws. */
export async function* inTurn(checks: readonly Check[]): AsyncGenerator<Finding> {
  for (const [check, look] of checks) {
    try {
      yield { check, ...(await look()) };
    } catch (error) {
      yield { check, ...wrong(messageOf(error)) };
      // A node that wants fewer requests answers the next one, which may be another's matter.
      if (error instanceof TransportError && !error.limited) return;
    }
  }
}

export function ok(says: string): Found {
  return { outcome: "ok", says };
}

export function wrong(says: string): Found {
  return { outcome: "wrong", says };
}
