import { expect } from "vitest";
import type { Address, Hex } from "../../../src/domain/address.ts";
import type { Call } from "../../../src/market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../../src/market/liquidity-source.ts";
import { MAX_TICK, sqrtRatioAtTick } from "../../../src/math/tick-math.ts";
import { feeOn, hookFeeOf } from "../../../src/pools/concentrated/hook-fee.ts";
import { concentratedMath } from "../../../src/pools/concentrated/math.ts";
import type { ConcentratedState } from "../../../src/pools/concentrated/state.ts";
import { MAX_STEPS, swap } from "../../../src/pools/concentrated/swap.ts";
import { isRejection, type PoolLimits } from "../../../src/pools/pool-math.ts";
import type { Anvil } from "../../venues/worlds/anvil.ts";
import { createRandom } from "../../venues/worlds/traffic/random.ts";
import { deployTokens } from "../../venues/worlds/v3.ts";
import { countCases } from "./tried-cases.ts";

/** One swap to ask the contract for. */
export interface Asked {
  readonly zeroForOne: boolean;
  readonly exactIn: boolean;
  readonly amount: bigint;
}

/** Real contracts of one venue with concentrated pools, and how they are used. What changes state is queued. */
export interface ConcentratedVenue {
  readonly source: LiquiditySource;
  /** Whether states may be left out, since their fee cannot be told: nothing is quoted for these. */
  readonly leavesOut?: boolean;
  /** Contracts that take tokens for positions and swaps. */
  readonly spenders: readonly Address[];
  /** Kinds of pools, and quotes for each state. */
  readonly tiers: readonly { readonly fee: number; readonly spacing: number; readonly quotes: number }[];
  create(tokens: readonly [Address, Address], fee: number, sqrtPriceX96: bigint): Promise<PoolRef>;
  /** Adds a position of about this size. */
  mint(pool: PoolRef, lower: number, upper: number, size: bigint): Promise<unknown>;
  swapExactIn(pool: PoolRef, zeroForOne: boolean, amountIn: bigint): Promise<unknown>;
  /** Changes what is the pool's owners' to change and must be followed, or must not matter. */
  disturb(pool: PoolRef): Promise<unknown>;
  quote(pool: PoolRef, asked: Asked): Call;
  /** The other amount, and the price after the swap where it is told; undefined where less was given than asked for. */
  decode(asked: Asked, answer: Hex): { readonly amount: bigint; readonly sqrtPriceX96?: bigint } | undefined;
}

/** Coverage of a run. */
export interface ConcentratedCoverage {
  quotes: number;
  rejected: number;
  twoTicks: number;
  words: number;
  gap: number;
  exactOut: number;
  zeroForOne: number;
  tooSmall: number;
  cut: number;
}

/** Random pools in random states: our numbers against the contracts of `protocol`, to the wei; answers what was covered. */
export async function concentratedExactness(
  anvil: Anvil,
  venue: ConcentratedVenue,
  { protocol, rounds, seed }: { readonly protocol: string; readonly rounds: number; readonly seed: number },
): Promise<ConcentratedCoverage> {
  const random = createRandom(seed);
  const tried = countCases(protocol, `swaps-${seed}`, seed);
  const seen: ConcentratedCoverage = {
    ...{ quotes: 0, rejected: 0, twoTicks: 0, words: 0, gap: 0, exactOut: 0, zeroForOne: 0, tooSmall: 0, cut: 0 },
  };
  for (let round = 0; round < rounds; round++) {
    const tokens = await deployTokens(anvil, venue.spenders);
    for (const { fee, spacing, quotes } of venue.tiers) {
      const reach = Math.floor(MAX_TICK / spacing);
      const middle = random.int(-Math.floor(reach * 0.6), Math.floor(reach * 0.6));
      const inside = BigInt(random.int(0, 999));
      const low = sqrtRatioAtTick(middle * spacing);
      const high = sqrtRatioAtTick((middle + 1) * spacing);
      const price = random.chance(0.3) ? low : low + ((high - low) * inside) / 1000n;
      const pool = await venue.create(tokens, fee, price);
      for (let position = 0; position < 14; position++) {
        const width = random.pick([1, 3, 20, 300, 1200]);
        const offset = random.int(-width - random.pick([2, 40, 600]), random.pick([2, 40, 600]));
        const lower = Math.max(-reach, Math.min(reach - 1, middle + offset));
        const upper = Math.max(lower + 1, Math.min(reach, lower + random.int(1, width)));
        await venue.mint(pool, lower * spacing, upper * spacing, random.ofBits(90));
      }
      if (random.chance(0.5)) await venue.mint(pool, -reach * spacing, reach * spacing, 1n << 70n);
      if (random.chance(0.5)) await venue.disturb(pool);
      await anvil.mine();
      await compareState(pool, quotes);
      await venue.swapExactIn(pool, random.chance(0.5), random.ofBits(80));
      await anvil.mine();
      await compareState(pool, quotes);
    }
  }
  return seen;

  async function compareState(pool: PoolRef, count: number) {
    const state = await read(pool);
    if (state === undefined) return;
    const { timestamp: time } = await anvil.head();
    const limits = [true, false].map((zeroForOne) => concentratedMath.limits(state, directionOf(zeroForOne), time));
    const questions = Array.from({ length: count }, (): Asked => {
      const zeroForOne = random.chance(0.5);
      const exactIn = random.chance(0.5);
      const { maxSell, maxBuy } = limits[zeroForOne ? 0 : 1] as PoolLimits;
      const most = exactIn ? maxSell : maxBuy;
      const amount = random.chance(0.05) ? most + BigInt(random.int(0, 1)) : random.between(1n, most > 4n ? most : 4n);
      return { zeroForOne, exactIn, amount: amount > 0n ? amount : 1n };
    });
    const calls = questions.map((asked) => venue.quote(pool, asked));
    const answers = await anvil.reader.calls(calls, await anvil.head());
    questions.forEach((asked, index) => {
      const answer = answers[index];
      const what = JSON.stringify({ terms: pool.terms, ...asked, amount: String(asked.amount), seen: seen.quotes });
      compareQuote({ state, time }, asked, answer && venue.decode(asked, answer), what);
    });
  }

  function compareQuote(
    { state, time }: { readonly state: ConcentratedState; readonly time: bigint },
    { zeroForOne, exactIn, amount }: Asked,
    theirs: ReturnType<ConcentratedVenue["decode"]> | undefined,
    what: string,
  ): void {
    const quote = exactIn
      ? concentratedMath.quoteExactIn(state, directionOf(zeroForOne), amount, time)
      : concentratedMath.quoteExactOut(state, directionOf(zeroForOne), amount, time);
    const fee = hookFeeOf(state, zeroForOne, exactIn, time);
    const named = feeOn(amount, fee.named, fee.whole);
    const outcome = swap(state, zeroForOne, exactIn, exactIn ? amount - named : amount + named);
    seen.quotes++;
    if (zeroForOne) seen.zeroForOne++;
    if (!exactIn) seen.exactOut++;
    if (isRejection(quote)) {
      seen.rejected++;
      if (quote.rejected === "TOO_SMALL") {
        seen.tooSmall++;
        tried.same(0n, theirs?.amount ?? 0n, what);
      } else if (outcome.wordsRead >= MAX_STEPS) {
        seen.cut++;
        const paid = outcome.amountOut - feeOn(outcome.amountOut, fee.other, fee.whole);
        if (exactIn && theirs !== undefined) expect(theirs.amount, what).toBeGreaterThanOrEqual(paid);
      } else if (exactIn) {
        // The quoter answers with what it could do; the price then stands at the end of the scale.
        const ours = { amount: outcome.amountOut, sqrtPriceX96: outcome.next.sqrtPriceX96 };
        if (theirs !== undefined) tried.same(ours, { ...ours, ...theirs }, what);
      } else {
        tried.same(undefined, theirs, what);
      }
      return;
    }
    if (theirs === undefined) throw new Error(`the quoter refuses what we quote: ${what}`);
    const ours = { amount: quote.amount, sqrtPriceX96: quote.next.sqrtPriceX96 };
    tried.same(ours, { ...ours, ...theirs }, what);
    if (outcome.ticksCrossed >= 2) seen.twoTicks++;
    if (outcome.wordsRead > outcome.ticksCrossed + 1) seen.words++;
    if (crossesGap(state, outcome.next.tick)) seen.gap++;
  }

  async function read(ref: PoolRef): Promise<ConcentratedState | undefined> {
    const [found] = await venue.source.sync(anvil.reader, [ref], await anvil.head());
    if (found === undefined && venue.leavesOut) return undefined;
    if (found?.curve !== "concentrated") throw new Error("the pool cannot be read");
    return found.state;
  }
}

/** Asserts that a run met what makes a concentrated pool hard, in at least such shares of its quotes. */
export function expectCovered(
  seen: ConcentratedCoverage,
  venue: ConcentratedVenue,
  rounds: number,
  least = { twoTicks: 0.15, gap: 0.02 },
): void {
  const share = (count: number) => count / seen.quotes;
  const asked = rounds * 2 * venue.tiers.reduce((sum, { quotes }) => sum + quotes, 0);
  if (venue.leavesOut) expect(seen.quotes).toBeGreaterThan(asked * 0.4);
  else expect(seen.quotes).toBe(asked);
  expect(share(seen.twoTicks)).toBeGreaterThan(least.twoTicks);
  expect(share(seen.gap)).toBeGreaterThan(least.gap);
  expect(share(seen.exactOut)).toBeGreaterThan(0.4);
  expect(share(seen.rejected)).toBeLessThan(0.4);
  expect(share(seen.zeroForOne)).toBeGreaterThan(0.4);
}

function directionOf(zeroForOne: boolean) {
  return zeroForOne ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
}

/** Whether somewhere between the two ticks no liquidity is active. */
function crossesGap(state: ConcentratedState, end: number): boolean {
  let active = 0n;
  const [from, to] = end < state.tick ? [end, state.tick] : [state.tick, end];
  for (const tick of state.ticks) {
    if (tick.index > to) break;
    active += tick.liquidityNet;
    if (tick.index > from && active === 0n) return true;
  }
  return state.liquidity === 0n;
}
