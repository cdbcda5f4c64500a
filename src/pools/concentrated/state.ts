import type { Address } from "../../domain/address.ts";
import type { PoolKey } from "../curve/pool-key.ts";

/** An initialized tick. */
export interface Tick {
  readonly index: number;
  /** Liquidity that becomes active when the price crosses the tick upwards. */
  readonly liquidityNet: bigint;
  /** Liquidity of all positions that end here; above zero as long as the tick is initialized. */
  readonly liquidityGross: bigint;
}

/**
 * Family of a contract with Uniswap V3's curve that does more in a swap, which takes gas: PancakeSwap's V3 with
 * and without a farm, and others.
 */
export type ConcentratedFamily = "pancakeswap" | "pancakeswap-farm" | "slipstream" | "infinity" | "algebra-v1";

/** Fee that falls evenly with time, rounded down in favour of who takes it (getFeeSchedule of Doppler's Rehype hooks). */
export interface FallingFee {
  /** Whole that the fees are parts of. */
  readonly whole: number;
  readonly startFee: number;
  /** Fee from `startTime` + `seconds` on, no more than `startFee`. */
  readonly endFee: number;
  /** Unix seconds from which it falls. */
  readonly startTime: number;
  /** Seconds that it falls for. 0: it is `startFee` at any time. */
  readonly seconds: number;
}

/** Fees that the hooks of a pool take of a swap, and the gas of their callbacks (Uniswap V4). */
export interface SwapHook {
  /** The amount that the fees are parts of: the one that the swapper did not name, or that of one token. */
  readonly charges: "unspecified" | "token0" | "token1";
  /** Fees where token 0 goes in, each in parts per million and rounded down by itself. None: the hooks only watch. */
  readonly token0InPpm: readonly number[];
  /** Fees where token 1 goes in. */
  readonly token1InPpm: readonly number[];
  /** Gas of the callbacks in one swap, once the slots that they write have been written before. */
  readonly gas: number;
  /** Most gas of the callbacks in one swap. Absent: `gas` and some slots that are written for the first time. */
  readonly mostGas?: number;
  /** Contract of this pool alone that the hooks pass each swap on to (Doppler). Absent: there is none. */
  readonly passesTo?: Address;
  /** Fee of that contract, on the amount that the swapper did not name. It trades in the pool itself after each swap. */
  readonly falling?: FallingFee;
}

/** Liquidity concentrated between ticks (Uniswap V3 and its forks). */
export interface ConcentratedState {
  readonly sqrtPriceX96: bigint;
  /** The pool's current tick as it stores it; not always the tick of sqrtPriceX96 when that stands exactly on a boundary. */
  readonly tick: number;
  /** Active liquidity. */
  readonly liquidity: bigint;
  /** Fee in parts per million of what goes in. */
  readonly feePpm: number;
  /** Fee where token 1 goes in, where that is another one than where token 0 does (Algebra v1.9, directional). */
  readonly feeOfToken1Ppm?: number;
  /** Fees that are taken before the pool's own, in parts per million: where token 0 goes in, where token 1 does (Uniswap V4, PancakeSwap Infinity). */
  readonly protocolFeesPpm?: readonly [number, number];
  /** The most that one swap can move of either token, where the contract has such a bound (Uniswap V4). */
  readonly mostMoved?: bigint;
  /** Key of the pool in its singleton, besides its tokens and tick spacing (Uniswap V4). */
  readonly key?: PoolKey;
  readonly tickSpacing: number;
  /** The contract steps from initialized tick to initialized tick and knows no words of a bitmap (Algebra). */
  readonly byTicks?: true;
  /** Absent: it is none of these. */
  readonly family?: ConcentratedFamily;
  /** Deployer of a custom pool whose plugin sets the fee of each swap (Algebra Integral). */
  readonly deployer?: Address;
  /** Capacity for past prices, the scheduled growth included, for pools whose fee depends on them. */
  readonly observations?: number;
  /** Over how many seconds past prices are averaged for the fee (Slipstream, DynamicSwapFeeModule.sol). */
  readonly feeSeconds?: number;
  /** Hooks that are called in a swap, of a kind that is known (Uniswap V4). */
  readonly hook?: SwapHook;
  /** All initialized ticks, ascending. */
  readonly ticks: readonly Tick[];
}
