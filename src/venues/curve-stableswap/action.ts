import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE } from "../../settlement/venue-codes.ts";

/**
 * A Curve pool with `exchange(int128 i, int128 j, dx, min_dy)`, which draws what is sold: plain pools old and NG, and a
 * metapool's own two coins. `sell` and `buy` are its numbers of the two coins. A coin that is the native token itself is
 * sent along, or comes back, as the fill's tokens say. Exact-in only.
 *
 * "curve-crypto-pool" has `exchange(uint256 i, uint256 j, dx, min_dy)` instead: twocrypto and tricrypto, old and NG, with
 * wrapped native only, and the pools of PancakeSwap's StableSwap and Lista. "curve-underlying" has a metapool's `exchange_underlying(int128 i, int128 j, dx, min_dy)`: number 0 is its own
 * coin, 1 and up are those of its base pool.
 */
export interface CurveExchangeAction {
  readonly action: "curve-pool" | "curve-crypto-pool" | "curve-underlying";
  readonly pool: Address;
  readonly sell: number;
  readonly buy: number;
}

/**
 * The pools' `add_liquidity(amounts, min)` with one coin, which draws it and makes shares: `coin` of so many `coins`,
 * amounts as a list (StableSwap-NG's own pools) or as an array of fixed length (metapools and all older ones, of two to
 * four coins). Exact-in only.
 */
export interface CurveAddAction {
  readonly action: "curve-add";
  readonly pool: Address;
  readonly coin: number;
  readonly coins: number;
  readonly amounts: "array" | "list";
}

/** The pools' `remove_liquidity_one_coin(shares, coin, min)`, which burns shares without an approval. Exact-in only. */
export interface CurveRemoveAction {
  readonly action: "curve-remove";
  readonly pool: Address;
  readonly coin: number;
}

export type CurveAction = CurveExchangeAction | CurveAddAction | CurveRemoveAction;

/** Curve functions, as the high byte of the detail; then the numbers of the coins sold and bought. */
const EXCHANGES = { "curve-pool": 0, "curve-crypto-pool": 1, "curve-underlying": 2 } as const;
const ADDITIONS = { array: 3, list: 4 } as const;
const REMOVAL = 5;
/** Coins that a pool can have which takes amounts as an array of fixed length. */
const MIN_COINS = 2;
const MAX_COINS = 4;

export const curveEncoder: ActionEncoder<CurveAction> = {
  code: VENUE.CURVE_POOL,
  actions: ["curve-pool", "curve-crypto-pool", "curve-underlying", "curve-add", "curve-remove"],
  delivery: "own",
  encode: (action) => ({ pool: action.pool, detail: detailOf(action) }),
};

/** @throws RangeError for an addition that no pool takes */
function detailOf(action: CurveAction): number {
  if (action.action === "curve-remove") return REMOVAL * 65_536 + action.coin;
  if (action.action !== "curve-add") return EXCHANGES[action.action] * 65_536 + action.sell * 256 + action.buy;
  const { amounts, coin, coins } = action;
  if (coin >= coins || (amounts === "array" && (coins < MIN_COINS || coins > MAX_COINS)))
    throw new RangeError(`coin ${coin} cannot be added to ${coins}`);
  return ADDITIONS[amounts] * 65_536 + coin * 256 + coins;
}
