import type { Address } from "./address.ts";

/** How settlement has to deal with one pool: one typed action per kind of venue, never a generic call. */
export type VenueAction =
  /** A constant-product pair paid before its `swap`; `feePpm` is its fee in parts per million of what goes in. */
  | { readonly action: "v2-pair"; readonly pair: Address; readonly feePpm: number }
  /** A concentrated-liquidity pool that asks for its payment in `uniswapV3SwapCallback`. */
  | { readonly action: "v3-pool"; readonly pool: Address }
  /** The same with `pancakeV3SwapCallback`. */
  | { readonly action: "pancake-v3-pool"; readonly pool: Address }
  /** The same with `algebraSwapCallback`. */
  | { readonly action: "algebra-pool"; readonly pool: Address }
  /** A pool inside Uniswap V4's PoolManager, named by its terms and the fill's tokens; paid in `unlockCallback`. */
  | {
      readonly action: "v4-pool";
      readonly manager: Address;
      /** As the pool's key has it, its mark for a dynamic fee included. */
      readonly fee: number;
      readonly tickSpacing: number;
      readonly hooks: Address;
    }
  /** A pool of Solidly's kind, paid before its `swap`; `feePpm` is its fee, used where an exact output is asked for. */
  | { readonly action: "solidly-pool"; readonly pool: Address; readonly feePpm: number }
  /** A Curve pool, which draws what is sold by `exchange`; `sell` and `buy` are its numbers of the two coins. */
  | { readonly action: "curve-pool"; readonly pool: Address; readonly sell: number; readonly buy: number }
  /** An ERC-4626 vault; whether its shares are bought or sold follows from the fill's tokens. */
  | { readonly action: "erc4626-vault"; readonly vault: Address }
  /** The wrapped native token; the direction follows from the fill's tokens. */
  | { readonly action: "wrapped-native"; readonly wrapped: Address };
