import type { ChainRecord } from "../../chain/chains/chain-record.ts";
import {
  parseAddress,
  parseArray,
  parseBytes,
  parseObject,
  parseQuantity,
  quantityParameter,
} from "../../chain/rpc/codec.ts";
import type { Provider } from "../../chain/rpc/provider.ts";
import { type Address, type Hex, NATIVE_TOKEN } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";

/** A swap that somebody has made: one token left the sender of a transaction, and one came to it. */
export interface SettledSwap {
  readonly transaction: Hex;
  readonly sellToken: Address;
  readonly sellAmount: bigint;
  readonly buyToken: Address;
  readonly buyAmount: bigint;
}

/** keccak256("Transfer(address,address,uint256)") and WETH9's keccak256("Withdrawal(address,uint256)"). */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const WITHDRAWAL = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65";

interface Sent {
  readonly hash: Hex;
  readonly from: Address;
  readonly value: bigint;
}

type Reading = Pick<ChainRecord, "wrappedNative"> & { readonly provider: Pick<Provider, "request"> };

/**
 * The swaps of a block, by the transfers of its transactions: two requests, and three more for each transaction that the native
 * token has a part in, whose balance before and after the block tells how much. Senders of several transactions in a block are
 * left out where the native token is: nobody can tell which did what.
 */
export async function settledSwaps(block: BlockRef, reading: Reading): Promise<readonly SettledSwap[]> {
  const { provider, wrappedNative } = reading;
  const [whole, logs] = await Promise.all([
    provider.request("eth_getBlockByHash", [block.hash, true]),
    provider.request("eth_getLogs", [{ blockHash: block.hash, topics: [[TRANSFER, WITHDRAWAL]] }]),
  ]);
  const sent = parseArray(parseObject(whole, "block").transactions, "transactions").map(parseSent);
  const byTransaction = Map.groupBy(
    parseArray(logs, "eth_getLogs").map(parseTransfer),
    ({ transaction }) => transaction,
  );
  const senders = new Map<Address, number>();
  for (const { from } of sent) senders.set(from, (senders.get(from) ?? 0) + 1);
  const swaps: SettledSwap[] = [];
  for (const each of sent) {
    const transfers = byTransaction.get(each.hash) ?? [];
    if (transfers.length === 0) continue;
    const changes = tokenChanges(each.from, transfers);
    const unwraps = transfers.some(({ isWithdrawal, token }) => isWithdrawal && token === wrappedNative);
    if (changes.size === 1 && (each.value > 0n || unwraps)) {
      if (senders.get(each.from) !== 1) continue;
      changes.set(NATIVE_TOKEN, await nativeChange(each, block, provider));
    }
    const swap = swapOf(each.hash, changes);
    if (swap !== undefined) swaps.push(swap);
  }
  return swaps;
}

interface Transfer {
  readonly transaction: Hex;
  readonly token: Address;
  readonly from: Address | undefined;
  readonly to: Address | undefined;
  readonly amount: bigint;
  readonly isWithdrawal: boolean;
}

function parseSent(value: unknown): Sent {
  const transaction = parseObject(value, "transaction");
  return {
    hash: parseBytes(transaction.hash, "transaction.hash", 32),
    from: parseAddress(transaction.from, "transaction.from"),
    value: parseQuantity(transaction.value, "transaction.value"),
  };
}

/** Logs of other shapes under the same topic (ERC-721's have the token's number as a topic) move nothing. */
function parseTransfer(value: unknown): Transfer {
  const log = parseObject(value, "log");
  const [kind, from, to, ...more] = parseArray(log.topics, "log.topics").map((topic) =>
    parseBytes(topic, "log.topics", 32),
  );
  const data = parseBytes(log.data, "log.data");
  const isPlain =
    kind === TRANSFER && from !== undefined && to !== undefined && more.length === 0 && data.length === 66;
  return {
    transaction: parseBytes(log.transactionHash, "log.transactionHash", 32),
    token: parseAddress(log.address, "log.address"),
    from: isPlain ? addressIn(from) : undefined,
    to: isPlain ? addressIn(to) : undefined,
    amount: isPlain ? BigInt(data) : 0n,
    isWithdrawal: kind === WITHDRAWAL,
  };
}

function addressIn(topic: Hex): Address {
  return `0x${topic.slice(26)}` as Address;
}

/** Changes of an account's token balances, without those that are zero. */
function tokenChanges(owner: Address, transfers: readonly Transfer[]): Map<Address, bigint> {
  const changes = new Map<Address, bigint>();
  for (const { token, from, to, amount } of transfers) {
    const change = (to === owner ? amount : 0n) - (from === owner ? amount : 0n);
    if (change !== 0n) changes.set(token, (changes.get(token) ?? 0n) + change);
  }
  for (const [token, change] of changes) if (change === 0n) changes.delete(token);
  return changes;
}

/** Native balance change of a block's sender of one transaction, with gas and data fee added back. */
async function nativeChange(
  { hash, from }: Sent,
  { number }: BlockRef,
  provider: Reading["provider"],
): Promise<bigint> {
  const balanceAt = async (block: bigint) =>
    parseQuantity(await provider.request("eth_getBalance", [from, quantityParameter(block)]), "eth_getBalance");
  const [before, after, answer] = await Promise.all([
    balanceAt(number - 1n),
    balanceAt(number),
    provider.request("eth_getTransactionReceipt", [hash]),
  ]);
  const receipt = parseObject(answer, "receipt");
  const gas = parseQuantity(receipt.gasUsed, "gasUsed") * parseQuantity(receipt.effectiveGasPrice, "effectiveGasPrice");
  // Rollups of the OP Stack take this on top.
  const dataFee = typeof receipt.l1Fee === "string" ? parseQuantity(receipt.l1Fee, "l1Fee") : 0n;
  return after - before + gas + dataFee;
}

function swapOf(transaction: Hex, changes: ReadonlyMap<Address, bigint>): SettledSwap | undefined {
  const all = [...changes];
  const [sold] = all.filter(([, change]) => change < 0n);
  const [bought] = all.filter(([, change]) => change > 0n);
  if (all.length !== 2 || sold === undefined || bought === undefined) return undefined;
  return { transaction, sellToken: sold[0], sellAmount: -sold[1], buyToken: bought[0], buyAmount: bought[1] };
}
