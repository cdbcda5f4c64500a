import { SwapError } from "../domain/swap-error.ts";

/**
 * Runs `work` until its deadline or until the caller is gone, whichever is first. Work that ignores its signal is
 * left behind: the answer does not wait for it.
 * @throws SwapError DEADLINE_EXCEEDED, or what `work` throws
 */
export async function withDeadline<T>(
  callerGone: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let giveUp: (reason: unknown) => void = () => {};
  const over = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  const stop = (reason: unknown) => {
    controller.abort(reason);
    giveUp(reason);
  };
  const exceeded = () =>
    new SwapError("DEADLINE_EXCEEDED", "the deadline of the call passed before there was an answer");
  const timer = setTimeout(() => stop(exceeded()), timeoutMs);
  const onGone = () => stop(exceeded());
  if (callerGone.aborted) onGone();
  else callerGone.addEventListener("abort", onGone, { once: true });
  try {
    return await Promise.race([over, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    callerGone.removeEventListener("abort", onGone);
    over.catch(() => {});
  }
}
