import { type Abi, encodeFunctionData } from "viem";
import type { Address, Hex } from "../../../src/domain/address.ts";
import type { Anvil } from "./anvil.ts";
import { compiled } from "./compiled.ts";
import { allow, mintedToken, setBalance } from "./traffic/minted-tokens.ts";

const contract = compiled("DevnetPropAmm");

/** Behaviours of a contract beside its quotes, as DevnetPropAmm numbers them. */
export const MANNER = { honest: 0, paysLess: 1, reverts: 2, quotesMore: 3 } as const;

export const propAmmAbi: Abi = contract.abi;

export interface TestPropAmm {
  readonly venue: Address;
  /** In the contract's own order. */
  readonly tokens: readonly [Address, Address];
}

/** Calldata of a function of the contract. */
export function propAmmCall(functionName: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: contract.abi, functionName, args });
}

/** A contract between two tokens of `mintedToken`, 18 and 6 decimals, whose middle is 2,500 dollars; the test's account owns it. */
export async function deployPropAmm(anvil: Anvil, draws: boolean): Promise<TestPropAmm> {
  return deployPropAmmOf(anvil, [await mintedToken(anvil, 18), await mintedToken(anvil, 6)], draws);
}

/** A contract between tokens that there are already, of OpenZeppelin's kind, 18 and 6 decimals. */
export async function deployPropAmmOf(
  anvil: Anvil,
  [one, other]: readonly [Address, Address],
  draws: boolean,
  price = 2_500n * 10n ** 6n,
): Promise<TestPropAmm> {
  const tokens = one < other ? ([one, other] as const) : ([other, one] as const);
  const isFirst = tokens[0] === one;
  const middle = isFirst ? price : 10n ** 36n / price;
  const firstLevel = isFirst ? 10n ** 18n : price;
  const venue = await anvil.deploy(contract.abi, contract.bytecode, [
    ...[tokens[0], tokens[1], draws, middle, firstLevel, anvil.account],
  ]);
  for (const token of tokens) {
    await setBalance(anvil, token, venue, 10n ** 30n);
    await allow(anvil, token, anvil.multicall, venue);
  }
  await anvil.send(venue, propAmmCall("sync"));
  await anvil.mine();
  return { venue, tokens };
}
