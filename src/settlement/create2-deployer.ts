import type { Hex } from "viem";
import { type Address, toAddress } from "../domain/address.ts";

/** The CREATE2 deployer that stands at the same address on nearly every chain: salt, then creation code, as calldata. */
export const CREATE2_DEPLOYER = toAddress("0x4e59b44847b379578588920ca78fbf26c0b4956c");

/**
 * The transaction that puts it there on any chain (github Arachnid/deterministic-deployment-proxy). It is signed without a
 * chain id, by an account of which nobody has the key: its signature was made up, and the account follows from it.
 */
export const CREATE2_DEPLOYER_TRANSACTION: Hex =
  "0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a02222222222222222222222222222222222222222222222222222222222222222";
export const CREATE2_DEPLOYER_SIGNER: Address = toAddress("0x3fab184622dc19b6109349b94811493bf2a45362");
/** Wei that the signer pays at most: 100,000 gas at 100 gwei, which the transaction names. */
export const CREATE2_DEPLOYER_COST = 10n ** 16n;

/** Instructions for a chain without the deployer. `symbol`: of the native token. */
export function withoutCreate2Deployer(symbol: string): string {
  return (
    `the CREATE2 deployer ${CREATE2_DEPLOYER} is not on this chain. tributary deploy --send puts it there first; ` +
    `by hand, send 0.01 ${symbol} to ${CREATE2_DEPLOYER_SIGNER}, then this signed transaction with eth_sendRawTransaction: ` +
    `${CREATE2_DEPLOYER_TRANSACTION}. It has no chain id: where the node refuses that, it wants --rpc.allow-unprotected-txs ` +
    "(geth), or its provider has to send it"
  );
}
