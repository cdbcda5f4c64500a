import { type Address, toAddress } from "../../domain/address.ts";
import type { StateField } from "./state-field.ts";

/** Terms of a pool inside a singleton. */
export interface PoolKey {
  /** Parts per million, or the contract's mark for a fee that its hooks set. */
  readonly fee: number;
  readonly hooks: Address;
  /** Hooks that are called, one bit each, if their address does not tell (PancakeSwap Infinity). */
  readonly registration?: number;
}

interface SavedKey {
  readonly fee: number;
  readonly hooks: string;
  readonly registration?: number | undefined;
}

/** Pools that are contracts of their own have none. */
export const maybeKey: StateField<PoolKey | undefined, SavedKey | undefined> = {
  write: (terms) => terms && { ...terms },
  read(saved) {
    if (saved === undefined) return undefined;
    const { fee, hooks, registration } = saved;
    return { fee, hooks: toAddress(hooks), ...(registration !== undefined && { registration }) };
  },
};
