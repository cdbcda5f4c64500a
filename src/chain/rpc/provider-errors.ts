import { messageOf } from "../../domain/message-of.ts";
/** The node could not be reached, did not answer in time, or answered with an HTTP status of its own. Holds no URL. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  /** Milliseconds after which the node wants to be asked again, where it said so. */
  readonly retryAfterMs: number | undefined;
  /** The node has had too many requests of ours. */
  readonly limited: boolean;
  /** There was no answer within the time that it had. */
  readonly timedOut: boolean;

  constructor(
    message: string,
    details: {
      readonly retryAfterMs?: number | undefined;
      readonly limited?: boolean;
      readonly timedOut?: boolean;
    } = {},
  ) {
    super(message);
    this.retryAfterMs = details.retryAfterMs;
    this.limited = details.limited ?? false;
    this.timedOut = details.timedOut ?? false;
  }
}

/** The node understood the request and refused it, or the call reverted. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  /** What the node sent along: revert data, as a rule. Not checked. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The node answered something that the protocol does not allow, or that contradicts itself. Never believed. */
export class MalformedAnswerError extends Error {
  override readonly name = "MalformedAnswerError";
}

/** The node's answer is larger than any that is read: less has to be asked for at once. It is no fault of the node's. */
export class AnswerTooLargeError extends Error {
  override readonly name = "AnswerTooLargeError";
}

/** The node does not know the block that was named, or contradicts what it said of it before. */
export class BlockGoneError extends Error {
  override readonly name = "BlockGoneError";
}

/** Why something failed, for anybody to read: what a node says in its own words may name its operator's keys. */
export function reasonOf(error: unknown): string {
  if (error instanceof RpcError) return `the node refuses a request (code ${error.code})`;
  return messageOf(error);
}

/**
 * Whether a node says that the call itself failed. Code 3 is "execution reverted" (geth); others say the same, or that the
 * call ran out of gas, only in words. What follows those is the contract's own reason: any words that its author likes.
 */
export function isExecutionFailure(error: RpcError): boolean {
  return (
    error.code === 3 || /revert|out ?of ?gas|invalid ?opcode|stack ?(under|over)flow|invalid ?jump/i.test(error.message)
  );
}

/** Whether a node refuses because it does not have the block that was named: others may. Nodes say so in words only. */
export function isUnknownBlock(error: unknown): boolean {
  return (
    error instanceof RpcError &&
    !isExecutionFailure(error) &&
    /unknown block|(header|block|state|trie node).*(not found|missing|unavailable)|missing (header|trie node)/i.test(
      error.message,
    )
  );
}

/** Whether an answer is larger than we read, or than the node gives: less has to be asked for at once. Nodes say so in words only. */
export function isTooMuch(error: unknown): boolean {
  return (
    error instanceof AnswerTooLargeError ||
    (error instanceof RpcError &&
      /more than \d+ (results|logs|events)|too (large|big|many (results|logs|events))|(response|result|answer).*exceed/i.test(
        error.message,
      ))
  );
}

/** Limit exceeded (EIP-1474), and what nodes send for too many requests. */
const LIMIT_CODES: ReadonlySet<unknown> = new Set([-32005, -32029, 429]);

/** Whether a node has had too many requests. */
export function isLimit(error: unknown): boolean {
  if (error instanceof RpcError) return LIMIT_CODES.has(error.code) && !isTooMuch(error);
  return error instanceof TransportError && error.limited;
}

/** Whether asking again, the same node or another, may bring an answer. */
export function worthRetrying(error: unknown): boolean {
  if (error instanceof RpcError) return isLimit(error);
  return error instanceof TransportError || error instanceof MalformedAnswerError;
}
