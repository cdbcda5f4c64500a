import type { Fill } from "../domain/route.ts";
import type { VenueAction } from "../domain/venue-action.ts";
import { VENUE } from "../domain/venue-codes.ts";
import type { ByteReader } from "./byte-reader.ts";
import { type Expectation, type GivenVenue, NATIVE, NOBODY, same } from "./expectation.ts";
import type { VenueCheck } from "./venue-check.ts";
import { verifyOrder } from "./verify-order.ts";
import { verifyBalancerV2, verifyBalancerV3, verifyBuffer, verifyV4 } from "./verify-pool-key.ts";

/** Actions by the number that payloads have for their venue; Curve's have one in common. */
const VENUES: Readonly<Record<string, readonly VenueAction["action"][]>> = {
  [VENUE.V2_PAIR]: ["v2-pair"],
  [VENUE.V3_POOL]: ["v3-pool"],
  [VENUE.WRAPPED_NATIVE]: ["wrapped-native"],
  [VENUE.SOLIDLY_POOL]: ["solidly-pool"],
  [VENUE.CURVE_POOL]: ["curve-pool", "curve-crypto-pool", "curve-underlying", "curve-add", "curve-add", "curve-remove"],
  [VENUE.ERC4626_VAULT]: ["erc4626-vault"],
  [VENUE.MAKER_ORDER]: ["maker-order"],
  [VENUE.BALANCER_V2_POOL]: ["balancer-v2-pool"],
  [VENUE.PANCAKE_V3_POOL]: ["pancake-v3-pool"],
  [VENUE.ALGEBRA_POOL]: ["algebra-pool"],
  [VENUE.V4_POOL]: ["v4-pool"],
  [VENUE.BALANCER_V3_POOL]: ["balancer-v3-pool"],
  [VENUE.RATE_TOKEN]: ["rate-token"],
  [VENUE.PSM]: ["psm"],
  [VENUE.BALANCER_V3_BUFFER]: ["balancer-v3-buffer"],
};

/** Venues of which the payload says more after the fill. */
const MORE: Readonly<Record<string, (check: VenueCheck) => bigint>> = {
  [VENUE.MAKER_ORDER]: verifyOrder,
  [VENUE.BALANCER_V2_POOL]: verifyBalancerV2,
  [VENUE.V4_POOL]: verifyV4,
  [VENUE.BALANCER_V3_POOL]: verifyBalancerV3,
  [VENUE.BALANCER_V3_BUFFER]: verifyBuffer,
};

/**
 * Holds a venue against its fill, and reads what the payload says of it after the fill.
 * Answers how many entries it read. @throws Error naming the first difference.
 */
export function verifyVenue(
  expected: Expectation,
  payload: ByteReader,
  fill: Fill,
  given: GivenVenue,
  where: string,
): bigint {
  const actions = VENUES[String(given.venue)];
  if (actions === undefined) throw new Error(`${where}: no such venue ${given.venue}`);
  const action = expected.action?.(fill);
  const named = Number(given.venue) === VENUE.CURVE_POOL ? actions[Number(given.detail >> 16n)] : actions[0];
  if (action !== undefined) same(`${where} venue`, named, action.action);
  verifyDetail(given, where);

  const more = MORE[String(given.venue)];
  if (more !== undefined) return more({ expected, payload, fill, given, action, where });
  if (Number(given.venue) === VENUE.WRAPPED_NATIVE) {
    const pair = [fill.sellToken, fill.buyToken].sort().join();
    same(`${where} wraps`, pair, [NATIVE, expected.wrappedNative].sort().join());
    same(`${where} pool of a wrap`, given.pool, NOBODY);
  } else if (action === undefined) {
    same(`${where} pool`, given.pool, fill.poolId);
  }
  if (action !== undefined) verifyAction(expected, fill, given, action, where);
  return 0n;
}

/** Venues of which the detail is read with the action. */
const FREE: readonly number[] = [VENUE.CURVE_POOL, VENUE.MAKER_ORDER, VENUE.BALANCER_V2_POOL, VENUE.V4_POOL];

/** The three bytes of detail where their meaning does not depend on the fill. */
function verifyDetail({ venue, detail }: GivenVenue, where: string): void {
  const code = Number(venue);
  const ofFee = code === VENUE.V2_PAIR || code === VENUE.SOLIDLY_POOL;
  const free = FREE.includes(code);
  const sound = ofFee ? detail < 1_000_000n : free || (code === VENUE.PSM ? detail <= 1n : detail === 0n);
  if (!sound) throw new Error(`${where}: no fee of ${detail} ppm here`);
}

function verifyAction(
  expected: Expectation,
  fill: Fill,
  { detail, pool }: GivenVenue,
  action: VenueAction,
  where: string,
) {
  switch (action.action) {
    case "v2-pair":
      same(`${where} pair`, pool, action.pair);
      same(`${where} fee`, detail, BigInt(action.feePpm));
      break;
    case "solidly-pool":
      same(`${where} pool`, pool, action.pool);
      same(`${where} fee`, detail, BigInt(action.feePpm));
      break;
    case "curve-pool":
    case "curve-crypto-pool":
    case "curve-underlying":
      same(`${where} pool`, pool, action.pool);
      same(`${where} coins`, detail % 65_536n, BigInt(action.sell * 256 + action.buy));
      break;
    case "curve-add":
      same(`${where} pool`, pool, action.pool);
      same(`${where} list`, detail >> 16n, action.amounts === "list" ? 4n : 3n);
      same(`${where} coins`, detail % 65_536n, BigInt(action.coin * 256 + action.coins));
      break;
    case "curve-remove":
      same(`${where} pool`, pool, action.pool);
      same(`${where} coin`, detail % 65_536n, BigInt(action.coin));
      break;
    case "erc4626-vault":
      same(`${where} vault`, pool, action.vault);
      same(`${where} shares`, [fill.sellToken, fill.buyToken].includes(action.vault), true);
      break;
    case "rate-token":
      same(`${where} token`, pool, action.token);
      same(`${where} converts it`, [fill.sellToken, fill.buyToken].includes(action.token), true);
      break;
    case "psm":
      same(`${where} psm`, pool, action.psm);
      same(`${where} sells gem`, detail, fill.sellToken === action.gem ? 1n : 0n);
      same(`${where} gem`, [fill.sellToken, fill.buyToken].includes(action.gem), true);
      break;
    case "wrapped-native":
      same(`${where} wrapped token`, expected.wrappedNative, action.wrapped);
      break;
    case "v3-pool":
    case "pancake-v3-pool":
    case "algebra-pool":
      same(`${where} pool`, pool, action.pool);
      break;
    default:
      throw new Error(`${where}: ${action.action} says more than this`);
  }
}
