import { type Abi, concat, encodeFunctionData, getContractAddress, keccak256, numberToHex, pad } from "viem";
import { type Address, toAddress } from "../../../../src/domain/address.ts";
import type { Anvil } from "../anvil.ts";
import { compiled } from "../compiled.ts";
import { mintedToken, setBalance } from "../traffic/minted-tokens.ts";

const pool = compiled("DevnetStableswap");
const stableswapAbi = pool.abi;
/** Storage slot in which DevnetStableswap keeps the length of `balances`; their values stand from its hash on. */
const BALANCES_SLOT = 11n;
/** Storage slots of the share's total supply and balances, in it or in the token of its shares. */
const [SUPPLY_SLOT, HOLDERS_SLOT] = [2n, 3n];

export interface StableswapPool {
  readonly address: Address;
  readonly tokens: readonly Address[];
  readonly decimals: readonly number[];
  readonly ng: boolean;
  /** The token of its shares: the pool itself, or of the old kind one that it has made. */
  readonly share: Address;
}

export interface StableswapTerms {
  readonly ng: boolean;
  readonly decimals: readonly number[];
  readonly a: bigint;
  readonly fee: bigint;
  readonly multiplier: bigint;
  /** Tokens that there are already, in place of new ones. */
  readonly tokens?: readonly Address[];
}

/** Pools of both kinds, of two to four coins, with much and little amplification. */
export const STABLESWAP_KINDS: readonly StableswapTerms[] = [
  { ng: false, decimals: [18, 6, 6], a: 2_000n, fee: 1_000_000n, multiplier: 0n },
  { ng: false, decimals: [8, 18], a: 10n, fee: 4_000_000n, multiplier: 0n },
  { ng: true, decimals: [6, 18], a: 200n, fee: 4_000_000n, multiplier: 2n * 10n ** 10n },
  { ng: true, decimals: [18, 18, 8, 6], a: 5_000n, fee: 1_000_000n, multiplier: 10n ** 11n },
];

/** A pool of the devnet's contract, empty. The multicall may spend nothing of it and has approved all its tokens. */
export async function deployStableswap(anvil: Anvil, terms: StableswapTerms): Promise<StableswapPool> {
  const { ng, decimals, a, fee, multiplier } = terms;
  const tokens: Address[] = [];
  for (const [i, each] of decimals.entries()) tokens.push(terms.tokens?.[i] ?? (await mintedToken(anvil, each)));
  const address = await anvil.deploy(pool.abi, pool.bytecode, [ng, anvil.account, tokens, a, fee, multiplier, "SHR"]);
  const share = ng ? address : toAddress(getContractAddress({ from: address, nonce: 1n }));
  return { address, tokens, decimals, ng, share };
}

/** Writes what a pool holds, as its own figures from the hash of `length` on, and as balances. */
export async function setStableswap(
  anvil: Anvil,
  { address, tokens }: Pick<StableswapPool, "address" | "tokens">,
  balances: readonly bigint[],
  length = BALANCES_SLOT,
) {
  const first = BigInt(keccak256(numberToHex(length, { size: 32 })));
  for (const [i, token] of tokens.entries()) {
    const balance = balances[i] as bigint;
    const slot = numberToHex(first + BigInt(i), { size: 32 });
    await anvil.rpc("anvil_setStorageAt", [address, slot, numberToHex(balance, { size: 32 })]);
    await setBalance(anvil, token, address, balance);
  }
}

/** Writes how many shares there are, all of them the multicall's. */
export async function setShares(anvil: Anvil, { share }: StableswapPool, shares: bigint): Promise<void> {
  const holding = keccak256(concat([pad(anvil.multicall), pad(numberToHex(HOLDERS_SLOT))]));
  for (const slot of [numberToHex(SUPPLY_SLOT, { size: 32 }), holding])
    await anvil.rpc("anvil_setStorageAt", [share, slot, numberToHex(shares, { size: 32 })]);
}

/** Lets the pool draw a token of the multicall's (slot 1 of the token: allowances). */
export async function allowPool(
  anvil: Anvil,
  { address, tokens }: Pick<StableswapPool, "address" | "tokens">,
): Promise<void> {
  for (const token of tokens) {
    const owner = keccak256(concat([pad(anvil.multicall), pad("0x1")]));
    const slot = keccak256(concat([pad(address), owner]));
    await anvil.rpc("anvil_setStorageAt", [token, slot, numberToHex((1n << 256n) - 1n, { size: 32 })]);
  }
}

/** Calldata of a pool's function. */
export function stableswapCall(functionName: string, args: readonly unknown[]) {
  return encodeFunctionData({ abi: stableswapAbi, functionName, args });
}

/** Calldata of adding one coin: NG takes a list, older pools an array as long as their coins. */
export function addOneCall({ ng, tokens }: StableswapPool, coin: number, amount: bigint) {
  const type = ng ? "uint256[]" : `uint256[${tokens.length}]`;
  const inputs = [{ type }, { type: "uint256" }];
  const abi: Abi = [{ type: "function", name: "add_liquidity", stateMutability: "payable", inputs, outputs: [] }];
  const amounts = tokens.map((_, i) => (i === coin ? amount : 0n));
  return encodeFunctionData({ abi, functionName: "add_liquidity", args: [amounts, 0n] });
}
