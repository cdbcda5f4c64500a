import { numberToHex } from "viem";
import type { JsonRpc } from "../../../src/devnet/node/json-rpc.ts";
import type { Address, Hex } from "../../../src/domain/address.ts";

/** Transaction of a test. */
export interface TestTransaction {
  /** Absent: the data is creation code. */
  readonly to?: Address;
  readonly data?: Hex;
  /** Wei. */
  readonly value?: bigint;
  /** Gas limit; 15,000,000 if not given. No estimate is made, so that a failing transaction is mined too. */
  readonly gas?: bigint;
}

export interface SentTransaction extends TestTransaction {
  readonly from: Address;
}

export interface TestReceipt {
  readonly transactionHash: Hex;
  readonly succeeded: boolean;
  /** Revert data of the transaction; `0x` if it succeeded. */
  readonly revertData: Hex;
  readonly gasUsed: bigint;
  /** Wei that the sender paid for gas. */
  readonly networkFee: bigint;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  /** Address of the created contract, if one was created. */
  readonly contractAddress: Address | undefined;
  readonly logs: readonly { readonly address: Address; readonly topics: readonly Hex[]; readonly data: Hex }[];
}

interface RawReceipt {
  readonly transactionHash: Hex;
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly contractAddress: Address | null;
  readonly logs: TestReceipt["logs"];
}

/** Few enough for the node's limit on the size of a request. */
const AT_A_TIME = 50;

/** Sends transactions in this order and mines until none is left. A block takes as many as its gas limit lets in. */
export async function sendTogether(
  rpc: JsonRpc,
  transactions: readonly SentTransaction[],
): Promise<readonly TestReceipt[]> {
  const receipts: TestReceipt[] = [];
  for (let start = 0; start < transactions.length; start += AT_A_TIME) {
    receipts.push(...(await sendBatch(rpc, transactions.slice(start, start + AT_A_TIME))));
  }
  return receipts;
}

async function sendBatch(rpc: JsonRpc, transactions: readonly SentTransaction[]): Promise<readonly TestReceipt[]> {
  const { baseFeePerGas, nonces } = await termsOf(rpc, transactions);
  const hashes = await rpc.batch<Hex>(
    transactions.map(({ from, to, data, value, gas }, index) => ({
      method: "eth_sendTransaction",
      params: [
        {
          from,
          ...(to === undefined ? {} : { to }),
          data: data ?? "0x",
          value: numberToHex(value ?? 0n),
          gas: numberToHex(gas ?? 15_000_000n),
          maxFeePerGas: numberToHex(BigInt(baseFeePerGas) * 2n),
          maxPriorityFeePerGas: "0x0",
          nonce: numberToHex(nonces[index]!),
        },
      ],
    })),
  );
  const mined = new Map<Hex, RawReceipt>();
  for (let before = -1; mined.size < hashes.length; ) {
    if (mined.size === before) throw new Error(`the node mines none of ${hashes.filter((hash) => !mined.has(hash))}`);
    before = mined.size;
    await rpc.call("evm_mine");
    const missing = hashes.filter((hash) => !mined.has(hash));
    const found = await rpc.batch<RawReceipt | null>(
      missing.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
    );
    for (const receipt of found) if (receipt !== null) mined.set(receipt.transactionHash, receipt);
  }
  return Promise.all(hashes.map((hash) => toReceipt(rpc, mined.get(hash)!)));
}

/**
 * The newest block's base fee, and a nonce for each: the node takes the calls of one request in any order, so that each
 * transaction says which one of its sender it is.
 */
async function termsOf(rpc: JsonRpc, transactions: readonly SentTransaction[]) {
  const senders = [...new Set(transactions.map(({ from }) => from))];
  const [block, ...counts] = await rpc.batch<{ readonly baseFeePerGas: Hex } | Hex>([
    { method: "eth_getBlockByNumber", params: ["latest", false] },
    ...senders.map((sender) => ({ method: "eth_getTransactionCount", params: [sender, "pending"] })),
  ]);
  const next = new Map(senders.map((sender, index) => [sender, Number(counts[index])]));
  const nonces = transactions.map(({ from }) => {
    const nonce = next.get(from)!;
    next.set(from, nonce + 1);
    return nonce;
  });
  const { baseFeePerGas } = block as { readonly baseFeePerGas: Hex };
  return { baseFeePerGas, nonces };
}

async function toReceipt(rpc: JsonRpc, receipt: RawReceipt): Promise<TestReceipt> {
  const succeeded = BigInt(receipt.status) === 1n;
  const gasUsed = BigInt(receipt.gasUsed);
  return {
    transactionHash: receipt.transactionHash,
    succeeded,
    revertData: succeeded ? "0x" : await revertDataOf(rpc, receipt.transactionHash),
    gasUsed,
    networkFee: gasUsed * BigInt(receipt.effectiveGasPrice),
    blockNumber: BigInt(receipt.blockNumber),
    blockHash: receipt.blockHash,
    contractAddress: receipt.contractAddress ?? undefined,
    logs: receipt.logs,
  };
}

async function revertDataOf(rpc: JsonRpc, hash: Hex): Promise<Hex> {
  const trace = await rpc.call<{ output?: Hex }>("debug_traceTransaction", [hash, { tracer: "callTracer" }]);
  return trace.output ?? "0x";
}
