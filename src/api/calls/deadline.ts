import { refuse } from "../../domain/errors/swap-error.ts";

/** Tells when nobody waits for an answer any more: an AbortSignal, or less than one. */
export interface CallerGone {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/**
 * Runs `work` until its deadline or until the caller is gone, whichever is first. Work that ignores its signal is
 * left behind: the answer does not wait for it.
 * @throws SwapError DEADLINE_EXCEEDED, or what `work` throws
 */
export function withDeadline<T>(
  callerGone: CallerGone,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const release = () => {
      clearTimeout(timer);
      callerGone.removeEventListener("abort", stop);
    };
    const stop = () => {
      release();
      const reason = refuse(
        "DEADLINE_EXCEEDED",
        "the deadline of the call passed before there was an answer - give it more time, or try again",
      );
      controller.abort(reason);
      reject(reason);
    };
    const timer = setTimeout(stop, timeoutMs);
    callerGone.addEventListener("abort", stop, { once: true });
    if (callerGone.aborted) stop();
    const settled =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        release();
        settle(value);
      };
    work(controller.signal).then(settled(resolve), settled(reject));
  });
}
