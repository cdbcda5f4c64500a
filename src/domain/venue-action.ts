import type { Address, Hex } from "./address.ts";
import type { MakerOrder } from "./maker-order.ts";

/** How settlement has to deal with one pool: one typed action per kind of venue, never a generic call. */
export type VenueAction =
  /** A constant-product pair paid before its `swap`; `feePpm` is its fee in parts per million of what goes in. */
  | { readonly action: "v2-pair"; readonly pair: Address; readonly feePpm: number }
  /** A concentrated-liquidity pool that asks for its payment in `uniswapV3SwapCallback`; Slipstream's are such too. */
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
  /**
   * A Curve pool with `exchange(int128 i, int128 j, dx, min_dy)`, which draws what is sold: plain pools old and NG, and a
   * metapool's own two coins. `sell` and `buy` are its numbers of the two coins. A coin that is the native token itself is
   * sent along, or comes back, as the fill's tokens say. Exact-in only.
   */
  | { readonly action: "curve-pool"; readonly pool: Address; readonly sell: number; readonly buy: number }
  /** The same with `exchange(uint256 i, uint256 j, dx, min_dy)`: twocrypto and tricrypto, old and NG; wrapped native only. */
  | { readonly action: "curve-crypto-pool"; readonly pool: Address; readonly sell: number; readonly buy: number }
  /**
   * The same with `exchange_underlying(int128 i, int128 j, dx, min_dy)` of a metapool: number 0 is its own coin, 1 and up
   * are those of its base pool.
   */
  | { readonly action: "curve-underlying"; readonly pool: Address; readonly sell: number; readonly buy: number }
  /**
   * The same pools' `add_liquidity(amounts, min)` with one coin, which draws it and makes shares: `coin` of so many `coins`,
   * amounts as a list (StableSwap-NG's own pools) or as an array of fixed length (metapools and all older ones, of two to
   * four coins). Exact-in only.
   */
  | {
      readonly action: "curve-add";
      readonly pool: Address;
      readonly coin: number;
      readonly coins: number;
      readonly amounts: "array" | "list";
    }
  /** And their `remove_liquidity_one_coin(shares, coin, min)`, which burns shares without an approval. Exact-in only. */
  | { readonly action: "curve-remove"; readonly pool: Address; readonly coin: number }
  /** An ERC-4626 vault; whether its shares are bought or sold follows from the fill's tokens. */
  | { readonly action: "erc4626-vault"; readonly vault: Address }
  /**
   * A pool of Balancer V2 by its id (32 bytes: the pool's address and 12 more), swapped in the vault by GIVEN_IN or
   * GIVEN_OUT; its own share token is a token like the others. Wrapped native only.
   */
  | { readonly action: "balancer-v2-pool"; readonly vault: Address; readonly poolId: Hex }
  /** A pool of Balancer V3, swapped under the vault's lock and paid there, exact-in or exact-out. */
  | { readonly action: "balancer-v3-pool"; readonly vault: Address; readonly pool: Address }
  /**
   * The buffer that Balancer V3's vault keeps of an ERC-4626 vault's shares (`wrapped`) and their asset, paid before it
   * pays, exact-in or exact-out; whether it wraps or unwraps follows from the fill's tokens.
   */
  | { readonly action: "balancer-v3-buffer"; readonly vault: Address; readonly wrapped: Address }
  /**
   * A token with wstETH's `wrap(amount)` and `unwrap(amount)`, which draw from and pay their caller; which of the two
   * follows from the fill's tokens. Exact-in only.
   */
  | { readonly action: "rate-token"; readonly token: Address }
  /**
   * A price stability module with DssLitePsm's interface, drawing from its caller: `sellGem` where the fill sells `gem`,
   * else `buyGem`. Exact-in with `buyGem` buys the most gem that `dai` pays for,
   * floor(floor(((dai + 1) * 10^18 - 1) / (10^18 + tout)) / to18ConversionFactor), and what it cannot use of `dai`, less
   * than the price of one unit of gem, stays with or goes to the taker. Exact-out with `sellGem` sells the least gem that
   * brings enough; what it brings beyond that goes to the taker.
   */
  | { readonly action: "psm"; readonly psm: Address; readonly gem: Address }
  /**
   * A market maker's signed order, filled in `settlement` (OrderSettlement). The fill sells `order.takerToken` and buys
   * `order.makerToken`. Exact-in takes at most `order.takerAmount`: what is above stays for later fills of the same token,
   * or goes back to the taker when this fill takes the rest; it gives floor(makerAmount * sold / takerAmount). Exact-out
   * sells ceil(bought * takerAmount / makerAmount).
   */
  | {
      readonly action: "maker-order";
      readonly settlement: Address;
      readonly order: MakerOrder;
      /** Of `makerOrderDigest`, by the maker; see OrderSettlement for its forms. At most 4,096 bytes. */
      readonly signature: Hex;
    }
  /** The wrapped native token; the direction follows from the fill's tokens. */
  | { readonly action: "wrapped-native"; readonly wrapped: Address };
