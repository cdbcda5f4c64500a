import { concat, encodeFunctionData, erc20Abi, type Hex, keccak256, numberToHex, pad } from "viem";
import type { Address } from "../../../../src/domain/address.ts";
import type { Anvil } from "../anvil.ts";
import { compiled } from "../compiled.ts";

/** Storage slots of OpenZeppelin's ERC20 for balances, allowances and the total supply. */
const [BALANCES_SLOT, ALLOWANCES_SLOT, SUPPLY_SLOT] = [0n, 1n, 2n];

/** A plain ERC-20 with these decimals, 2^200 base units of it held by the test's account and by its multicall. */
export async function mintedToken(anvil: Anvil, decimals: number): Promise<Address> {
  const { abi, bytecode } = compiled("DevnetToken");
  const token = await anvil.deploy(abi, bytecode, ["Token", "TKN", decimals, anvil.account, 1n << 200n]);
  await setBalance(anvil, token, anvil.multicall, 1n << 200n);
  return token;
}

/** Writes a balance into a token of `mintedToken`, or another of OpenZeppelin's. */
export async function setBalance(anvil: Anvil, token: Address, holder: Address, amount: bigint): Promise<void> {
  await setSlot(anvil, token, entryOf(numberToHex(BALANCES_SLOT, { size: 32 }), holder), amount);
}

/** Writes how many there are. */
export async function setSupply(anvil: Anvil, token: Address, amount: bigint): Promise<void> {
  await setSlot(anvil, token, numberToHex(SUPPLY_SLOT, { size: 32 }), amount);
}

/** Lets `spender` draw all of the owner's. */
export async function allow(anvil: Anvil, token: Address, owner: Address, spender: Address): Promise<void> {
  const ofOwner = entryOf(numberToHex(ALLOWANCES_SLOT, { size: 32 }), owner);
  await setSlot(anvil, token, entryOf(ofOwner, spender), (1n << 256n) - 1n);
}

/** Storage slot of an account's entry in the mapping at `slot`. */
function entryOf(slot: Hex, account: Address): Hex {
  return keccak256(concat([pad(account), slot]));
}

async function setSlot(anvil: Anvil, contract: Address, slot: Hex, value: bigint): Promise<void> {
  await anvil.rpc("anvil_setStorageAt", [contract, slot, numberToHex(value, { size: 32 })]);
}

/** Calldata of a transfer. */
export function transferData(to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
}
