import { encodeFunctionData } from "viem";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { StableswapState } from "../../../src/pools/stableswap/state.ts";
import type { Anvil } from "./anvil.ts";
import { compiled } from "./compiled.ts";
import { setStableswap } from "./curve.ts";
import { mintedToken } from "./traffic/minted-tokens.ts";

const pool = compiled("DevnetPancakeStableswap");
/** Storage slot in which the contract keeps the length of `balances`. */
const BALANCES_SLOT = 6n;

export interface PancakeStableTerms {
  /** Whose contract it is: PancakeSwap's, which has no check, or Lista's first one or a later one. */
  readonly kind: "pancake" | "lista-first" | "lista";
  readonly precision: bigint;
  readonly decimals: readonly (number | "native")[];
  readonly a: bigint;
  readonly fee: bigint;
}

export interface PancakeStablePool extends PancakeStableTerms {
  readonly address: Address;
  readonly tokens: readonly Address[];
}

const KINDS = { pancake: 0n, "lista-first": 1n, lista: 2n } as const;

/** A pool of the devnet's contract, empty, its coins in the order of their addresses as the factories have them. */
export async function deployPancakeStable(anvil: Anvil, terms: PancakeStableTerms): Promise<PancakeStablePool> {
  const { kind, precision, a, fee } = terms;
  const made: { token: Address; decimals: number | "native" }[] = [];
  for (const decimals of terms.decimals)
    made.push({ token: decimals === "native" ? NATIVE_TOKEN : await mintedToken(anvil, decimals), decimals });
  made.sort((one, other) => (one.token < other.token ? -1 : 1));
  const tokens = made.map(({ token }) => token);
  const address = await anvil.deploy(pool.abi, pool.bytecode, [KINDS[kind], precision, tokens, a, fee]);
  return { ...terms, decimals: made.map(({ decimals }) => decimals), address, tokens };
}

/** Calldata of a pool's function. */
export function pancakeStableCall(functionName: string, args: readonly unknown[]) {
  return encodeFunctionData({ abi: pool.abi, functionName, args });
}

/** Writes what a pool of tokens holds. */
export function setPancakeStable(anvil: Anvil, of: PancakeStablePool, balances: readonly bigint[]): Promise<void> {
  return setStableswap(anvil, of, balances, BALANCES_SLOT);
}

/** The state of a pool with such balances. Its check, if it has one, is by these prices and thresholds. */
export function pancakeStableState(
  { kind, precision, decimals, a, fee }: PancakeStableTerms,
  balances: readonly bigint[],
  prices: readonly [bigint, bigint],
  thresholds: readonly [bigint, bigint],
): StableswapState {
  const wholes = decimals.map((each) => 10n ** BigInt(each === "native" ? 18 : each)) as [bigint, bigint];
  const later = wholes.map((whole, i) => (100n * 10n ** 18n * whole) / (prices[i] ?? 1n)) as [bigint, bigint];
  const probes = kind === "lista" ? later : wholes;
  return {
    ...{ balances, rates: wholes.map((whole) => 10n ** 36n / whole), generation: "old", killed: false },
    ...{ initialA: a * precision, futureA: a * precision, initialATime: 0n, futureATime: 0n },
    ...{ aPrecision: precision, fee, adminFee: 5n * 10n ** 9n },
    ...(kind !== "pancake" && { priceCheck: { prices, thresholds, probes, countsFee: kind === "lista-first" } }),
  };
}
