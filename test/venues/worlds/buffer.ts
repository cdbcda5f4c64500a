import { concat, encodeFunctionData, erc20Abi, keccak256, maxUint256, numberToHex, pad } from "viem";
import type { Address } from "../../../src/domain/address.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import { balancerV3Buffers } from "../../../src/venues/balancer-v3-buffer/source.ts";
import type { Anvil } from "./anvil.ts";
import { type BalancerV3World, deskCall } from "./balancer-v3.ts";
import { setBalance, setSupply } from "./traffic/minted-tokens.ts";
import { deployVault, type TestVault, vaultCall } from "./vault.ts";

/** Storage slots of the vault's token reserves and buffer balances (VaultStorage.sol). */
const [RESERVES_SLOT, BUFFERS_SLOT] = [8n, 11n];
const RICH = 1n << 150n;

/** An ERC-4626 vault with a buffer, out of the account that has approved the desk; `amount` of the asset in either form. */
export async function deployBuffer(
  anvil: Anvil,
  world: BalancerV3World,
  terms: { readonly decimals: number; readonly decimalsOffset: number; readonly amount: bigint },
): Promise<TestVault> {
  const made = await deployVault(anvil, terms.decimals, terms.decimalsOffset);
  const { vault, asset } = made;
  await anvil.send(vault, vaultCall("deposit", [4n * terms.amount, anvil.account]));
  for (const token of [vault, asset])
    await anvil.send(
      token,
      encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [world.desk, maxUint256] }),
    );
  const shares = terms.amount * 10n ** BigInt(terms.decimalsOffset);
  await anvil.send(world.desk, deskCall("fillBuffer", [world.vault, vault, terms.amount, shares]));
  await anvil.mine();
  return made;
}

export function sourceOf(world: BalancerV3World, vaults: readonly TestVault[]): LiquiditySource {
  return balancerV3Buffers({
    ...{ protocol: "balancer-v3-buffers", source: "Buffers", vault: world.vault, fromBlock: 0n },
    buffers: vaults.map(({ vault, asset, decimalsOffset }) => ({ wrapped: vault, asset, decimalsOffset })),
  });
}

/** Order to the desk. */
export function wrap(wrapped: Address, wraps: boolean, exactIn: boolean, amountGiven: bigint) {
  const limit = exactIn ? 0n : maxUint256;
  return { kind: exactIn ? 0 : 1, direction: wraps ? 0 : 1, wrapped, amountGiven, limit };
}

/**
 * Writes a buffer's balances and its ERC-4626 vault's totals where the contracts keep them. Balancer's vault then holds
 * nothing else of either token, and the desk all other shares.
 */
export async function setBuffer(
  anvil: Anvil,
  world: BalancerV3World,
  { vault, asset }: TestVault,
  held: Readonly<Record<"assets" | "shares" | "totalAssets" | "totalSupply", bigint>>,
): Promise<void> {
  const { assets, shares, totalAssets, totalSupply } = held;
  const setSlot = async (mapping: bigint, key: Address, value: bigint) => {
    const slot = keccak256(concat([pad(key), numberToHex(mapping, { size: 32 })]));
    await anvil.rpc("anvil_setStorageAt", [world.vault, slot, numberToHex(value, { size: 32 })]);
  };
  await setSlot(BUFFERS_SLOT, vault, (shares << 128n) | assets);
  for (const [token, amount] of [
    [asset, assets],
    [vault, shares],
  ] as const) {
    await setSlot(RESERVES_SLOT, token, amount);
    await setBalance(anvil, token, world.vault, amount);
  }
  await setBalance(anvil, asset, vault, totalAssets);
  await setSupply(anvil, vault, totalSupply);
  await setBalance(anvil, asset, world.desk, RICH);
  await setBalance(anvil, vault, world.desk, totalSupply - shares);
}
