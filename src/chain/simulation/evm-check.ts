import { parseBytes } from "../rpc/codec.ts";
import type { Provider } from "../rpc/provider.ts";
import { isLimit, RpcError } from "../rpc/provider-errors.ts";

/**
 * Creation code that answers one if the EVM has what the settlement contracts are compiled for (Cancun): PUSH0, TSTORE and TLOAD
 * (EIP-1153), MCOPY (EIP-5656). As mnemonics: PUSH1 1 PUSH0 TSTORE, PUSH0 TLOAD PUSH0 MSTORE, PUSH1 32 PUSH0 PUSH1 32 MCOPY,
 * PUSH1 32 PUSH1 32 RETURN.
 */
const CANCUN_PROBE = "0x60015f5d5f5c5f5260205f60205e60206020f3";
const ONE = `0x${"1".padStart(64, "0")}`;

/** Warning for chains whose EVM predates Cancun. */
export const WITHOUT_CANCUN =
  "the chain's EVM has no transient storage (EIP-1153) or no MCOPY (EIP-5656): every transaction of the settlement contracts " +
  "would revert. Prices work, quotes do not until the chain has Cancun; do not deploy before";

/**
 * Whether the settlement contracts can run at the newest block, by a call that creates nothing.
 * @throws what the node failed with
 */
export async function runsCancun(provider: Pick<Provider, "request">): Promise<boolean> {
  try {
    return parseBytes(await provider.request("eth_call", [{ data: CANCUN_PROBE }, "latest"]), "eth_call") === ONE;
  } catch (error) {
    if (error instanceof RpcError && !isLimit(error)) return false;
    throw error;
  }
}
