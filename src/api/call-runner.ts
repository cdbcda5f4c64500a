import { ConnectError } from "@connectrpc/connect";
import { SwapError } from "../domain/swap-error.ts";
import type { Logger } from "../ops/logger.ts";
import type { Call, Exchange } from "./call.ts";
import { withDeadline } from "./deadline.ts";

/** Milliseconds that a call may take. */
export interface DeadlineLimits {
  /** When the caller says nothing. */
  readonly defaultMs: number;
  /** However long the caller would wait. */
  readonly mostMs: number;
}

/** Runs calls of the swap service the same way for every protocol. */
export interface CallRunner {
  /**
   * @throws SwapError and nothing else: a defect becomes INTERNAL, and is logged with its cause
   */
  run<T>(
    exchange: Exchange,
    caller: { readonly gone: AbortSignal; readonly timeoutMs: number | undefined },
    work: (call: Call) => Promise<T>,
  ): Promise<T>;
  /** What the caller is told about anything thrown. */
  refusalFor(thrown: unknown, exchange: Exchange): SwapError;
}

export function createCallRunner(options: {
  readonly deadline: DeadlineLimits;
  readonly logger: Logger;
  isDraining(): boolean;
}): CallRunner {
  const { deadline, logger } = options;
  const refusalFor = (thrown: unknown, exchange: Exchange): SwapError => {
    const refusal = asRefusal(thrown);
    exchange.failure = refusal.kind;
    if (refusal.kind === "INTERNAL") {
      logger.error({ requestId: exchange.requestId, operation: exchange.operation, err: thrown }, "call failed");
    }
    return refusal;
  };
  return {
    refusalFor,
    async run(exchange, caller, work) {
      try {
        if (exchange.refusal !== undefined) throw exchange.refusal;
        const { account } = exchange;
        if (account === undefined) throw new Error("the call was not authorized");
        if (options.isDraining()) {
          throw new SwapError("UNAVAILABLE", "the service is shutting down", {
            reason: "SHUTTING_DOWN",
            retryAfterSeconds: 1,
          });
        }
        const timeoutMs = Math.min(caller.timeoutMs ?? deadline.defaultMs, deadline.mostMs);
        const { requestId, problems } = exchange;
        return await withDeadline(caller.gone, timeoutMs, (signal) => work({ requestId, account, problems, signal }));
      } catch (thrown) {
        throw refusalFor(thrown, exchange);
      }
    },
  };
}

function asRefusal(thrown: unknown): SwapError {
  if (thrown instanceof SwapError) return thrown;
  if (thrown instanceof ConnectError && thrown.cause instanceof SwapError) return thrown.cause;
  return new SwapError("INTERNAL", "something went wrong inside the service - please report the request id", {
    cause: thrown,
  });
}
