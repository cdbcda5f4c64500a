import { type Clock, sleep } from "./clock.ts";
import type { RequestOptions } from "./provider.ts";
import { isOneNodesRefusal, isPruned, isUnknownBlock, TransportError, worthRetrying } from "./provider-errors.ts";

const ATTEMPTS = 3;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;

/**
 * One attempt after another until there is an answer. `attempt` is given the number of those before it.
 * @throws what the last attempt failed with; TransportError once it `isClosed`.
 */
export async function retry(
  attempt: (tried: number) => Promise<unknown>,
  limits: RequestOptions,
  options: {
    readonly clock: Clock;
    readonly isClosed: () => boolean;
    /** Nodes that attempts are made at in turn. */
    readonly nodes: number;
  },
): Promise<unknown> {
  const { clock, isClosed, nodes } = options;
  const attempts = limits.attempts ?? ATTEMPTS;
  for (let tried = 1; ; tried++) {
    if (isClosed()) throw new TransportError("closed");
    try {
      return await attempt(tried - 1);
    } catch (error) {
      // A request that one node refuses is sent to every other node once; a refusal by all of them is an answer.
      const isElsewhere = isOneNodesRefusal(error) && tried < Math.min(nodes, limits.attempts ?? nodes);
      // A block that a node does not have yet may be there in a moment, or at another node.
      const isWorthIt = tried < attempts && (worthRetrying(error) || (isUnknownBlock(error) && !isPruned(error)));
      if (!isElsewhere && !isWorthIt) throw error;
      if (limits.deadlineMs !== undefined && clock.now() >= limits.deadlineMs) throw error;
      // A limit is waited for where the next request is made.
      const waits = error instanceof TransportError && error.limited;
      if (!isElsewhere && !waits && !(nodes > 1 && isUnknownBlock(error)))
        await sleep(clock, Math.min(FIRST_RETRY_MS * 2 ** (tried - 1), MAX_RETRY_MS));
    }
  }
}
