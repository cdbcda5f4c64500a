import { encodeFunctionData } from "viem";
import type { Address, Hex } from "../../../src/domain/address.ts";
import type { Anvil } from "./anvil.ts";
import { compiled } from "./compiled.ts";
import { allow, mintedToken, setBalance, setSupply } from "./traffic/minted-tokens.ts";

const rateToken = compiled("DevnetRateToken");
const psm = compiled("DevnetPsm");
const shareToken = compiled("ShareToken");
const shareWrapper = compiled("ShareWrapper");

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

/** A token that keeps shares, all of them the taker's, which the multicall may draw; and its wrapper. */
export async function deployShares(
  anvil: Anvil,
): Promise<{ readonly token: Address; readonly wrapper: Address; readonly taker: Address }> {
  const { account: taker } = anvil;
  const token = await anvil.deploy(shareToken.abi, shareToken.bytecode, ["SHARE", taker, 10n ** 24n]);
  const wrapper = await anvil.deploy(shareWrapper.abi, shareWrapper.bytecode, [token]);
  const most = (1n << 256n) - 1n;
  await anvil.send(token, shareCall("approve", [anvil.multicall, most]));
  await anvil.send(token, shareCall("approve", [wrapper, most]));
  // Somebody has wrapped some before.
  await anvil.send(wrapper, rateTokenCall("wrap", [10n ** 21n]));
  return { token, wrapper, taker };
}

/** Calldata of a function of a token that keeps shares. */
export function shareCall(functionName: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: shareToken.abi, functionName, args });
}

/** Calldata of a rate token's function. */
export function rateTokenCall(functionName: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: rateToken.abi, functionName, args });
}

/** Calldata of a module's function. */
export function psmCall(functionName: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: psm.abi, functionName, args });
}
