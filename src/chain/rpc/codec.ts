import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Log } from "../../market/chain-reader.ts";
import { MalformedAnswerError } from "./provider-errors.ts";

/** A block's header, as far as following the chain needs it. */
export interface Header extends BlockRef {
  readonly logsBloom: Hex;
  /** Root of the trie of the block's receipts; undefined where a node leaves it out. */
  readonly receiptsRoot: Hex | undefined;
  /** Wei per gas; undefined on chains without EIP-1559. */
  readonly baseFeePerGas: bigint | undefined;
  readonly gasLimit: bigint;
}

const QUANTITY = /^0x[0-9a-f]{1,64}$/i;
const BYTES = /^0x[0-9a-f]*$/i;

/** A block by hash as a parameter of state reads (EIP-1898). Side blocks are answered too: their state is what it is. */
export function blockParameter(block: BlockRef): { readonly blockHash: Hex; readonly requireCanonical: false } {
  return { blockHash: block.hash, requireCanonical: false };
}

export function quantityParameter(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

/** @throws MalformedAnswerError like every parser here; `what` names the field in its message. */
export function parseQuantity(value: unknown, what: string): bigint {
  if (typeof value !== "string" || !QUANTITY.test(value)) throw malformed(what, value);
  return BigInt(value);
}

/** Bytes in lower case; with `length`, exactly that many. */
export function parseBytes(value: unknown, what: string, length?: number): Hex {
  if (typeof value !== "string" || value.length % 2 !== 0 || !BYTES.test(value)) throw malformed(what, value);
  if (length !== undefined && value.length !== 2 + 2 * length) throw malformed(what, value);
  return value.toLowerCase() as Hex;
}

export function parseAddress(value: unknown, what: string): Address {
  return parseBytes(value, what, 20) as Address;
}

export function parseObject(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformed(what, value);
  return value as Readonly<Record<string, unknown>>;
}

export function parseArray(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(what, value);
  return value;
}

export function parseHeader(value: unknown): Header {
  const block = parseObject(value, "block");
  return {
    number: parseQuantity(block.number, "block.number"),
    hash: parseBytes(block.hash, "block.hash", 32),
    parentHash: parseBytes(block.parentHash, "block.parentHash", 32),
    timestamp: parseQuantity(block.timestamp, "block.timestamp"),
    logsBloom: parseBytes(block.logsBloom, "block.logsBloom", 256),
    receiptsRoot:
      block.receiptsRoot === undefined || block.receiptsRoot === null
        ? undefined
        : parseBytes(block.receiptsRoot, "block.receiptsRoot", 32),
    baseFeePerGas:
      block.baseFeePerGas === undefined || block.baseFeePerGas === null
        ? undefined
        : parseQuantity(block.baseFeePerGas, "block.baseFeePerGas"),
    gasLimit: parseQuantity(block.gasLimit, "block.gasLimit"),
  };
}

/** A block's header, or undefined where the node knows no such block. */
export function parseHeaderOrNone(value: unknown): Header | undefined {
  return value === null ? undefined : parseHeader(value);
}

export function parseLog(value: unknown): Log {
  const log = parseObject(value, "log");
  if (log.removed === true) throw new MalformedAnswerError("log: a removed log in an answer");
  const topics = parseArray(log.topics, "log.topics").map((topic) => parseBytes(topic, "log.topics", 32));
  if (topics.length > 4) throw malformed("log.topics", topics.length);
  return {
    address: parseAddress(log.address, "log.address"),
    topics,
    data: parseBytes(log.data, "log.data"),
    blockHash: parseBytes(log.blockHash, "log.blockHash", 32),
    blockNumber: parseQuantity(log.blockNumber, "log.blockNumber"),
    logIndex: Number(parseQuantity(log.logIndex, "log.logIndex")),
  };
}

function malformed(what: string, value: unknown): MalformedAnswerError {
  const seen = typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : typeof value;
  return new MalformedAnswerError(`${what}: not as the protocol has it: ${seen}`);
}
