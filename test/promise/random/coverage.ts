import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { mathOf } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import type { AnswerFill, QuoteAnswer, SwapRequest } from "../../../src/quoting/answer/types.ts";
import type { PoolGraph } from "../../../src/routing/router.ts";

/** Cases that a random run has to meet, as parts of all its cases. */
export interface Coverage {
  exactOut: number;
  split: number;
  threeHops: number;
  native: number;
  fee: number;
  /** Concentrated pools swapped over two initialized ticks or more and over a border between words of the bitmap. */
  ticksAndWord: number;
}

export function noCoverage(): Coverage {
  return { exactOut: 0, split: 0, threeHops: 0, native: 0, fee: 0, ticksAndWord: 0 };
}

/** Adds one executed quote. */
export function cover(coverage: Coverage, request: SwapRequest, answer: QuoteAnswer, graph: PoolGraph): void {
  const { fills } = answer.route;
  const pools = answer.orders.filter((order) => order.type === 0);
  if (request.amount.kind === "exactOut") coverage.exactOut += 1;
  if (fills.some((fill) => fills.filter((other) => other.from === fill.from).length > 1)) coverage.split += 1;
  if (longestPath(answer) >= 3) coverage.threeHops += 1;
  if ([request.sellToken.address, request.buyToken.address].includes(NATIVE_TOKEN)) coverage.native += 1;
  if (request.fee !== undefined) coverage.fee += 1;
  const swaps = fills.filter((fill) => pools.some((order) => order.source === fill.source));
  if (swaps.some((fill) => crossesTicksAndWord(fill, graph))) coverage.ticksAndWord += 1;
}

/** Most pools on one path; wrapping does not count. */
function longestPath({ route, sellToken, orders }: QuoteAnswer): number {
  const isWrap = (index: number) => orders[index]?.type === 3;
  const reach = new Map([[sellToken.address, 0]]);
  for (let round = 0; round < route.fills.length; round += 1) {
    route.fills.forEach((fill, index) => {
      const here = reach.get(fill.from);
      if (here === undefined) return;
      reach.set(fill.to, Math.max(reach.get(fill.to) ?? 0, here + (isWrap(index) ? 0 : 1)));
    });
  }
  return Math.max(...reach.values());
}

function crossesTicksAndWord(fill: AnswerFill, graph: PoolGraph): boolean {
  const pool = graph.pool(fill.pool);
  if (pool?.curve !== "concentrated") return false;
  const at = (token: Address) => pool.tokens.indexOf(token);
  const quoted = mathOf(pool).quoteExactIn(
    pool.state,
    { sell: at(fill.from), buy: at(fill.to) },
    fill.sellAmount,
    graph.time,
  );
  if (isRejection(quoted) || !("tick" in quoted.next)) return false;
  const { tick, tickSpacing, ticks } = pool.state;
  const [low, high] = [Math.min(tick, quoted.next.tick), Math.max(tick, quoted.next.tick)];
  const crossed = ticks.filter(({ index }) => index > low && index <= high).length;
  const word = (index: number) => Math.floor(Math.floor(index / tickSpacing) / 256);
  return crossed >= 2 && word(low) !== word(high);
}
