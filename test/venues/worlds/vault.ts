import { encodeFunctionData, erc20Abi } from "viem";
import type { Address } from "../../../src/domain/address.ts";
import type { Anvil } from "./anvil.ts";
import { compiled } from "./compiled.ts";
import { allow, mintedToken, setBalance, setSupply } from "./traffic/minted-tokens.ts";

const vault = compiled("DevnetVault");
const vaultAbi = vault.abi;

export interface TestVault {
  readonly vault: Address;
  readonly asset: Address;
  readonly decimalsOffset: number;
}

/** OpenZeppelin's vault over a token of the test's account, which has approved it, as has the multicall. */
export async function deployVault(anvil: Anvil, decimals: number, decimalsOffset: number): Promise<TestVault> {
  const asset = await mintedToken(anvil, decimals);
  const address = await anvil.deploy(vault.abi, vault.bytecode, [asset, "Vault", "vTKN", decimalsOffset]);
  const args = [address, (1n << 256n) - 1n] as const;
  await anvil.send(asset, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }));
  await allow(anvil, asset, anvil.multicall, address);
  await anvil.mine();
  return { vault: address, asset, decimalsOffset };
}

/** Writes what a vault holds and how many shares there are, all of them the multicall's. */
export async function setVault(
  anvil: Anvil,
  { vault, asset }: Pick<TestVault, "vault" | "asset">,
  { totalAssets, totalSupply }: { readonly totalAssets: bigint; readonly totalSupply: bigint },
): Promise<void> {
  await setBalance(anvil, vault, anvil.multicall, totalSupply);
  await setSupply(anvil, vault, totalSupply);
  await setBalance(anvil, asset, vault, totalAssets);
}

/** Calldata of a vault's function. */
export function vaultCall(functionName: string, args: readonly unknown[] = []) {
  return encodeFunctionData({ abi: vaultAbi, functionName, args });
}
