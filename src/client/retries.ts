import type { Answers } from "./answers.ts";
import { SwapCallError } from "./swap-call-error.ts";
import type { CallOptions, SwapClient, WatchUpdate } from "./swap-client.ts";

/** A timer with a longer time fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

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
 * tells a status with the reason. `timeoutMs` of a call ends all its tries, and a stream with all its openings.
 */
export function withRetries<Given extends Answers>(
  client: SwapClient<Given>,
  { attempts = 4, firstDelayMs = 200, longestDelayMs = 10_000 }: RetryOptions = {},
): SwapClient<Given> {
  const longestMs = Math.min(longestDelayMs, LONGEST_TIMER_MS);
  /** Milliseconds to wait after so many failures in a row; undefined if the call is given up. `until`: its deadline. */
  const pauseAfter = (failures: number, error: SwapCallError, until: number): number | undefined => {
    if (!error.isRetryable) return undefined;
    const asked = 1_000 * (error.retryAfterSeconds ?? 0);
    const doubled = Math.min(longestMs, firstDelayMs * 2 ** (failures - 1));
    const pauseMs = Math.max(asked, doubled * (0.5 + Math.random() / 2));
    return asked > longestMs || Date.now() + pauseMs >= until ? undefined : pauseMs;
  };
  const call = async <Options extends CallOptions, Answer>(
    work: (left: Options | undefined) => Promise<Answer>,
    given: Options | undefined,
  ): Promise<Answer> => {
    const until = deadlineOf(given);
    for (let failures = 1; ; failures += 1) {
      try {
        return await work(leftOf(given, until));
      } catch (thrown) {
        const pauseMs = failures >= attempts ? undefined : pauseAfter(failures, thrown as SwapCallError, until);
        if (pauseMs === undefined) throw thrown;
        await pause(pauseMs, given?.signal);
      }
    }
  };
  return {
    price: (request, given) => call((left) => client.price(request, left), given),
    ladder: (request, given) => call((left) => client.ladder(request, left), given),
    prices: (requests, given) => call((left) => client.prices(requests, left), given),
    quote: (request, given) => call((left) => client.quote(request, left), given),
    sources: (given) => call((left) => client.sources(left), given),
    tokens: (request, given) => call((left) => client.tokens(request, left), given),
    chain: (given) => call((left) => client.chain(left), given),
    async *watch(request, given) {
      const until = deadlineOf(given);
      for (let failures = 1; ; failures += 1) {
        const openedAt = Date.now();
        try {
          for await (const update of client.watch(request, leftOf(given, until))) {
            // One that breaks after its first update is opened no sooner than one that tells nothing.
            if (Date.now() - openedAt >= longestDelayMs) failures = 0;
            yield update;
          }
          return;
        } catch (thrown) {
          const error = thrown as SwapCallError;
          const pauseMs = pauseAfter(Math.max(1, failures), error, until);
          if (pauseMs === undefined) throw thrown;
          yield statusOf(error);
          await pause(pauseMs, given?.signal);
        }
      }
    },
  };
}

/** Time at which a call's own limit ends, ms since the epoch. */
function deadlineOf(given: CallOptions | undefined): number {
  return given?.timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + given.timeoutMs;
}

/** Options of a further try, with the time that is left. */
function leftOf<Options extends CallOptions>(given: Options | undefined, until: number): Options | undefined {
  if (given === undefined || until === Number.POSITIVE_INFINITY) return given;
  return { ...given, timeoutMs: Math.max(1, until - Date.now()) };
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
