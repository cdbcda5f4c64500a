import { type LocalAccount, privateKeyToAccount } from "viem/accounts";
import { parseBytes, parseObject, parseQuantity } from "../../chain/rpc/codec.ts";
import type { Provider } from "../../chain/rpc/provider.ts";
import type { Address, Hex } from "../../domain/address.ts";
import { UsageError } from "../command.ts";
import { KEY_VARIABLE } from "../command-options.ts";

const RECEIPT_EVERY_MS = 500;
const RECEIPT_WITHIN_MS = 300_000;
/** Estimates hold for the block that they were made on; the next one may need a little more. */
const GAS_MARGIN_PERCENT = 110n;

/** Wei per gas that a transaction offers. */
export interface GasOffer {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** @throws UsageError when there is no usable key; it never repeats the key */
export function payingAccount(environment: Readonly<Record<string, string | undefined>>): LocalAccount {
  const key = environment[KEY_VARIABLE]?.trim() ?? "";
  if (key === "")
    throw new UsageError(`${KEY_VARIABLE} is not set: set it to the private key of the account that pays`);
  try {
    return privateKeyToAccount((key.startsWith("0x") ? key : `0x${key}`) as Hex);
  } catch {
    throw new UsageError(`${KEY_VARIABLE} is not a private key: set it to 32 bytes as hex`);
  }
}

/** Twice the newest base fee and what the node suggests on top, so that some full blocks in between do no harm. */
export async function gasOffer(provider: Provider): Promise<GasOffer> {
  const block = parseObject(await provider.request("eth_getBlockByNumber", ["latest", false]), "block");
  if (block.baseFeePerGas === undefined) {
    const price = parseQuantity(await provider.request("eth_gasPrice", []), "eth_gasPrice");
    return { maxFeePerGas: price, maxPriorityFeePerGas: price };
  }
  const tip = parseQuantity(await provider.request("eth_maxPriorityFeePerGas", []), "eth_maxPriorityFeePerGas");
  return { maxFeePerGas: 2n * parseQuantity(block.baseFeePerGas, "baseFeePerGas") + tip, maxPriorityFeePerGas: tip };
}

/** Gas limit for a call, from the node's estimate. */
export async function gasLimit(
  provider: Provider,
  { value, ...call }: { readonly from?: Address; readonly to?: Address; readonly data: Hex; readonly value?: bigint },
): Promise<bigint> {
  // No node knows who pays: what is sent along takes no gas that an address without code would not take either.
  const asked = value === undefined ? call : { ...call, value: "0x0" };
  const estimate = parseQuantity(await provider.request("eth_estimateGas", [asked]), "eth_estimateGas");
  return (estimate * GAS_MARGIN_PERCENT) / 100n;
}

/** Signs, sends and waits. @throws Error when it reverts or is not mined within five minutes */
export async function sendAndWait(
  provider: Provider,
  account: LocalAccount,
  transaction: {
    readonly chainId: number;
    readonly to: Address;
    readonly data: Hex;
    readonly value?: bigint;
    readonly gas: bigint;
  } & GasOffer,
): Promise<{ readonly hash: Hex; readonly gasUsed: bigint }> {
  const counted = await provider.request("eth_getTransactionCount", [account.address, "pending"]);
  const nonce = Number(parseQuantity(counted, "eth_getTransactionCount"));
  return sendSigned(provider, await account.signTransaction({ type: "eip1559", nonce, ...transaction }));
}

/** Sends a signed transaction and waits. @throws Error when it reverts or is not mined within five minutes */
export async function sendSigned(
  provider: Provider,
  signed: Hex,
): Promise<{ readonly hash: Hex; readonly gasUsed: bigint }> {
  // One attempt: after a lost answer the node may have it already, and says so to the second.
  const answer = await provider.request("eth_sendRawTransaction", [signed], { attempts: 1 });
  const hash = parseBytes(answer, "eth_sendRawTransaction", 32);
  for (const start = Date.now(); Date.now() - start < RECEIPT_WITHIN_MS; ) {
    const receipt = await provider.request("eth_getTransactionReceipt", [hash]);
    if (receipt !== null) {
      const { status, gasUsed } = parseObject(receipt, "receipt");
      if (parseQuantity(status, "status") !== 1n) throw new Error(`the transaction ${hash} reverted`);
      return { hash, gasUsed: parseQuantity(gasUsed, "gasUsed") };
    }
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_EVERY_MS));
  }
  throw new Error(
    `the transaction ${hash} was not mined within ${RECEIPT_WITHIN_MS / 1000} s: look for it in an explorer before you send again`,
  );
}

/** Wei that the account has. */
export async function balanceOf(provider: Provider, address: Hex): Promise<bigint> {
  return parseQuantity(await provider.request("eth_getBalance", [address, "latest"]), "eth_getBalance");
}
