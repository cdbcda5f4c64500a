import { keccak256 } from "viem";
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../domain/address.ts";
import { wordOf } from "../reading/words.ts";

/** A pool's key as the PoolManager has it: tokens in its order, the native one under the zero address. */
export interface V4Key {
  readonly currencies: readonly [Address, Address];
  readonly fee: number;
  readonly tickSpacing: number;
  readonly hooks: Address;
}

/** Stands in a key's fee for: the hooks set it (LPFeeLibrary.DYNAMIC_FEE_FLAG). */
export const DYNAMIC_FEE = 0x800000;

/** Permissions of hooks that may change a swap: the lowest bits of their address (Hooks.sol). */
export const BEFORE_SWAP = 1n << 7n;
const AFTER_SWAP = 1n << 6n;
export const BEFORE_SWAP_RETURNS_DELTA = 1n << 3n;
export const AFTER_SWAP_RETURNS_DELTA = 1n << 2n;
const SWAP_PERMISSIONS = BEFORE_SWAP | AFTER_SWAP | BEFORE_SWAP_RETURNS_DELTA | AFTER_SWAP_RETURNS_DELTA;

/** Whether hooks have all of some permissions. */
export function permits(hooks: Address, ...permissions: readonly bigint[]): boolean {
  return permissions.every((permission) => (BigInt(hooks) & permission) !== 0n);
}

/** Whether these hooks are never called in a swap; the zero address is no hooks. */
export function hasNoSwapHooks(hooks: Address): boolean {
  return (BigInt(hooks) & SWAP_PERMISSIONS) === 0n;
}

/** The pool's id: PoolId.toId of the key. */
export function poolIdOf({ currencies, fee, tickSpacing, hooks }: V4Key): string {
  const words = [...currencies.map(BigInt), BigInt(fee), BigInt(tickSpacing), BigInt(hooks)];
  return keccak256(`0x${words.map(wordOf).join("")}`);
}

/** A currency of the PoolManager as a token of ours. */
export function tokenOf(currency: Address): Address {
  return currency === ZERO_ADDRESS ? NATIVE_TOKEN : currency;
}
