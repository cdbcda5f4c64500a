import { refuse, type SwapError } from "../../domain/errors/swap-error.ts";
import type { Caller, Exchange } from "./call.ts";
import { LONGEST_TIMER_MS } from "./timeouts.ts";

/** A caller that does not read the end of its stream is cut off after so many times the pause between two looks at its key. */
const CUT_AFTER_LOOKS = 4;

/**
 * Tells an open stream when it is over; the signal's reason is the SwapError that it ends with.
 */
export function endOfStream(
  exchange: Exchange,
  caller: Caller,
  until: {
    readonly draining: AbortSignal;
    readonly shuttingDown: () => SwapError;
    /** Milliseconds between two looks at the key. */
    readonly everyMs: number;
  },
): { readonly signal: AbortSignal; release(): void } {
  const ended = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const end = (reason: unknown) => {
    if (ended.signal.aborted) return;
    ended.abort(reason);
    timers.push(setTimeout(exchange.cut, CUT_AFTER_LOOKS * until.everyMs));
  };
  const look = () => {
    try {
      exchange.recheck?.();
    } catch (refusal) {
      end(refusal);
    }
  };
  const onDraining = () => end(until.shuttingDown());
  const onGone = () => end(refuse("DEADLINE_EXCEEDED", "the deadline of the call has passed - open the stream again"));
  caller.gone.addEventListener("abort", onGone, { once: true });
  until.draining.addEventListener("abort", onDraining, { once: true });
  timers.push(setInterval(look, until.everyMs));
  if (caller.timeoutMs !== undefined) {
    timers.push(setTimeout(onGone, Math.min(caller.timeoutMs, LONGEST_TIMER_MS)));
  }
  if (caller.gone.aborted) onGone();
  return {
    signal: ended.signal,
    release() {
      for (const timer of timers) clearTimeout(timer);
      caller.gone.removeEventListener("abort", onGone);
      until.draining.removeEventListener("abort", onDraining);
    },
  };
}
