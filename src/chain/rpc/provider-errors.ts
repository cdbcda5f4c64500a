import { messageOf } from "../../domain/message-of.ts";
import { type ProviderFault, providerFaultOf } from "./provider-messages.ts";

/** The node could not be reached, did not answer in time, or answered with an HTTP status of its own. Holds no URL. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  /** Milliseconds after which the node wants to be asked again, where it said so. */
  readonly retryAfterMs: number | undefined;
  /** The node has had too many requests of ours. */
  readonly limited: boolean;
  /** There was no answer within the time that it had. */
  readonly timedOut: boolean;
  /** The provider refuses the account: its key, plan or quota. */
  readonly refused: boolean;

  constructor(
    message: string,
    details: {
      readonly retryAfterMs?: number | undefined;
      readonly limited?: boolean;
      readonly timedOut?: boolean;
      readonly refused?: boolean;
    } = {},
  ) {
    super(message);
    this.retryAfterMs = details.retryAfterMs;
    this.limited = details.limited ?? false;
    this.timedOut = details.timedOut ?? false;
    this.refused = details.refused ?? false;
  }
}

/** The node understood the request and refused it, or the call reverted. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  /** The node's error data, usually revert data. Not checked. */
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
  if (error instanceof RpcError) return `${refusedMethod(error)}${REFUSALS[refusalOf(error)]} (code ${error.code})`;
  return messageOf(error);
}

const REFUSALS: Readonly<Record<ProviderFault, string>> = {
  execution: "the call failed",
  account: "the provider refuses the account: look at its key, plan and quota",
  limit: "the provider takes no more requests at present",
  "too-much": "the answer is larger than the node gives",
  pruned: "the node does not keep so old history or state",
  "unknown-block": "the node does not have the block",
  unsupported: "the node does not have the method",
  other: "the node refuses a request",
};

/** The method that an error's message begins with, where it does. */
function refusedMethod({ message }: RpcError): string {
  return /^[a-z]+_\w+: /.exec(message)?.[0] ?? "";
}

/** Meaning of a node's refusal. Ignores the method's name before the message: we put it there. */
export function refusalOf({ code, message }: RpcError): ProviderFault {
  return providerFaultOf(code, message.replace(/^[a-z]+_\w+: /, ""));
}

/** Whether a node says that the call itself failed. */
export function isExecutionFailure(error: RpcError): boolean {
  return refusalOf(error) === "execution";
}

/** Whether a node refuses because it does not have the block that was named, or its state: others may. */
export function isUnknownBlock(error: unknown): boolean {
  return error instanceof RpcError && ["unknown-block", "pruned"].includes(refusalOf(error));
}

/** Whether a node has dropped the history that was asked for. */
export function isPruned(error: unknown): boolean {
  return error instanceof RpcError && refusalOf(error) === "pruned";
}

/** Whether an answer is larger than we read, or than the node gives: less has to be asked for at once. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof AnswerTooLargeError || (error instanceof RpcError && refusalOf(error) === "too-much");
}

/** Whether a node has had too many requests. */
export function isLimit(error: unknown): boolean {
  if (error instanceof RpcError) return refusalOf(error) === "limit";
  return error instanceof TransportError && error.limited;
}

/** Whether a provider refuses the account: asking it again brings nothing before somebody has paid or mended the key. */
export function isAccountRefusal(error: unknown): boolean {
  if (error instanceof RpcError) return refusalOf(error) === "account";
  return error instanceof TransportError && error.refused;
}

/** Whether a refusal is one node's own, and no answer: another node may have one. */
export function isOneNodesRefusal(error: unknown): boolean {
  if (isAccountRefusal(error)) return true;
  return error instanceof RpcError && ["unsupported", "other", "pruned"].includes(refusalOf(error));
}

/** Whether asking again, the same node or another, may bring an answer. */
export function worthRetrying(error: unknown): boolean {
  if (error instanceof RpcError) return isLimit(error);
  return (error instanceof TransportError && !error.refused) || error instanceof MalformedAnswerError;
}
