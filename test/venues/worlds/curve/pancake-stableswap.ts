import { encodeFunctionData } from "viem";
import { type Address, NATIVE_TOKEN } from "../../../../src/domain/address.ts";
import type { StableswapState } from "../../../../src/pools/stableswap/state.ts";
import type { Anvil } from "../anvil.ts";
import { compiled } from "../compiled.ts";
import { mintedToken } from "../traffic/minted-tokens.ts";
import { setStableswap } from "./stableswap.ts";

const pool = compiled("DevnetPancakeStableswap");
/** Storage slot in which the contract keeps the length of `balances`. */
const BALANCES_SLOT = 6n;

export interface PancakeStableTerms {
  /** Maker of the contract: PancakeSwap's has no check. */
  readonly kind: "pancake" | "lista";
  readonly precision: bigint;
  readonly decimals: readonly (number | "native")[];
  readonly a: bigint;
  readonly fee: bigint;
  /** Tokens that there are already, in place of new ones. */
  readonly tokens?: readonly Address[];
}

export interface PancakeStablePool extends PancakeStableTerms {
  readonly address: Address;
  readonly tokens: readonly Address[];
}

/** A pool of the devnet's contract, empty, its coins in the order of their addresses as the factories have them. */
export async function deployPancakeStable(anvil: Anvil, terms: PancakeStableTerms): Promise<PancakeStablePool> {
  const { kind, precision, a, fee } = terms;
  const made: { token: Address; decimals: number | "native" }[] = [];
  for (const [i, decimals] of terms.decimals.entries()) {
    const token = terms.tokens?.[i] ?? (decimals === "native" ? NATIVE_TOKEN : await mintedToken(anvil, decimals));
    made.push({ token, decimals });
  }
  made.sort((one, other) => (one.token < other.token ? -1 : 1));
  const tokens = made.map(({ token }) => token);
  const address = await anvil.deploy(pool.abi, pool.bytecode, [kind === "lista", precision, tokens, a, fee]);
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
  const wholes = decimals.map((each) => 10n ** BigInt(each === "native" ? 18 : each));
  return {
    ...{ balances, rates: wholes.map((whole) => 10n ** 36n / whole), generation: "old", killed: false },
    ...{ initialA: a * precision, futureA: a * precision, initialATime: 0n, futureATime: 0n },
    ...{ aPrecision: precision, fee, adminFee: 5n * 10n ** 9n },
    ...(kind === "lista" && { priceCheck: { prices, thresholds } }),
  };
}
