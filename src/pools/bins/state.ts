import type { PoolKey } from "../curve/pool-key.ts";

/** One bin of a pool: what it holds trades at one price. Token 0 is X, token 1 is Y. */
export interface Bin {
  /** Its place in the row of prices: 2^23 is where base units of both tokens are worth the same. */
  readonly id: number;
  readonly reserveX: bigint;
  readonly reserveY: bigint;
}

/**
 * Parameters of a Liquidity Book pool's fee (PairParameterHelper.sol): a fixed part, and one that grows with
 * how many bins the price has moved lately. Volatilities count 10,000 for each bin.
 */
export interface VolatilityFee {
  readonly baseFactor: number;
  /** Seconds after a swap within which the next one counts from the same bin. */
  readonly filterPeriod: number;
  /** Seconds after a swap from which on nothing of its volatility is left. */
  readonly decayPeriod: number;
  /** Part of a volatility that remains between the two periods, of 10,000. */
  readonly reductionFactor: number;
  readonly variableFeeControl: number;
  /** Part of a fee that leaves the bin for the protocol, of 10,000. */
  readonly protocolShare: number;
  readonly maxVolatilityAccumulator: number;
  /** As the last swap left it. */
  readonly volatilityAccumulator: number;
  readonly volatilityReference: number;
  /** The bin that movement is counted from. */
  readonly idReference: number;
  /** Unix seconds. */
  readonly timeOfLastUpdate: bigint;
}

/** A fee that is the same in each bin (PancakeSwap Infinity, BinPool.sol). */
export interface FlatFee {
  /** Part of liquidity providers, in parts per million of what the protocol leaves. */
  readonly lpPpm: number;
  /** Part of the protocol, in parts per million of what goes in: where X does, where Y does. */
  readonly protocolPpm: readonly [number, number];
}

/** A pool of bins. */
export interface BinsState {
  /** Between the prices of two bins next to each other, in parts of 10,000. */
  readonly binStep: number;
  /** The bin in which the last swap ended. */
  readonly activeId: number;
  /** The bins that hold anything, by ascending id. */
  readonly bins: readonly Bin[];
  readonly fee: VolatilityFee | FlatFee;
  /** Hooks are called in its swaps, which takes gas. They have no word in its amounts. */
  readonly hooked?: true;
  /** Key of the pool in its singleton, besides its tokens and bin step (PancakeSwap Infinity). */
  readonly key?: PoolKey;
}
