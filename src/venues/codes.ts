/** Venues by the number that payloads have for them, as contracts/src/Executor.sol takes it. */
export const VENUE_CODES = {
  "uniswap-v2": 0,
  "uniswap-v3": 1,
  "wrapped-native": 2,
  solidly: 3,
  curve: 4,
  erc4626: 5,
  "maker-order": 6,
  "balancer-v2": 7,
  "pancakeswap-v3": 8,
  algebra: 9,
  "uniswap-v4": 10,
  "balancer-v3": 11,
  "rate-token": 12,
  psm: 13,
  "balancer-v3-buffer": 14,
} as const;
