import { context } from "@opentelemetry/api";
import type { Logger } from "../../ops/logger.ts";
import { headersOf } from "../../ops/trace-context.ts";
import { createHeadHints } from "./new-heads.ts";
import { ConnectionClosed, type HttpAnswer, NoAnswerInTime, NodeConnection } from "./node-connection.ts";
import {
  AnswerTooLargeError,
  MalformedAnswerError,
  RpcError,
  refusalOf,
  TransportError,
  worthRetrying,
} from "./provider-errors.ts";
import { statedWaitMs } from "./provider-messages.ts";
import type { Lane } from "./request-rate.ts";

export interface RequestOptions {
  /** Bound on one attempt; the provider's own by default. */
  readonly timeoutMs?: number;
  /** Most attempts; 3 by default. */
  readonly attempts?: number;
  /** When nobody waits for the answer any more, milliseconds since 1970: no attempt lasts longer, none begins later. */
  readonly deadlineMs?: number | undefined;
  /** Priority of the request; callers by default. */
  readonly lane?: Lane;
}

/** A node behind JSON-RPC. Answers are raw: whoever asks parses strictly and believes nothing. */
export interface Provider {
  /**
   * @throws TransportError, RpcError, MalformedAnswerError or AnswerTooLargeError; nothing that is thrown names the node's
   * URL.
   */
  request(method: string, params: readonly unknown[], options?: RequestOptions): Promise<unknown>;
  /** Calls `listener` when the head may have changed. A hint without promise: polling goes on beside it. */
  onHeadHint(listener: () => void): () => void;
  close(): void;
}

const FIRST_RETRY_MS = 100;
const MAX_RETRY_AFTER_MS = 5_000;

/** A node at `url` over HTTP; `wsUrl` adds head hints over WebSocket. */
export function createProvider(options: {
  readonly url: string;
  readonly wsUrl?: string | undefined;
  readonly timeoutMs: number;
  readonly logger: Logger;
}): Provider {
  const hints = createHeadHints({ wsUrl: options.wsUrl, logger: options.logger });
  const connection = new NodeConnection(options.url);
  const closed = new AbortController();
  let nextId = 1;

  async function attempt(method: string, params: readonly unknown[], timeoutMs: number): Promise<unknown> {
    const id = nextId++;
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const answer = await connection.post(body, headersOf(context.active()), timeoutMs).catch((error: unknown) => {
      if (error instanceof AnswerTooLargeError) throw error;
      throw new TransportError(`${method}: ${describeFault(error)}`, { timedOut: error instanceof NoAnswerInTime });
    });
    return readAnswer(method, id, answer);
  }

  async function request(method: string, params: readonly unknown[], limits: RequestOptions = {}): Promise<unknown> {
    const attempts = limits.attempts ?? 3;
    for (let tried = 1; ; tried++) {
      const mostMs = attemptMs(method, limits.timeoutMs ?? options.timeoutMs, limits.deadlineMs, Date.now());
      try {
        return await attempt(method, params, mostMs);
      } catch (error) {
        if (tried >= attempts || closed.signal.aborted || !worthRetrying(error)) throw error;
        if (limits.deadlineMs !== undefined && Date.now() >= limits.deadlineMs) throw error;
        const asked = error instanceof TransportError ? error.retryAfterMs : undefined;
        await sleep(Math.min(asked ?? FIRST_RETRY_MS * 2 ** (tried - 1), MAX_RETRY_AFTER_MS), closed.signal);
      }
    }
  }

  return {
    request,
    onHeadHint: hints.listen,
    close() {
      closed.abort();
      connection.close();
      hints.close();
    },
  };
}

/** Milliseconds that an attempt may take that begins now. @throws TransportError when nobody waits for it any more */
export function attemptMs(method: string, mostMs: number, deadlineMs: number | undefined, nowMs: number): number {
  if (deadlineMs === undefined) return mostMs;
  if (nowMs >= deadlineMs) throw new TransportError(`${method}: the caller's deadline has passed`);
  return Math.min(mostMs, deadlineMs - nowMs);
}

function readAnswer(method: string, id: number, response: HttpAnswer): unknown {
  const { status, text } = response;
  if (status >= 300 && status < 400) throw faultOf(method, response);
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    if (!isOk(response)) throw faultOf(method, response);
    const isPage = /^\s*</.test(text);
    throw new MalformedAnswerError(`${method}: the answer is ${isPage ? "a page (HTML)" : "not JSON, or cut off"}`);
  }
  if (typeof answer !== "object" || answer === null) throw new MalformedAnswerError(`${method}: not an answer`);
  if ("error" in answer && answer.error !== null && answer.error !== undefined) {
    throw refusalWithStatus(method, response, readError(method, answer.error));
  }
  if (!isOk(response)) throw faultOf(method, response);
  if (!("id" in answer) || answer.id !== id) throw new MalformedAnswerError(`${method}: answer to another request`);
  if (!("result" in answer)) throw new MalformedAnswerError(`${method}: neither result nor error`);
  return answer.result;
}

function isOk({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

/** An HTTP status that is no answer, with what it says to operators. */
function faultOf(method: string, response: HttpAnswer): TransportError {
  const { status } = response;
  const meaning = STATUSES[status] ?? (status >= 300 && status < 400 ? REDIRECT : "");
  return new TransportError(`${method}: HTTP ${status}${meaning}`, {
    retryAfterMs: retryAfterMs(response),
    limited: status === 429,
    refused: ACCOUNT_STATUSES.has(status),
  });
}

/** Error for a refusal whose HTTP status may tell more than its message. */
function refusalWithStatus(method: string, response: HttpAnswer, error: Error): Error {
  const { status } = response;
  if (!(error instanceof RpcError)) return isOk(response) ? error : faultOf(method, response);
  const trouble = refusalOf(error);
  if (ACCOUNT_STATUSES.has(status) && (trouble === "other" || trouble === "account")) return faultOf(method, response);
  if (trouble !== "account" && (status === 429 || trouble === "limit")) {
    const wait = retryAfterMs(response) ?? statedWaitMs(error.message);
    return new TransportError(`${method}: too many requests (code ${error.code})`, {
      retryAfterMs: wait,
      limited: true,
    });
  }
  return error;
}

const REDIRECT = ", a redirect: set the node's URL to where it leads";
const ACCOUNT_STATUSES: ReadonlySet<number> = new Set([401, 402, 403]);
const STATUSES: Readonly<Record<number, string>> = {
  401: ", not authorized: look at the key in the node's URL",
  402: ", payment required: the provider's quota is spent",
  403: ", forbidden: look at the key, the plan and the addresses that the provider allows",
  404: ", not found: look at the path of the node's URL",
  413: ", the request is larger than the provider takes",
};

function readError(method: string, error: unknown): Error {
  if (typeof error !== "object" || error === null) return new MalformedAnswerError(`${method}: no error object`);
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  if (typeof code !== "number" || typeof message !== "string") {
    return new MalformedAnswerError(`${method}: error without code and message`);
  }
  return new RpcError(code, `${method}: ${message.slice(0, 500)}`, data);
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). */
function retryAfterMs({ retryAfter: header }: HttpAnswer): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** Describes a failure without the URL: its path holds keys. */
function describeFault(error: unknown): string {
  if (error instanceof NoAnswerInTime) return "no answer in time";
  if (error instanceof ConnectionClosed) return "closed";
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  const failed = code === undefined ? "connection failed" : `connection failed (${code})`;
  return `${failed}: look whether the node runs at its URL`;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
