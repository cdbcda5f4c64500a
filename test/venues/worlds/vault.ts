import { encodeFunctionData, erc20Abi } from "viem";
import type { Address, Hex } from "../../../src/domain/address.ts";
import type { SavingsState } from "../../../src/pools/savings/state.ts";
import type { SavingsVaultRecord } from "../../../src/venues/savings-vault/record.ts";
import type { Anvil } from "./anvil.ts";
import { compiled } from "./compiled.ts";
import { allow, mintedToken, setBalance, setSupply } from "./traffic/minted-tokens.ts";

const vault = compiled("DevnetVault");
const vaultAbi = vault.abi;
const savings = compiled("DevnetSavings");

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

export type TestSavings = SavingsVaultRecord["vaults"][number];

/** A vault of a new token, or of OpenZeppelin's that there is, which the multicall and the test's account, its owner, let it draw. */
export async function deploySavings(anvil: Anvil, decimals: number, existing?: Address): Promise<TestSavings> {
  const asset = existing ?? (await mintedToken(anvil, decimals));
  const vault = await anvil.deploy(savings.abi, savings.bytecode, [asset, "Savings", "SAVE", anvil.account]);
  for (const owner of [anvil.multicall, anvil.account]) await allow(anvil, asset, owner, vault);
  await setBalance(anvil, asset, vault, 1n << 200n);
  return { vault, asset, rates: vault, growth: "ssr" };
}

/** Writes a state into a vault; all shares are the multicall's. */
export async function setSavings(
  anvil: Anvil,
  vault: Address,
  { rate, updatedAt, growth, totalSupply }: SavingsState,
): Promise<void> {
  await setBalance(anvil, vault, anvil.multicall, totalSupply);
  await setSupply(anvil, vault, totalSupply);
  await anvil.send(vault, savingsCall("set", [rate, updatedAt, growth]));
}

/** Calldata of a vault's function. */
export function savingsCall(functionName: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: savings.abi, functionName, args });
}
