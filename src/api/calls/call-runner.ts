import { ConnectError } from "@connectrpc/connect";
import { refuse, SwapError } from "../../domain/errors/swap-error.ts";
import type { Logger } from "../../ops/logger.ts";
import type { Account } from "../keys/key-store.ts";
import { type Call, type Caller, type Exchange, noteRefusal } from "./call.ts";
import { withDeadline } from "./deadline.ts";
import { endOfStream } from "./end-of-stream.ts";

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
   * Lets a call in, or not. The others do that themselves.
   * @throws SwapError
   */
  admit(exchange: Exchange): Account;
  /**
   * @throws SwapError and nothing else: a defect becomes INTERNAL, and is logged with its cause
   */
  run<T>(exchange: Exchange, caller: Caller, work: (call: Call) => Promise<T>): Promise<T>;
  /**
   * Runs a call with many answers: without a deadline unless the caller brings one, until the caller leaves, its key is
   * no longer valid, or the service shuts down. `work` ends when its signal is aborted.
   * @throws SwapError and nothing else
   */
  stream<T>(
    exchange: Exchange,
    caller: Caller,
    work: (call: Call) => AsyncIterable<T>,
  ): AsyncGenerator<T, void, undefined>;
  /** Refusal told to the caller for anything thrown. */
  refusalFor(thrown: unknown, exchange: Exchange): SwapError;
}

export function createCallRunner(options: {
  readonly deadline: DeadlineLimits;
  readonly logger: Logger;
  /** Aborted when the service shuts down. */
  readonly draining: AbortSignal;
  /** Milliseconds between two looks whether the key of an open stream is still valid. */
  readonly recheckEveryMs: number;
}): CallRunner {
  const { deadline, logger, draining } = options;
  const refusalFor = (thrown: unknown, exchange: Exchange): SwapError => {
    const refusal = asRefusal(thrown);
    noteRefusal(exchange, refusal);
    if (refusal.kind === "INTERNAL") {
      logger.error({ requestId: exchange.requestId, operation: exchange.operation, err: thrown }, "call failed");
    }
    return refusal;
  };
  const admit = ({ refusal, account }: Exchange): Account => {
    if (refusal !== undefined) throw refusal;
    if (account === undefined) throw new Error("the call was not authorized");
    if (draining.aborted) throw shuttingDown();
    return account;
  };
  const callOf = (exchange: Exchange): Omit<Call, "signal"> => {
    const { requestId, problems, charge } = exchange;
    return { account: admit(exchange), requestId, problems, ...(charge && { charge }) };
  };
  return {
    admit,
    refusalFor,
    async run(exchange, caller, work) {
      const spent = (steps: number) => {
        exchange.steps = (exchange.steps ?? 0) + steps;
      };
      try {
        const call = { ...callOf(exchange), spent };
        const timeoutMs = Math.min(caller.timeoutMs ?? deadline.defaultMs, deadline.mostMs);
        const deadlineMs = Date.now() + timeoutMs;
        return await withDeadline(caller.gone, timeoutMs, (signal) => work({ ...call, signal, deadlineMs }));
      } catch (thrown) {
        throw refusalFor(thrown, exchange);
      } finally {
        await exchange.settle?.(exchange.steps ?? 0);
      }
    },
    async *stream(exchange, caller, work) {
      let end: ReturnType<typeof endOfStream> | undefined;
      try {
        const call = callOf(exchange);
        end = endOfStream(exchange, caller, { draining, shuttingDown, everyMs: options.recheckEveryMs });
        yield* work({ ...call, signal: end.signal });
        if (end.signal.aborted) throw end.signal.reason;
      } catch (thrown) {
        throw refusalFor(thrown, exchange);
      } finally {
        end?.release();
      }
    },
  };
}

function shuttingDown(): SwapError {
  return refuse("SHUTTING_DOWN", "the service is shutting down - try again");
}

function asRefusal(thrown: unknown): SwapError {
  if (thrown instanceof SwapError) return thrown;
  if (thrown instanceof ConnectError && thrown.cause instanceof SwapError) return thrown.cause;
  return refuse("INTERNAL", "something went wrong inside the service - please report the request id", {
    cause: thrown,
  });
}
