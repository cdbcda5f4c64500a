import { context } from "@opentelemetry/api";
import type { Logger } from "../../ops/logger.ts";
import { headersOf } from "../../ops/trace-context.ts";
import { createHeadHints } from "./new-heads.ts";
import { nodeAddress } from "./node-address.ts";
import type { Lane } from "./pace.ts";
import {
  AnswerTooLargeError,
  MalformedAnswerError,
  RpcError,
  TransportError,
  worthRetrying,
} from "./provider-errors.ts";

export interface RequestOptions {
  /** Bound on one attempt; the provider's own by default. */
  readonly timeoutMs?: number;
  /** How often to try at most; 3 by default. */
  readonly attempts?: number;
  /** When nobody waits for the answer any more, milliseconds since 1970: no attempt lasts longer, none begins later. */
  readonly deadlineMs?: number | undefined;
  /** Who the request is for; callers by default. */
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

/** Answers above this are cut off: of honest ones only logs of a range of blocks can be larger. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
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
  const node = nodeAddress(options.url);
  const closed = new AbortController();
  let nextId = 1;

  async function attempt(method: string, params: readonly unknown[], timeoutMs: number): Promise<unknown> {
    const id = nextId++;
    let response: Response;
    let text: string;
    try {
      response = await fetch(node.url, {
        method: "POST",
        headers: { "content-type": "application/json", ...node.headers, ...headersOf(context.active()) },
        body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
        redirect: "error",
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), closed.signal]),
      });
      text = await readBounded(response);
    } catch (error) {
      if (error instanceof AnswerTooLargeError) throw error;
      throw new TransportError(`${method}: ${describeFault(error)}`, { timedOut: isTimeout(error) });
    }
    if (response.status === 429)
      throw new TransportError(`${method}: HTTP 429`, { retryAfterMs: retryAfterMs(response), limited: true });
    return readAnswer(method, id, response, text);
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

async function readBounded(response: Response): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new AnswerTooLargeError(`answer above ${MAX_ANSWER_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function readAnswer(method: string, id: number, response: Response, text: string): unknown {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    if (!response.ok)
      throw new TransportError(`${method}: HTTP ${response.status}`, { retryAfterMs: retryAfterMs(response) });
    throw new MalformedAnswerError(`${method}: the answer is not JSON`);
  }
  if (typeof answer !== "object" || answer === null) throw new MalformedAnswerError(`${method}: not an answer`);
  if ("error" in answer && answer.error !== null && answer.error !== undefined) throw readError(method, answer.error);
  if (!response.ok)
    throw new TransportError(`${method}: HTTP ${response.status}`, { retryAfterMs: retryAfterMs(response) });
  if (!("id" in answer) || answer.id !== id) throw new MalformedAnswerError(`${method}: answer to another request`);
  if (!("result" in answer)) throw new MalformedAnswerError(`${method}: neither result nor error`);
  return answer.result;
}

function readError(method: string, error: unknown): Error {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  if (typeof code !== "number" || typeof message !== "string") {
    return new MalformedAnswerError(`${method}: error without code and message`);
  }
  return new RpcError(code, `${method}: ${message.slice(0, 500)}`, data);
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). */
function retryAfterMs(response: Response): number | undefined {
  const header = response.headers.get("retry-after");
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** What went wrong, without the URL: keys are in its path. */
function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  if (isTimeout(error)) return "no answer in time";
  if (error.name === "AbortError") return "closed";
  const cause = error.cause;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : undefined;
  return code === undefined ? "connection failed" : `connection failed (${code})`;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
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
