import { concat, hexToNumber, numberToHex, pad, size, slice } from "viem";
import { type Address, type Hex, toAddress, ZERO_ADDRESS } from "../domain/address.ts";
import type { MakerOrder } from "../domain/maker-order.ts";
import type { Fill } from "../domain/route.ts";
import type { VenueAction } from "../domain/venue-action.ts";
import { VENUE } from "../domain/venue-codes.ts";

/** A venue as payloads name it. */
export interface EncodedVenue {
  /** Its number, of six bits. */
  readonly code: number;
  readonly pool: Address;
  /** Three bytes with a meaning of the venue's own. */
  readonly detail: number;
  /** Further entries of a fill's size, for what does not fit it. */
  readonly more: readonly Hex[];
}

/** Which of Curve's functions, in the high byte of the detail; then the numbers of the coins sold and bought. */
const CURVE_CALLS = { "curve-pool": 0, "curve-crypto-pool": 1, "curve-underlying": 2 } as const;
const CURVE_ADDITIONS = { array: 3, list: 4 } as const;
const CURVE_REMOVAL = 5;
/** Coins that a pool can have which takes amounts as an array of fixed length. */
const LEAST_COINS = 2;
const MOST_COINS = 4;

/** Bytes of a fill, and of each further entry. */
const FILL_BYTES = 30;

/** @throws RangeError when something does not fit its bytes. */
export function encodeVenue(fill: Fill, action: VenueAction): EncodedVenue {
  switch (action.action) {
    case "v2-pair":
      return { code: VENUE.V2_PAIR, pool: action.pair, detail: action.feePpm, more: [] };
    case "v3-pool":
      return { code: VENUE.V3_POOL, pool: action.pool, detail: 0, more: [] };
    case "pancake-v3-pool":
      return { code: VENUE.PANCAKE_V3_POOL, pool: action.pool, detail: 0, more: [] };
    case "algebra-pool":
      return { code: VENUE.ALGEBRA_POOL, pool: action.pool, detail: 0, more: [] };
    case "v4-pool": {
      const key = concat([numberToHex(action.tickSpacing, { size: 3 }), action.hooks]);
      return { code: VENUE.V4_POOL, pool: action.manager, detail: action.fee, more: entriesOf(key) };
    }
    case "solidly-pool":
      return { code: VENUE.SOLIDLY_POOL, pool: action.pool, detail: action.feePpm, more: [] };
    case "curve-pool":
    case "curve-crypto-pool":
    case "curve-underlying": {
      const detail = CURVE_CALLS[action.action] * 65_536 + action.sell * 256 + action.buy;
      return { code: VENUE.CURVE_POOL, pool: action.pool, detail, more: [] };
    }
    case "curve-add": {
      const { amounts, coin, coins, pool } = action;
      if (coin >= coins || (amounts === "array" && (coins < LEAST_COINS || coins > MOST_COINS)))
        throw new RangeError(`coin ${coin} cannot be added to ${coins}`);
      return { code: VENUE.CURVE_POOL, pool, detail: CURVE_ADDITIONS[amounts] * 65_536 + coin * 256 + coins, more: [] };
    }
    case "curve-remove":
      return { code: VENUE.CURVE_POOL, pool: action.pool, detail: CURVE_REMOVAL * 65_536 + action.coin, more: [] };
    case "erc4626-vault":
      return { code: VENUE.ERC4626_VAULT, pool: action.vault, detail: 0, more: [] };
    case "balancer-v2-pool": {
      // The id begins with the pool's address; its other 12 bytes are the detail and the end of what follows.
      if (size(action.poolId) !== 32) throw new RangeError("a pool id of Balancer V2 has 32 bytes");
      const pool = toAddress(slice(action.poolId, 0, 20));
      const detail = hexToNumber(slice(action.poolId, 20, 23));
      return {
        code: VENUE.BALANCER_V2_POOL,
        pool,
        detail,
        more: entriesOf(concat([action.vault, slice(action.poolId, 23)])),
      };
    }
    case "balancer-v3-pool":
      return { code: VENUE.BALANCER_V3_POOL, pool: action.vault, detail: 0, more: entriesOf(action.pool) };
    case "balancer-v3-buffer":
      return { code: VENUE.BALANCER_V3_BUFFER, pool: action.vault, detail: 0, more: entriesOf(action.wrapped) };
    case "rate-token":
      return { code: VENUE.RATE_TOKEN, pool: action.token, detail: 0, more: [] };
    case "psm":
      return { code: VENUE.PSM, pool: action.psm, detail: fill.sellToken === action.gem ? 1 : 0, more: [] };
    case "maker-order": {
      const more = entriesOf(orderBytes(action.order, action.signature));
      if (more.length > 255) throw new RangeError("a maker's signature is too long to encode");
      return { code: VENUE.MAKER_ORDER, pool: action.settlement, detail: more.length, more };
    }
    case "wrapped-native":
      return { code: VENUE.WRAPPED_NATIVE, pool: ZERO_ADDRESS, detail: 0, more: [] };
  }
}

/** An order without what the executor knows of itself (taker, trader, tokens); then its signature, length first. */
function orderBytes(order: MakerOrder, signature: Hex): Hex {
  return concat([
    order.maker,
    numberToHex(order.makerAmount, { size: 16 }),
    numberToHex(order.takerAmount, { size: 16 }),
    numberToHex(order.minTakerAmount, { size: 16 }),
    numberToHex(order.expiry, { size: 8 }),
    numberToHex(order.nonce, { size: 32 }),
    numberToHex(order.refillable ? 1 : 0, { size: 1 }),
    numberToHex(size(signature), { size: 2 }),
    signature,
  ]);
}

/** Bytes cut into entries, the last one filled up with zeros. */
function entriesOf(bytes: Hex): readonly Hex[] {
  return Array.from({ length: Math.ceil(size(bytes) / FILL_BYTES) }, (_, i) => {
    const end = Math.min((i + 1) * FILL_BYTES, size(bytes));
    return pad(slice(bytes, i * FILL_BYTES, end), { dir: "right", size: FILL_BYTES });
  });
}
