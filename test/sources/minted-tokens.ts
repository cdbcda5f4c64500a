import { concat, encodeFunctionData, erc20Abi, type Hex, keccak256, numberToHex, pad } from "viem";
import type { Address } from "../../src/domain/address.ts";
import type { Anvil } from "./anvil.ts";
import { compiled } from "./compiled.ts";

/** A plain ERC-20 with these decimals, 2^200 base units of it held by the test's account and by its multicall. */
export async function mintedToken(anvil: Anvil, decimals: number): Promise<Address> {
  const { abi, bytecode } = compiled("DevnetToken");
  const token = await anvil.deploy(abi, bytecode, ["Token", "TKN", decimals, anvil.account, 1n << 200n]);
  await setBalance(anvil, token, anvil.multicall, 1n << 200n);
  return token;
}

/** Writes a balance into a token of `mintedToken`. */
export async function setBalance(anvil: Anvil, token: Address, holder: Address, amount: bigint): Promise<void> {
  const slot = keccak256(concat([pad(holder), pad("0x0")]));
  await anvil.rpc("anvil_setStorageAt", [token, slot, pad(numberToHex(amount))]);
}

/** Calldata of a transfer. */
export function transferData(to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
}
