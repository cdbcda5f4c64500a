import { type Clock, sleep } from "./clock.ts";
import type { RequestOptions } from "./provider.ts";
import { isUnknownBlock, TransportError, worthRetrying } from "./provider-errors.ts";

const ATTEMPTS = 3;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;

/**
 * One attempt after another until there is an answer. `attempt` is given the number of those before it.
 * @throws what the last attempt failed with; TransportError once it `isClosed`.
 */
export async function insist(
  attempt: (tried: number) => Promise<unknown>,
  limits: RequestOptions,
  options: {
    readonly clock: Clock;
    readonly isClosed: () => boolean;
    /** Whether the next attempt is at another node. */
    readonly moves: boolean;
  },
): Promise<unknown> {
  const { clock, isClosed, moves } = options;
  const attempts = limits.attempts ?? ATTEMPTS;
  for (let tried = 1; ; tried++) {
    if (isClosed()) throw new TransportError("closed");
    try {
      return await attempt(tried - 1);
    } catch (error) {
      // A block that a node does not have yet may be there in a moment, or at another node.
      if (tried >= attempts || !(worthRetrying(error) || isUnknownBlock(error))) throw error;
      if (limits.deadlineMs !== undefined && clock.now() >= limits.deadlineMs) throw error;
      // A limit is waited for where the next request is made.
      const waits = error instanceof TransportError && error.limited;
      if (!waits && !(moves && isUnknownBlock(error)))
        await sleep(clock, Math.min(FIRST_RETRY_MS * 2 ** (tried - 1), MAX_RETRY_MS));
    }
  }
}
