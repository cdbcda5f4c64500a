import { concat, encodeFunctionData, keccak256, numberToHex, pad } from "viem";
import type { Address, Hex } from "../../../../src/domain/address.ts";
import type { Anvil } from "../anvil.ts";
import { compiled } from "../compiled.ts";
import { mintedToken, setBalance } from "../traffic/minted-tokens.ts";

const pool = compiled("DevnetCryptoswap");
/** Storage slots in which DevnetCryptoswap keeps amplification and gamma, at both ends of its ramp. */
const AMPLIFICATION_SLOTS = [3, 4];

export interface CryptoswapPool {
  readonly address: Address;
  readonly tokens: readonly Address[];
  readonly decimals: readonly number[];
}

/** A pool of the devnet's contract, empty, its owner the test's account; account and multicall have approved its tokens. */
export async function deployCryptoswap(anvil: Anvil, decimals: readonly number[]): Promise<CryptoswapPool> {
  const tokens: Address[] = [];
  for (const each of decimals) tokens.push(await mintedToken(anvil, each));
  const args = [anvil.account, tokens, 540_000n, 10n ** 14n, [0n, 0n, 1n]];
  const address = await anvil.deploy(pool.abi, pool.bytecode, args);
  for (const token of tokens) {
    for (const holder of [anvil.multicall, anvil.account]) {
      const slot = keccak256(concat([pad(address), keccak256(concat([pad(holder), pad("0x1")]))]));
      await anvil.rpc("anvil_setStorageAt", [token, slot, numberToHex((1n << 256n) - 1n, { size: 32 })]);
    }
  }
  return { address, tokens, decimals };
}

/** Makes the pool anew: what it holds at internal prices, amplification and gamma, fees near and far and their bend. */
export async function setCryptoswap(
  anvil: Anvil,
  { address, tokens }: CryptoswapPool,
  terms: {
    readonly balances: readonly bigint[];
    readonly prices: readonly bigint[];
    readonly ann: bigint;
    readonly gamma: bigint;
    readonly fees: readonly [bigint, bigint, bigint];
  },
): Promise<void> {
  for (const [i, token] of tokens.entries()) await setBalance(anvil, token, address, terms.balances[i] as bigint);
  for (const slot of AMPLIFICATION_SLOTS) {
    const packed = numberToHex((terms.ann << 128n) | terms.gamma, { size: 32 });
    await anvil.rpc("anvil_setStorageAt", [address, numberToHex(slot, { size: 32 }), packed]);
  }
  await anvil.send(address, cryptoswapCall("set_fees", terms.fees));
  await anvil.send(address, cryptoswapCall("add", [terms.prices]));
}

/** Calldata of a pool's function. */
export function cryptoswapCall(functionName: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: pool.abi, functionName, args });
}
