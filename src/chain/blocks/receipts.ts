import { concatBytes, hexToBytes, toRlp } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { Pause } from "../rpc/clock.ts";
import { type Header, parseArray, parseBytes, parseLog, parseObject, parseQuantity } from "../rpc/codec.ts";
import { inParallel } from "../rpc/in-parallel.ts";
import type { Provider } from "../rpc/provider.ts";
import { isTooMuch, MalformedAnswerError } from "../rpc/provider-errors.ts";
import { orderedTrieRoot } from "./ordered-trie.ts";

const PARALLEL_RECEIPTS = 8;

/** A transaction's receipt, as far as the receipts root of its block's header tells of it. */
export interface Receipt {
  /** The transaction's type (EIP-2718); 0 where there was none yet. */
  readonly type: bigint;
  /** Whether the transaction succeeded or, before Byzantium, the state's root after it. */
  readonly outcome: Hex;
  readonly cumulativeGasUsed: bigint;
  readonly logsBloom: Hex;
  readonly logs: readonly Log[];
  /** Further fields of OP stack deposits: nonce and version of the receipt, in this order. */
  readonly deposit: readonly bigint[];
}

/** @throws MalformedAnswerError */
export function parseReceipt(value: unknown): Receipt {
  const receipt = parseObject(value, "receipt");
  const quantity = (name: string) => parseQuantity(receipt[name], `receipt.${name}`);
  const has = (name: string) => receipt[name] !== undefined && receipt[name] !== null;
  const isDeposit = has("depositReceiptVersion");
  return {
    type: has("type") ? quantity("type") : 0n,
    outcome: has("root") ? parseBytes(receipt.root, "receipt.root", 32) : minimal(quantity("status")),
    cumulativeGasUsed: quantity("cumulativeGasUsed"),
    logsBloom: parseBytes(receipt.logsBloom, "receipt.logsBloom", 256),
    logs: parseArray(receipt.logs, "receipt.logs").map(parseLog),
    deposit: isDeposit ? [quantity("depositNonce"), quantity("depositReceiptVersion")] : [],
  };
}

/** The receipts root that a header has when these are its block's receipts, in the order of the transactions. */
export async function receiptsRoot(receipts: readonly Receipt[], pause: Pause): Promise<Hex> {
  const encoded: Uint8Array[] = [];
  for (const receipt of receipts) {
    encoded.push(encode(receipt));
    await pause();
  }
  return orderedTrieRoot(encoded, pause);
}

/** A block's receipts as the node tells each by itself, where they are more than one answer holds: anybody can fill a block. */
async function receiptsOneByOne(provider: Provider, { hash }: Header): Promise<readonly unknown[]> {
  const block = parseObject(await provider.request("eth_getBlockByHash", [hash, false]), "block");
  const transactions = parseArray(block.transactions, "block.transactions");
  return inParallel(transactions, PARALLEL_RECEIPTS, (transaction) => {
    return provider.request("eth_getTransactionReceipt", [transaction]);
  });
}

/** All logs of a block out of its receipts, told one by one. @throws MalformedAnswerError, and what the node failed with. */
export async function logsOneByOne(provider: Provider, header: Header): Promise<Iterable<Log>> {
  const receipts = await receiptsOneByOne(provider, header);
  return (function* () {
    for (const receipt of receipts) {
      for (const log of parseArray(parseObject(receipt, "receipt").logs, "receipt.logs")) yield parseLog(log);
    }
  })();
}

/**
 * All logs of a block, taken from its receipts.
 * @throws MalformedAnswerError when the receipts do not come to the header's root, and what the node failed with.
 */
export async function provedLogs(provider: Provider, header: Header, pause: Pause): Promise<readonly Log[]> {
  const answer = await provider.request("eth_getBlockReceipts", [header.hash]).catch((error: unknown) => {
    if (!isTooMuch(error)) throw error;
    return receiptsOneByOne(provider, header);
  });
  const receipts: Receipt[] = [];
  for (const receipt of parseArray(answer, "eth_getBlockReceipts")) {
    receipts.push(parseReceipt(receipt));
    await pause();
  }
  if ((await receiptsRoot(receipts, pause)) !== header.receiptsRoot) {
    throw new MalformedAnswerError("eth_getBlockReceipts: not the receipts that the header's root tells of");
  }
  return receipts.flatMap(({ logs }) => logs);
}

/** A receipt as it is hashed (EIP-658, EIP-2718; deposits as in the OP stack's specification since Canyon). */
function encode({ type, outcome, cumulativeGasUsed, logsBloom, logs, deposit }: Receipt): Uint8Array {
  const fields = toRlp(
    [
      ...[outcome, minimal(cumulativeGasUsed), logsBloom],
      logs.map(({ address, topics, data }) => [address, topics, data]),
      ...deposit.map(minimal),
    ],
    "bytes",
  );
  return type === 0n ? fields : concatBytes([hexToBytes(minimal(type)), fields]);
}

/** A number without leading zeros; nothing for 0. */
function minimal(value: bigint): Hex {
  if (value === 0n) return "0x";
  const digits = value.toString(16);
  return `0x${digits.length % 2 === 0 ? "" : "0"}${digits}`;
}
