import {
  type FieldProblem,
  type Price,
  SwapCallError,
  type SwapClient,
  type SwapRequest,
} from "../../../src/client/index.ts";

/** Why there is no price. */
export interface Refusal {
  /** A case of docs/errors.md, as far as there is one. */
  readonly reason: string;
  readonly message: string;
  readonly problems: readonly FieldProblem[];
  readonly requestId: string | undefined;
  /** Whether a price follows by itself, should there be one again. */
  readonly passes: boolean;
}

/** Listener for the live price of a request. */
export interface LiveListener {
  price(price: Price): void;
  refused(refusal: Refusal): void;
  /** The key is no good. */
  keyRefused(): void;
}

/** Pause before a stream that broke is opened again. */
const AGAIN_MS = 2_000;
/** A stream without a message for so long has lost its connection: four of the service's heartbeats, unless it is set to fewer. */
const SILENT_MS = 60_000;

/** Tells the price of a request now and with each block that changes it, until `signal` aborts or it is refused for good. */
export async function followPrice(
  client: SwapClient,
  request: SwapRequest,
  signal: AbortSignal,
  listener: LiveListener,
): Promise<void> {
  while (!signal.aborted) {
    let pause = AGAIN_MS;
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENT_MS);
    try {
      for await (const update of client.watch(request, { signal: AbortSignal.any([signal, silence.signal]) })) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENT_MS);
        if (update.kind === "price") listener.price(update.price);
        if (update.kind === "status") {
          const { reason, description: message, problems } = update;
          listener.refused({ reason, message, problems, requestId: undefined, passes: true });
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (silence.signal.aborted) continue;
      if (!(error instanceof SwapCallError)) return;
      if (error.kind === "UNAUTHENTICATED") return listener.keyRefused();
      const { kind: reason, message, problems, requestId, isRetryable: passes } = error;
      listener.refused({ reason, message, problems, requestId, passes });
      if (!passes) return;
      pause = Math.max(AGAIN_MS, (error.retryAfterSeconds ?? 0) * 1000);
    } finally {
      clearTimeout(timer);
    }
    await sleep(pause, signal);
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
