import type { Provider } from "./provider.ts";
import { type Header, parseQuantity } from "./wire.ts";

/**
 * What a transaction in the next block should pay, wei per gas: the node's suggestion, and never below the block's base
 * fee. A node that has no suggestion leaves the base fee plus an eighth, the most that it can rise by (EIP-1559).
 */
export async function readGasPrice(provider: Provider, header: Header): Promise<bigint> {
  const baseFee = header.baseFeePerGas ?? 0n;
  try {
    const suggested = parseQuantity(await provider.request("eth_gasPrice", [], { attempts: 1 }), "eth_gasPrice");
    return suggested > baseFee ? suggested : baseFee;
  } catch {
    return baseFee + baseFee / 8n;
  }
}
