import { keccak256 } from "viem";
import { type Address, type Hex, toAddress } from "../domain/address.ts";
import type { Fill } from "../domain/route.ts";
import type { VenueAction } from "../domain/venue-action.ts";
import type { ByteReader } from "./byte-reader.ts";

/** What a payload has to agree with: where it may be run, and what each fill's venue is. */
export interface Expectation {
  readonly gateway: Address;
  readonly executor: Address;
  /** The contract that fills makers' orders. */
  readonly orders: Address;
  readonly wrappedNative: Address;
  /** How settlement deals with each fill; without it venue kinds are only held against pool ids and tokens. */
  readonly action?: (fill: Fill) => VenueAction;
}

/** A venue as the payload has it. */
interface Venue {
  readonly venue: bigint;
  readonly detail: bigint;
  readonly pool: string;
  /** Bytes of a fill or a node. */
  readonly entryBytes: number;
}

export const NATIVE: Hex = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
export const NOBODY = `0x${"0".repeat(40)}`;

/** Actions by the number that payloads have for their venue; Curve's have one in common. */
const VENUES: Readonly<Record<string, readonly VenueAction["action"][]>> = {
  0: ["v2-pair"],
  1: ["v3-pool"],
  2: ["wrapped-native"],
  3: ["solidly-pool"],
  4: ["curve-pool", "curve-crypto-pool", "curve-underlying", "curve-add", "curve-add", "curve-remove"],
  5: ["erc4626-vault"],
  6: ["maker-order"],
  7: ["balancer-v2-pool"],
  8: ["pancake-v3-pool"],
  9: ["algebra-pool"],
  10: ["v4-pool"],
  11: ["balancer-v3-pool"],
  12: ["rate-token"],
  13: ["psm"],
  14: ["balancer-v3-buffer"],
};

/**
 * Holds a venue against its fill, and reads what the payload says of it after the fill or node.
 * Answers how many entries it read. @throws Error naming the first difference.
 */
export function verifyVenue(
  expected: Expectation,
  payload: ByteReader,
  fill: Fill,
  given: Venue,
  where: string,
): bigint {
  const actions = VENUES[String(given.venue)];
  if (actions === undefined) throw new Error(`${where}: no such venue ${given.venue}`);
  const action = expected.action?.(fill);
  const named = given.venue === 4n ? actions[Number(given.detail >> 16n)] : actions[0];
  if (action !== undefined) same(`${where} venue`, named, action.action);
  verifyDetail(given, where);

  if (given.venue === 6n) return verifyOrder(expected, payload, fill, given, action, where);
  if (given.venue === 7n) return verifyBalancerV2(payload, fill, given, action, where);
  if (given.venue === 10n) return verifyV4(payload, fill, given, action, where);
  if (given.venue === 11n) return verifyBalancerV3(payload, fill, given, action, where);
  if (given.venue === 14n) return verifyBuffer(payload, fill, given, action, where);
  if (given.venue === 2n) {
    const pair = [fill.sellToken, fill.buyToken].sort().join();
    same(`${where} wraps`, pair, [NATIVE, expected.wrappedNative].sort().join());
    same(`${where} pool of a wrap`, given.pool, NOBODY);
  } else if (action === undefined) {
    same(`${where} pool`, given.pool, fill.poolId);
  }
  if (action !== undefined) verifyAction(expected, fill, given, action, where);
  return 0n;
}

/** The three bytes of detail where their meaning does not depend on the fill. */
function verifyDetail({ venue, detail }: Venue, where: string): void {
  const ofFee = venue === 0n || venue === 3n;
  const free = [4n, 6n, 7n, 10n].includes(venue);
  const sound = ofFee ? detail < 1_000_000n : free || (venue === 13n ? detail <= 1n : detail === 0n);
  if (!sound) throw new Error(`${where}: no fee of ${detail} ppm here`);
}

function verifyAction(expected: Expectation, fill: Fill, { detail, pool }: Venue, action: VenueAction, where: string) {
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

/** The rest of a V4 pool's key: with the fill's tokens it has to hash to the pool's id. */
function verifyV4(
  payload: ByteReader,
  fill: Fill,
  given: Venue,
  action: VenueAction | undefined,
  where: string,
): bigint {
  const tickSpacing = payload.uint(3);
  const hooks = payload.hex(20);
  const entries = restOf(payload, 23, given, where);
  const currencies = [fill.sellToken, fill.buyToken].map((token) => (token === NATIVE ? 0n : BigInt(token)));
  const [low, high] = currencies.sort((a, b) => (a < b ? -1 : 1)) as [bigint, bigint];
  const words = [low, high, given.detail, tickSpacing, BigInt(hooks)];
  const key = `0x${words.map((word) => word.toString(16).padStart(64, "0")).join("")}` as const;
  same(`${where} pool of this key`, keccak256(key), fill.poolId);
  if (action?.action === "v4-pool") {
    same(`${where} manager`, given.pool, action.manager);
    same(`${where} fee`, given.detail, BigInt(action.fee));
    same(`${where} tick spacing`, tickSpacing, BigInt(action.tickSpacing));
    same(`${where} hooks`, hooks, action.hooks);
  }
  return entries;
}

/** Vault and the end of the pool's id. */
function verifyBalancerV2(
  payload: ByteReader,
  fill: Fill,
  given: Venue,
  action: VenueAction | undefined,
  where: string,
) {
  const vault = payload.hex(20);
  const end = payload.hex(9).slice(2);
  const entries = restOf(payload, 29, given, where);
  const id = `${given.pool}${given.detail.toString(16).padStart(6, "0")}${end}`;
  if (action?.action === "balancer-v2-pool") {
    same(`${where} pool id`, id, action.poolId);
    same(`${where} vault`, vault, action.vault);
  } else {
    same(`${where} pool id`, [id, given.pool].includes(fill.poolId), true);
  }
  return entries;
}

function verifyBalancerV3(
  payload: ByteReader,
  fill: Fill,
  given: Venue,
  action: VenueAction | undefined,
  where: string,
) {
  const pool = payload.hex(20);
  const entries = restOf(payload, 20, given, where);
  same(`${where} pool`, pool, action?.action === "balancer-v3-pool" ? action.pool : fill.poolId);
  if (action?.action === "balancer-v3-pool") same(`${where} vault`, given.pool, action.vault);
  return entries;
}

/** The ERC-4626 vault whose shares the buffer has: one of the fill's tokens. */
function verifyBuffer(
  payload: ByteReader,
  fill: Fill,
  given: Venue,
  action: VenueAction | undefined,
  where: string,
): bigint {
  const wrapped = payload.hex(20);
  const entries = restOf(payload, 20, given, where);
  same(`${where} wraps into one of its tokens`, [fill.sellToken, fill.buyToken].includes(toAddress(wrapped)), true);
  if (action?.action === "balancer-v3-buffer") {
    same(`${where} vault`, given.pool, action.vault);
    same(`${where} wrapped token`, wrapped, action.wrapped);
  } else {
    same(`${where} buffer`, `${given.pool}${wrapped.slice(2)}`, fill.poolId);
  }
  return entries;
}

/** An order with its signature: every field that the payload gives, and those that the executor will fill in. */
function verifyOrder(
  expected: Expectation,
  payload: ByteReader,
  fill: Fill,
  given: Venue,
  action: VenueAction | undefined,
  where: string,
): bigint {
  const maker = payload.hex(20);
  const [makerAmount, takerAmount, minTakerAmount] = [payload.uint(16), payload.uint(16), payload.uint(16)];
  const [expiry, nonce, refillable] = [payload.uint(8), payload.uint(32), payload.uint(1)];
  const length = Number(payload.uint(2));
  const signature = payload.hex(length);
  const entries = restOf(payload, 111 + length, given, where);
  same(`${where} entries of the order`, given.detail, entries);
  same(`${where} contract that fills orders`, given.pool, expected.orders);
  if (action?.action !== "maker-order") return entries;
  const { order } = action;
  same(`${where} contract that the order is for`, given.pool, action.settlement);
  same(`${where} maker`, maker, order.maker);
  same(`${where} taker of the order`, order.taker, expected.executor);
  same(`${where} token of the maker`, order.makerToken, fill.buyToken);
  same(`${where} token of the taker`, order.takerToken, fill.sellToken);
  same(`${where} amount of the maker`, makerAmount, order.makerAmount);
  same(`${where} amount of the taker`, takerAmount, order.takerAmount);
  same(`${where} least amount of the taker`, minTakerAmount, order.minTakerAmount);
  same(`${where} expiry`, expiry, order.expiry);
  same(`${where} nonce`, nonce, order.nonce);
  same(`${where} refillable`, refillable, order.refillable ? 1n : 0n);
  same(`${where} signature`, signature, action.signature.toLowerCase());
  return entries;
}

/** Reads the zeros up to the next whole entry; answers how many entries `used` bytes and they are. */
function restOf(payload: ByteReader, used: number, { entryBytes }: Venue, where: string): bigint {
  const entries = Math.ceil(used / entryBytes);
  same(`${where} bytes after the venue`, payload.uint(entries * entryBytes - used), 0n);
  return BigInt(entries);
}

/** @throws Error when they differ. */
export function same<T>(what: string, actual: T, wanted: T): void {
  if (actual !== wanted) throw new Error(`${what}: the transaction says ${actual}, promised is ${wanted}`);
}
