import { keccak256 } from "viem";
import { toAddress } from "../domain/address.ts";
import { MORE_BYTES } from "../domain/venue-codes.ts";
import { NATIVE, same } from "./expectation.ts";
import { restOf, type VenueCheck } from "./venue-check.ts";

/** The rest of a V4 pool's key: with the fill's tokens it has to hash to the pool's id. */
export function verifyV4(check: VenueCheck): bigint {
  const { payload, fill, given, action, where } = check;
  const tickSpacing = payload.uint(3);
  const hooks = payload.hex(20);
  const entries = restOf(check, MORE_BYTES.V4_POOL);
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
export function verifyBalancerV2(check: VenueCheck): bigint {
  const { payload, fill, given, action, where } = check;
  const vault = payload.hex(20);
  const end = payload.hex(9).slice(2);
  const entries = restOf(check, MORE_BYTES.BALANCER_V2_POOL);
  const id = `${given.pool}${given.detail.toString(16).padStart(6, "0")}${end}`;
  if (action?.action === "balancer-v2-pool") {
    same(`${where} pool id`, id, action.poolId);
    same(`${where} vault`, vault, action.vault);
  } else {
    same(`${where} pool id`, [id, given.pool].includes(fill.poolId), true);
  }
  return entries;
}

/** The pool, where the vault stands in its place. */
export function verifyBalancerV3(check: VenueCheck): bigint {
  const { payload, fill, given, action, where } = check;
  const pool = payload.hex(20);
  const entries = restOf(check, MORE_BYTES.BALANCER_V3_POOL);
  same(`${where} pool`, pool, action?.action === "balancer-v3-pool" ? action.pool : fill.poolId);
  if (action?.action === "balancer-v3-pool") same(`${where} vault`, given.pool, action.vault);
  return entries;
}

/** The ERC-4626 vault whose shares the buffer has: one of the fill's tokens. */
export function verifyBuffer(check: VenueCheck): bigint {
  const { payload, fill, given, action, where } = check;
  const wrapped = payload.hex(20);
  const entries = restOf(check, MORE_BYTES.BALANCER_V3_BUFFER);
  same(`${where} wraps into one of its tokens`, [fill.sellToken, fill.buyToken].includes(toAddress(wrapped)), true);
  if (action?.action === "balancer-v3-buffer") {
    same(`${where} vault`, given.pool, action.vault);
    same(`${where} wrapped token`, wrapped, action.wrapped);
  } else {
    same(`${where} buffer`, `${given.pool}${wrapped.slice(2)}`, fill.poolId);
  }
  return entries;
}
