// Made by tools/contracts/venue-codes.ts of contracts/venue-codes.json: change that.

/** Venues as payloads number them. */
export const VENUE = {
  V2_PAIR: 0,
  V3_POOL: 1,
  WRAPPED_NATIVE: 2,
  SOLIDLY_POOL: 3,
  CURVE_POOL: 4,
  ERC4626_VAULT: 5,
  MAKER_ORDER: 6,
  BALANCER_V2_POOL: 7,
  PANCAKE_V3_POOL: 8,
  ALGEBRA_POOL: 9,
  V4_POOL: 10,
  BALANCER_V3_POOL: 11,
  RATE_TOKEN: 12,
  PSM: 13,
  BALANCER_V3_BUFFER: 14,
  LB_PAIR: 15,
  PROP_AMM: 20,
  INFINITY_CL_POOL: 21,
  FLUID_POOL: 22,
  PANGOLIN_V3_POOL: 23,
  INFINITY_BIN_POOL: 24,
  EKUBO_POOL: 25,
  WOOFI_POOL: 26,
  DODO_POOL: 27,
  RFQ_ORDER: 28,
  AQUA_ORDER: 29,
  EULER_SWAP_POOL: 31,
  MAVERICK_POOL: 30,
  KURU_MARKET: 32,
} as const;

/** Bytes that say more of a fill after it, a signature left out. */
export const MORE_BYTES = {
  MAKER_ORDER: 111,
  BALANCER_V2_POOL: 29,
  V4_POOL: 23,
  BALANCER_V3_POOL: 20,
  BALANCER_V3_BUFFER: 20,
  INFINITY_CL_POOL: 25,
  FLUID_POOL: 20,
  INFINITY_BIN_POOL: 25,
  EKUBO_POOL: 29,
  RFQ_ORDER: 34,
  AQUA_ORDER: 54,
  KURU_MARKET: 20,
} as const;

/** Contracts that trade with venues for the executor, at addresses that it knows. */
export type PartName =
  | "CurvePools"
  | "Erc4626Vaults"
  | "MakerOrders"
  | "BalancerV2"
  | "BalancerV3"
  | "RateTokens"
  | "StabilityModules"
  | "LiquidityBook"
  | "PropAmms"
  | "FluidPools"
  | "PaidPools"
  | "RfqOrders"
  | "AquaOrders"
  | "MaverickPools"
  | "KuruMarkets";
