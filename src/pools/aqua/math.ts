import { MAX_UINT112 } from "../../math/full-math.ts";
import { squareRoot } from "../../math/square-root.ts";
import { mathAtTime } from "../math-at-time.ts";
import type { Direction, PoolMath, PoolQuote, Rejection } from "../pool-math.ts";
import { NO_LIQUIDITY, TOO_SMALL, UNSUPPORTED } from "../rejections.ts";
import { afterTrade } from "./after.ts";
import { aquaCurve } from "./curve.ts";
import { aquaGas } from "./gas.ts";
import { PEGGED_ONE, type PeggedSide } from "./pegged.ts";
import { FEE_ONE, programOf } from "./program.ts";
import { type AquaAt, costs, feesOnTop, feesWithin, mostSold, payableOf, pays, sideOf } from "./side.ts";
import type { AquaState } from "./state.ts";

/**
 * Strategies of 1inch's Aqua as its SwapVM router trades them: fees of what is sold, then a constant product, over a price range or
 * not, or a curve for pegged tokens. None pays more than its maker's wallet and allowance hold.
 */
export const aquaMath: PoolMath<AquaState> = mathAtTime<AquaState, AquaAt>({
  tokenCount: () => 2,
  stateAt(state, time) {
    const program = programOf(state.program);
    if (program === undefined) return UNSUPPORTED;
    return program.deadline !== undefined && time > program.deadline ? NO_LIQUIDITY : { state, program };
  },
  maxSell(current, direction) {
    const side = sideOf(current, direction);
    return side === undefined ? 0n : mostSold(side, current.program.fees, payableOf(current.state, direction));
  },
  soldExactly(current, direction, sellAmount) {
    const { fees } = current.program;
    const side = sideOf(current, direction);
    const { net, taken } = feesWithin(fees, sellAmount);
    const bought = side && pays(side, net);
    if (bought === undefined || bought === 0n) return TOO_SMALL;
    return quoteOf(current, direction, { amount: bought, sold: sellAmount, bought, taken });
  },
  boughtExactly(current, direction, buyAmount) {
    const side = sideOf(current, direction);
    const net = side && costs(side, buyAmount);
    if (net === undefined || net === 0n) return NO_LIQUIDITY;
    const { gross, taken } = feesOnTop(current.program.fees, net);
    if (gross > MAX_UINT112) return NO_LIQUIDITY;
    return quoteOf(current, direction, { amount: gross, sold: gross, bought: buyAmount, taken });
  },
  spotOf(current, direction) {
    const side = sideOf(current, direction);
    if (side === undefined || payableOf(current.state, direction) === 0n) return undefined;
    const { num, den } =
      side.kind === "pegged" ? peggedSpot(side.pegged) : { num: side.reserves.bought, den: side.reserves.sold };
    const { fees } = current.program;
    const keep = fees.reduce((product, { rate }) => product * (FEE_ONE - rate), 1n);
    return { num: num * keep, den: den * FEE_ONE ** BigInt(fees.length) };
  },
  curveOf(current, direction, maxSell) {
    const { fees } = current.program;
    const side = sideOf(current, direction);
    return side && aquaCurve(side, { fees, maxSell, gas: Number(aquaGas(current.program)) });
  },
});

function quoteOf(
  { state, program }: AquaAt,
  direction: Direction,
  trade: {
    readonly amount: bigint;
    readonly sold: bigint;
    readonly bought: bigint;
    readonly taken: readonly bigint[];
  },
): PoolQuote<AquaState> | Rejection {
  const next = afterTrade(state, direction, program.fees, trade);
  return { amount: trade.amount, gas: aquaGas(program), next };
}

/** Slope of the curve for pegged tokens: (1 / (2 sqrt(u)) + a) / (1 / (2 sqrt(v)) + a), in the tokens' own units. */
function peggedSpot({ sold, bought, ...side }: PeggedSide) {
  const steepness = (balance: bigint, reference: bigint) => {
    const root = squareRoot(((balance * PEGGED_ONE) / reference) * PEGGED_ONE);
    return (PEGGED_ONE * PEGGED_ONE) / (2n * (root === 0n ? 1n : root)) + side.width;
  };
  return {
    num: steepness(sold, side.soldReference) * side.soldRate * side.boughtReference,
    den: steepness(bought, side.boughtReference) * side.boughtRate * side.soldReference,
  };
}
