import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Address } from "../../src/domain/address.ts";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import { concentratedMath } from "../../src/pools/concentrated/math.ts";
import type { ConcentratedState } from "../../src/pools/concentrated/state.ts";
import { MOST_STEPS, swap } from "../../src/pools/concentrated/swap.ts";
import { isRejection, type PoolLimits } from "../../src/pools/pool-math.ts";
import { uniswapV3 } from "../../src/sources/uniswap-v3/source.ts";
import { type Anvil, startAnvil } from "../sources/anvil.ts";
import { createRandom } from "../sources/random.ts";
import { deployTokens, deployV3, initialize, quoterAbi, setProtocolFee, type V3World } from "../sources/v3-world.ts";

/** Our numbers against QuoterV2 over the real pool contract, at the same state. */

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: V3World;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployV3(anvil);
});
afterAll(() => anvil?.stop());

/** Far trades over spacing 1 read thousands of words each, in the real contract too: fewer of them. */
const FEES = [
  { fee: 100, spacing: 1, quotes: 15 },
  { fee: 500, spacing: 10, quotes: 75 },
  { fee: 3000, spacing: 60, quotes: 90 },
  { fee: 10000, spacing: 200, quotes: 90 },
] as const;
const ROUNDS = process.env.TRIBUTARY_LONG ? 40 : 4;
const LIMIT = 887272;

test("exact-in and exact-out are QuoterV2's to the wei, over many ticks, words and gaps", async ({ annotate }) => {
  const random = createRandom(20_261);
  const seen = {
    quotes: 0,
    rejected: 0,
    twoTicks: 0,
    words: 0,
    gap: 0,
    exactOut: 0,
    zeroForOne: 0,
    tooSmall: 0,
    cut: 0,
  };

  for (let round = 0; round < ROUNDS; round++) {
    const pair = await deployTokens(anvil, [world.manager, world.router]);
    for (const { fee, spacing, quotes } of FEES) {
      const pool = await world.createPool(pair, fee);
      const reach = Math.floor(LIMIT / spacing);
      const middle = random.int(-Math.floor(reach * 0.6), Math.floor(reach * 0.6));
      const inside = BigInt(random.int(0, 999));
      const low = sqrtRatioAtTick(middle * spacing);
      const high = sqrtRatioAtTick((middle + 1) * spacing);
      await initialize(anvil, pool, random.chance(0.3) ? low : low + ((high - low) * inside) / 1000n);
      await anvil.mine();
      for (let position = 0; position < 14; position++) {
        const width = random.pick([1, 3, 20, 300, 1200]);
        const offset = random.int(-width - random.pick([2, 40, 600]), random.pick([2, 40, 600]));
        const lower = Math.max(-reach, Math.min(reach - 1, middle + offset));
        const upper = Math.max(lower + 1, Math.min(reach, lower + random.int(1, width)));
        const size = [random.ofBits(90), random.ofBits(90)] as const;
        await world.mint(pair, fee, lower * spacing, upper * spacing, size);
      }
      if (random.chance(0.5)) await world.mint(pair, fee, -reach * spacing, reach * spacing, [1n << 70n, 1n << 70n]);
      if (random.chance(0.5)) await setProtocolFee(anvil, pool);
      await anvil.mine();
      await compareState(pair, pool, fee, quotes);
      await world.swapExactIn(...(random.chance(0.5) ? pair : ([pair[1], pair[0]] as const)), fee, random.ofBits(80));
      await anvil.mine();
      await compareState(pair, pool, fee, quotes);
    }
  }

  async function compareState(pair: readonly [Address, Address], pool: Address, fee: number, count: number) {
    const state = await read(pair, pool, fee);
    const quotes: { readonly zeroForOne: boolean; readonly exactIn: boolean; readonly amount: bigint }[] = [];
    const limits = [true, false].map((zeroForOne) => concentratedMath.limits(state, directionOf(zeroForOne), 0n));
    for (let index = 0; index < count; index++) {
      const zeroForOne = random.chance(0.5);
      const exactIn = random.chance(0.5);
      const { maxSell, maxBuy } = limits[zeroForOne ? 0 : 1] as PoolLimits;
      const most = exactIn ? maxSell : maxBuy;
      const amount = random.chance(0.05) ? most + BigInt(random.int(0, 1)) : random.between(1n, most > 4n ? most : 4n);
      quotes.push({ zeroForOne, exactIn, amount: amount > 0n ? amount : 1n });
    }
    const answers = await anvil.reader.calls(
      quotes.map(({ zeroForOne, exactIn, amount }) => {
        const [tokenIn, tokenOut] = zeroForOne ? pair : [pair[1], pair[0]];
        const params = exactIn
          ? { tokenIn, tokenOut, amountIn: amount, fee, sqrtPriceLimitX96: 0n }
          : { tokenIn, tokenOut, amount, fee, sqrtPriceLimitX96: 0n };
        const functionName = exactIn ? "quoteExactInputSingle" : "quoteExactOutputSingle";
        return { to: world.quoter, data: encodeFunctionData({ abi: quoterAbi as Abi, functionName, args: [params] }) };
      }),
      await anvil.head(),
    );
    for (const [index, { zeroForOne, exactIn, amount }] of quotes.entries()) {
      const answer = answers[index];
      const quote = exactIn
        ? concentratedMath.quoteExactIn(state, directionOf(zeroForOne), amount, 0n)
        : concentratedMath.quoteExactOut(state, directionOf(zeroForOne), amount, 0n);
      const what = `${JSON.stringify({ fee, zeroForOne, exactIn, amount: String(amount), index })}`;
      const outcome = swap(state, zeroForOne, exactIn, amount);
      seen.quotes++;
      if (zeroForOne) seen.zeroForOne++;
      if (!exactIn) seen.exactOut++;
      const theirs = answer && decodeQuote(exactIn, answer);
      if (isRejection(quote)) {
        seen.rejected++;
        if (quote.rejected === "TOO_SMALL") {
          seen.tooSmall++;
          expect(theirs?.[0], what).toBe(0n);
        } else if (exactIn) {
          // The quoter answers with what it could do; the price then stands at the end of the scale, or beyond ours.
          const whole = outcome.wordsRead < MOST_STEPS;
          if (!whole) seen.cut++;
          if (whole) expect(theirs === undefined || theirs[1] === outcome.next.sqrtPriceX96, what).toBe(true);
          if (theirs !== undefined && whole) expect(theirs[0], what).toBe(outcome.amountOut);
          if (theirs !== undefined) expect(theirs[0], what).toBeGreaterThanOrEqual(outcome.amountOut);
        } else if (outcome.wordsRead < MOST_STEPS) {
          expect(theirs, what).toBeUndefined();
        }
        continue;
      }
      if (theirs === undefined) throw new Error(`the quoter refuses what we quote: ${what}`);
      expect(quote.amount, what).toBe(theirs[0]);
      expect(quote.next.sqrtPriceX96, what).toBe(theirs[1]);
      if (outcome.ticksCrossed >= 2) seen.twoTicks++;
      if (outcome.wordsRead > outcome.ticksCrossed + 1) seen.words++;
      if (crossesGap(state, outcome.next.tick)) seen.gap++;
    }
  }

  const share = (count: number) => count / seen.quotes;
  await annotate(JSON.stringify(seen));
  expect(seen.quotes).toBe(ROUNDS * 2 * FEES.reduce((sum, { quotes }) => sum + quotes, 0));
  expect(share(seen.twoTicks)).toBeGreaterThan(0.15);
  expect(share(seen.words)).toBeGreaterThan(0.1);
  expect(share(seen.gap)).toBeGreaterThan(0.02);
  expect(share(seen.exactOut)).toBeGreaterThan(0.4);
  expect(share(seen.rejected)).toBeLessThan(0.4);
  expect(share(seen.zeroForOne)).toBeGreaterThan(0.4);
});

async function read(pair: readonly [Address, Address], pool: Address, fee: number): Promise<ConcentratedState> {
  const source = uniswapV3({ protocol: "uniswap-v3", source: "V3", factory: world.factory, fromBlock: 0n });
  const ref = { id: pool, address: pool, tokens: pair, terms: { fee: String(fee) } };
  const [found] = await source.sync(anvil.reader, [ref], await anvil.head());
  if (found?.curve !== "concentrated") throw new Error("the pool cannot be read");
  return found.state;
}

function directionOf(zeroForOne: boolean) {
  return zeroForOne ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
}

function decodeQuote(exactIn: boolean, data: Hex): readonly [bigint, bigint, number, bigint] {
  const functionName = exactIn ? "quoteExactInputSingle" : "quoteExactOutputSingle";
  return decodeFunctionResult({ abi: quoterAbi as Abi, functionName, data }) as [bigint, bigint, number, bigint];
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
