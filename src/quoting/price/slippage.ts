import type { Route } from "../../domain/route.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { varianceOf } from "../../market/volatility.ts";
import { PATH_ONE, pathsOf } from "../answer/paths.ts";
import { priceImpact } from "../answer/price-impact.ts";
import { FRACTION_ONE, type SwapRequest } from "../answer/types.ts";

/** Blocks from the quoted one to the one that a transaction is in: the next, and now and then the one after. */
const BLOCKS_UNTIL_MINED = 2;
/** The mean of what a normal distribution loses, in standard deviations: 1 / √(2π). */
const MEAN_LOSS = 1 / Math.sqrt(2 * Math.PI);
/**
 * Standard deviations that an automatic slippage leaves room for: prices have fatter tails than the normal
 * distribution.
 */
const ROOM = 3;
/**
 * The part of a route's own price impact that it leaves room for: what others trade moves a thin pool's depth as well.
 */
const ROOM_OF_IMPACT = 0.1;
/** Least and most of an automatic slippage: 0.1 % and 5 %, as fractions. */
const AUTO_LIMITS = { least: 0.001, most: 0.05 } as const;
/** Fractions are told to a millionth. */
const STEPS = 1_000_000;
const STEP = FRACTION_ONE / BigInt(STEPS);
const MAX_AUTO = BigInt(AUTO_LIMITS.most * STEPS) * STEP;

/** Model of how a route's amounts may move until its transaction is mined. */
export interface SlippageModel {
  /** The standard deviation of the logarithm of its rate. */
  readonly deviation: number;
  /** Its own price impact as a fraction. */
  readonly impact: number;
}

/**
 * Model from the market's last blocks for a route. Moves of the pools along a path add up as those of independent ones;
 * paths side by side move together. Undefined while too few blocks were seen, or where the route has no spot rate.
 */
export function slippageModel(route: Route, { volatility, block, graph }: Snapshot): SlippageModel | undefined {
  if (volatility === undefined) return undefined;
  let deviation = 0;
  for (const { fills, weight } of pathsOf(route)) {
    let variance = 0;
    for (const { poolId } of fills) {
      const ofPool = varianceOf(volatility, poolId, block.number);
      if (ofPool === undefined) return undefined;
      variance += ofPool;
    }
    deviation += (Number(weight) / Number(PATH_ONE)) * Math.sqrt(variance * BLOCKS_UNTIL_MINED);
  }
  const impact = priceImpact(route, graph);
  if (impact === undefined) return undefined;
  return { deviation, impact: Number((impact.num * BigInt(STEPS)) / impact.den) / STEPS };
}

/** The mean loss until the transaction is mined, as a fraction scaled by FRACTION_ONE, rounded up. */
export function expectedSlippage({ deviation }: SlippageModel): bigint {
  return BigInt(Math.ceil(Math.min(deviation * MEAN_LOSS, 1) * STEPS)) * STEP;
}

/** The slippage of a request for a route, scaled by FRACTION_ONE; what it names where the model has nothing to say. */
export function slippageOf(request: SwapRequest, model: SlippageModel | undefined): bigint {
  if (request.slippageIsAuto !== true || model === undefined) return request.slippage;
  const wanted = ROOM * model.deviation + ROOM_OF_IMPACT * model.impact;
  const within = Math.min(Math.max(wanted, AUTO_LIMITS.least), AUTO_LIMITS.most);
  return BigInt(Math.ceil(within * STEPS)) * STEP;
}

/** The most that the slippage of a request can be, whatever its route; scaled by FRACTION_ONE. */
export function mostSlippageOf({ slippage, slippageIsAuto }: SwapRequest): bigint {
  return slippageIsAuto === true && slippage < MAX_AUTO ? MAX_AUTO : slippage;
}
