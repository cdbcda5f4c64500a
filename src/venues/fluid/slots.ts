import type { Address, Hex } from "../../domain/address.ts";
import { mappingSlot, wordOf } from "../reading/words.ts";

/** Numbers of the Liquidity layer's mappings (liquiditySlotsLink.sol). */
const TOTALS = 7;
const SUPPLIES = 8;
const DEBTS = 9;
const CONFIGS = 11;

/** A pool's own words: dexVariables and dexVariables2. */
export const POOL_SLOTS = [wordOf(0), wordOf(1)] as const;

/** Words of the Liquidity layer that tell what a pool has of a token, and what may be moved of it. */
export interface TokenSlots {
  /** Slot of the pool's supply, and of the part that may be withdrawn. */
  readonly supply: Hex;
  /** Slot of the pool's debt, and of the further amount that it may borrow. */
  readonly debt: Hex;
  /** Slot of the totals supplied and borrowed by all users. */
  readonly totals: Hex;
  /** Slot of the part of the supply that may be borrowed. */
  readonly config: Hex;
}

export function tokenSlots(pool: Address, token: Address): TokenSlots {
  return {
    supply: mappingSlot(BigInt(token), BigInt(mappingSlot(BigInt(pool), SUPPLIES))),
    debt: mappingSlot(BigInt(token), BigInt(mappingSlot(BigInt(pool), DEBTS))),
    totals: mappingSlot(BigInt(token), TOTALS),
    config: mappingSlot(BigInt(token), CONFIGS),
  };
}
