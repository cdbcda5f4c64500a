import { encodeFunctionData, erc20Abi } from "viem";
import type { Address } from "../../src/domain/address.ts";
import type { Anvil } from "./anvil.ts";
import { compiled } from "./compiled.ts";
import { mintedToken } from "./minted-tokens.ts";

const vault = compiled("DevnetVault");
const vaultAbi = vault.abi;

export interface TestVault {
  readonly vault: Address;
  readonly asset: Address;
  readonly decimalsOffset: number;
}

/** OpenZeppelin's vault over a token of the test's account, which has approved it. */
export async function deployVault(anvil: Anvil, decimals: number, decimalsOffset: number): Promise<TestVault> {
  const asset = await mintedToken(anvil, decimals);
  const address = await anvil.deploy(vault.abi, vault.bytecode, [asset, "Vault", "vTKN", decimalsOffset]);
  const args = [address, (1n << 256n) - 1n] as const;
  await anvil.send(asset, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }));
  await anvil.mine();
  return { vault: address, asset, decimalsOffset };
}

/** Calldata of a vault's function. */
export function vaultCall(functionName: string, args: readonly unknown[] = []) {
  return encodeFunctionData({ abi: vaultAbi, functionName, args });
}
