import type { Answers } from "./answers.ts";
import { SwapCallError } from "./swap-call-error.ts";
import type { CallOptions, SwapClient, WatchUpdate } from "./swap-client.ts";

export interface RetryOptions {
  /** Tries of one call at most; default 4. Streams are opened again for as long as they are read. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the second try, doubled for each more; default 200. Half of it and more is left to chance. */
  readonly firstDelayMs?: number | undefined;
  /** Longest pause in milliseconds; default 10,000. A call that the service puts off for longer fails at once. */
  readonly longestDelayMs?: number | undefined;
}

/**
 * Client that repeats calls if that may help: not reached, too many requests, unavailable, too late. It
 * waits at least as long as the service asks to (`Retry-After`). A stream that breaks is opened again; in between it
 * tells a status with the reason.
 */
export function withRetries<Given extends Answers>(
  client: SwapClient<Given>,
  { attempts = 4, firstDelayMs = 200, longestDelayMs = 10_000 }: RetryOptions = {},
): SwapClient<Given> {
  /** Milliseconds to wait after so many failures in a row; undefined where the call is given up. */
  const pauseAfter = (failures: number, error: SwapCallError, isLast: boolean): number | undefined => {
    if (!error.isRetryable || isLast) return undefined;
    const asked = 1_000 * (error.retryAfterSeconds ?? 0);
    const doubled = Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1));
    return asked > longestDelayMs ? undefined : Math.max(asked, doubled * (0.5 + Math.random() / 2));
  };
  const call = async <Answer>(work: () => Promise<Answer>, given?: CallOptions): Promise<Answer> => {
    for (let failures = 1; ; failures += 1) {
      try {
        return await work();
      } catch (thrown) {
        const pauseMs = pauseAfter(failures, thrown as SwapCallError, failures >= attempts);
        if (pauseMs === undefined) throw thrown;
        await pause(pauseMs, given?.signal);
      }
    }
  };
  return {
    price: (request, given) => call(() => client.price(request, given), given),
    ladder: (request, given) => call(() => client.ladder(request, given), given),
    prices: (requests, given) => call(() => client.prices(requests, given), given),
    quote: (request, given) => call(() => client.quote(request, given), given),
    sources: (given) => call(() => client.sources(given), given),
    tokens: (request, given) => call(() => client.tokens(request, given), given),
    chain: (given) => call(() => client.chain(given), given),
    async *watch(request, given) {
      for (let failures = 1; ; failures += 1) {
        try {
          for await (const update of client.watch(request, given)) {
            failures = 0;
            yield update;
          }
          return;
        } catch (thrown) {
          const error = thrown as SwapCallError;
          const pauseMs = pauseAfter(Math.max(1, failures), error, false);
          if (pauseMs === undefined) throw thrown;
          yield statusOf(error);
          await pause(pauseMs, given?.signal);
        }
      }
    },
  };
}

function statusOf({ reason, message, problems }: SwapCallError): WatchUpdate<never> {
  return { kind: "status", reason, description: message, problems };
}

/** @throws SwapCallError CANCELED when the caller gives up before */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = () => {
      clearTimeout(timer);
      reject(new SwapCallError({ message: "the call was given up", kind: "CANCELED", cause: signal?.reason }));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", give);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) give();
    else signal?.addEventListener("abort", give, { once: true });
  });
}
