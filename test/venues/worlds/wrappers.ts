import { encodeFunctionData } from "viem";
import type { Address, Hex } from "../../../src/domain/address.ts";
import type { Anvil } from "./anvil.ts";
import { compiled } from "./compiled.ts";
import { allow, mintedToken, setBalance, setSupply } from "./traffic/minted-tokens.ts";

const rateToken = compiled("DevnetRateToken");
const psm = compiled("DevnetPsm");

export interface TestRateToken {
  readonly token: Address;
  readonly underlying: Address;
}

export interface TestPsm {
  readonly psm: Address;
  readonly dai: Address;
  readonly gem: Address;
}

/** A token with a rate over another of `mintedToken`, which the multicall lets it draw. Its owner is the test's account. */
export async function deployRateToken(anvil: Anvil, decimals: number): Promise<TestRateToken> {
  const underlying = await mintedToken(anvil, decimals);
  const args = [underlying, "Rate", "RATE", decimals, anvil.account];
  const token = await anvil.deploy(rateToken.abi, rateToken.bytecode, args);
  await allow(anvil, underlying, anvil.multicall, token);
  await allow(anvil, underlying, anvil.account, token);
  return { token, underlying };
}

/** Writes how many of a rate token there are, all of them the multicall's, and what is held for them. */
export async function setRateToken(
  anvil: Anvil,
  { token, underlying }: TestRateToken,
  { supply, held }: { readonly supply: bigint; readonly held: bigint },
): Promise<void> {
  await setBalance(anvil, token, anvil.multicall, supply);
  await setSupply(anvil, token, supply);
  await setBalance(anvil, underlying, token, held);
}

/** A module between two tokens of `mintedToken`, which the multicall and the test's account let it draw. */
export async function deployPsm(anvil: Anvil, gemDecimals: number): Promise<TestPsm> {
  const dai = await mintedToken(anvil, 18);
  const gem = await mintedToken(anvil, gemDecimals);
  const address = await anvil.deploy(psm.abi, psm.bytecode, [dai, gem, 0n, 0n, anvil.account]);
  for (const token of [dai, gem]) {
    await allow(anvil, token, anvil.multicall, address);
    await allow(anvil, token, anvil.account, address);
  }
  return { psm: address, dai, gem };
}

/** Calldata of a rate token's function. */
export function rateTokenCall(functionName: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: rateToken.abi, functionName, args });
}

/** Calldata of a module's function. */
export function psmCall(functionName: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: psm.abi, functionName, args });
}
