import { keccak256 } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import { wordOf } from "../reading/words.ts";

/** Family name of this venue's pools in a state. */
export const INFINITY_CL = "infinity";

/** A pool's key as the CLPoolManager has it: tokens in its order, the native one under the zero address. */
export interface InfinityKey {
  readonly currencies: readonly [Address, Address];
  readonly hooks: Address;
  readonly manager: Address;
  /** Parts per million, or the mark for a fee that hooks set, which is V4's. */
  readonly fee: number;
  readonly tickSpacing: number;
  /** Hooks that are called, one bit each. */
  readonly registration: number;
}

/** Bits of hooks that may change a swap (ICLHooks.sol): called before and after, and what each may return. */
const SWAP_HOOKS = (1 << 6) | (1 << 7) | (1 << 10) | (1 << 11);
const REGISTRATION_BITS = 16n;
const TICK_SPACING_BITS = 24n;

/** Whether hooks with such a registration are never called in a swap. */
export function hasNoSwapHooks(registration: number): boolean {
  return (registration & SWAP_HOOKS) === 0;
}

/** Parameters in a key (CLPoolParametersHelper.sol); undefined if the contract rejects them. */
export function parametersIn(word: bigint): Pick<InfinityKey, "tickSpacing" | "registration"> | undefined {
  if (word >> (REGISTRATION_BITS + TICK_SPACING_BITS) !== 0n) return undefined;
  const tickSpacing = Number(word >> REGISTRATION_BITS);
  // TickMath.MAX_TICK_SPACING.
  if (tickSpacing === 0 || tickSpacing > 32_767) return undefined;
  return { tickSpacing, registration: Number(BigInt.asUintN(Number(REGISTRATION_BITS), word)) };
}

/** The pool's id: PoolId.toId of the key. */
export function poolIdOf({ currencies, hooks, manager, fee, tickSpacing, registration }: InfinityKey): Hex {
  const parameters = (BigInt(tickSpacing) << REGISTRATION_BITS) | BigInt(registration);
  const words = [...currencies, hooks, manager].map(BigInt);
  return keccak256(`0x${[...words, BigInt(fee), parameters].map(wordOf).join("")}`);
}
