import { type Abi, encodeFunctionData, type Hex, hexToBigInt, numberToHex } from "viem";
import type { Address } from "../../domain/address.ts";
import type { JsonRpc } from "./json-rpc.ts";

/** A transaction for the node to sign, since it holds the key of its sender. */
export interface Transaction {
  /** Purpose of the transaction, for the error message. */
  readonly label: string;
  /** Absent: the data is creation code. */
  readonly to?: Address;
  readonly data: Hex;
  readonly value?: bigint;
  /** Gas limit; 12,000,000 if not given. */
  readonly gas?: bigint;
}

/** Builds calls of a contract's functions. */
export function callWith(abi: Abi): (functionName: string, to: Address, args: readonly unknown[]) => Transaction {
  return (functionName, to, args) => ({
    label: `${functionName} of ${to}`,
    to,
    data: encodeFunctionData({ abi, functionName, args }),
  });
}

/** Above what any transaction here needs; a limit given spares the node an estimate. */
const GAS_LIMIT = 12_000_000n;
const MAX_FEE_WEI = 1_000_000_000_000n;
const TIP_WEI = 1_000_000_000n;
/** Few enough for the node's limit on the size of a request. */
const CALLS_PER_REQUEST = 100;

/** Puts transactions of one sender into the node's pool, in this order, and answers their hashes. It mines nothing. */
export async function submit(
  rpc: JsonRpc,
  from: Address,
  firstNonce: number,
  transactions: readonly Transaction[],
): Promise<readonly Hex[]> {
  const hashes: Hex[] = [];
  for (let start = 0; start < transactions.length; start += CALLS_PER_REQUEST) {
    const calls = transactions.slice(start, start + CALLS_PER_REQUEST).map(({ to, data, value, gas }, index) => ({
      method: "eth_sendTransaction",
      params: [
        {
          from,
          data,
          ...(to === undefined ? {} : { to }),
          value: numberToHex(value ?? 0n),
          gas: numberToHex(gas ?? GAS_LIMIT),
          maxFeePerGas: numberToHex(MAX_FEE_WEI),
          maxPriorityFeePerGas: numberToHex(TIP_WEI),
          nonce: numberToHex(firstNonce + start + index),
        },
      ],
    }));
    hashes.push(...(await rpc.batch<Hex>(calls)));
  }
  return hashes;
}

interface Receipt {
  readonly transactionHash: Hex;
  readonly status: Hex;
}

/** Checks that the newest block holds all of these transactions and that all did what they were to do. */
export async function assertMined(
  rpc: JsonRpc,
  transactions: readonly Transaction[],
  hashes: readonly Hex[],
): Promise<void> {
  const receipts = await rpc.call<readonly Receipt[]>("eth_getBlockReceipts", ["latest"]);
  const status = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt.status]));
  for (const [index, { label }] of transactions.entries()) {
    const found = status.get(hashes[index]!);
    if (found === undefined) throw new Error(`the devnet's node left out a transaction: ${label}`);
    if (hexToBigInt(found) !== 1n) throw new Error(`a transaction of the devnet failed: ${label}`);
  }
}
