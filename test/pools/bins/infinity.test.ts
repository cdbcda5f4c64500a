import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { PoolRef } from "../../../src/market/liquidity-source.ts";
import { binsMath } from "../../../src/pools/bins/math.ts";
import type { BinsState } from "../../../src/pools/bins/state.ts";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { MIDDLE_BIN, randomDeposits } from "../../venues/worlds/bins.ts";
import { deployInfinityBins, type InfinityBinsWorld, PLAIN } from "../../venues/worlds/singletons/infinity-bins.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";
import { deployTokens } from "../../venues/worlds/v3.ts";

/** Our numbers against what a manager's swaps come to, while the price moves and fees change. */

const IS_LONG = process.env.TRIBUTARY_LONG === "1";
const STATES = IS_LONG ? 180 : 8;
const QUOTES_PER_STATE = 30;

vi.setConfig({ testTimeout: IS_LONG ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: InfinityBinsWorld;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployInfinityBins(anvil);
});
afterAll(() => anvil?.stop());

/** Bin steps, fees, and prices of base units as powers of ten. */
const KINDS = [
  { binStep: 1, fee: 0, power: 0 },
  { binStep: 10, fee: 100, power: -12 },
  { binStep: 25, fee: 3_000, power: 11 },
  { binStep: 100, fee: 100_000, power: 3 },
] as const;

for (const { binStep, fee, power } of KINDS) {
  test(`pools with a bin step of ${binStep} and a fee of ${fee} around 10^${power} pay the same`, async () => {
    const seed = 2_000 * binStep + power;
    const random = createRandom(seed);
    const tried = countCases("infinity-bin", `swaps-step-${binStep}`, seed);
    const tokens = await deployTokens(anvil, world.spenders);
    const activeId = MIDDLE_BIN + Math.round((power * Math.LN10) / Math.log1p(binStep / 10_000));
    const pool = await world.initialize(tokens, { ...PLAIN, fee, binStep }, activeId);
    const pair = { address: pool.address, tokens, binStep };
    await world.mint(pool, randomDeposits(random, pair, activeId));
    const seen = { quotes: 0, exactIn: 0, exactOut: 0, severalBins: 0, refused: 0 };
    for (let round = 0; round < STATES; round++) {
      const state = await nextState(pool, random, round);
      const asked = Array.from({ length: QUOTES_PER_STATE }, () => anyQuote(state, random));
      const answers = await anvil.reader.calls(
        asked.map(({ direction, amount, exactOut }) =>
          world.quote(pool, direction.sell === 0, exactOut ? -amount : amount),
        ),
        await anvil.head(),
      );
      for (const [index, { direction, amount, exactOut }] of asked.entries()) {
        const what = JSON.stringify({ round, direction, amount: String(amount), exactOut });
        seen.quotes++;
        const quote = exactOut
          ? binsMath.quoteExactOut(state, direction, amount, 0n)
          : binsMath.quoteExactIn(state, direction, amount, 0n);
        const theirs = answers[index];
        if (isRejection(quote)) {
          seen.refused++;
          tried.same(undefined, theirs, what);
          continue;
        }
        seen[exactOut ? "exactOut" : "exactIn"]++;
        if (quote.next.activeId !== state.activeId) seen.severalBins++;
        const delta = BigInt.asIntN(256, BigInt(theirs ?? "0x0"));
        const [first, second] = [delta >> 128n, BigInt.asIntN(128, delta)];
        const [paid, got] = direction.sell === 0 ? [-first, second] : [-second, first];
        tried.same(exactOut ? [quote.amount, amount] : [amount, quote.amount], [paid, got], what);
      }
    }
    expect(seen.exactIn).toBeGreaterThan(seen.quotes / 5);
    expect(seen.exactOut).toBeGreaterThan(seen.quotes / 5);
    expect(seen.severalBins).toBeGreaterThan(seen.quotes / 10);
    expect(seen.refused).toBeGreaterThan(0);
  });
}

/** Trades, gives, takes and changes fees at random, and answers the pool as it then is. */
async function nextState(pool: PoolRef, random: Random, round: number): Promise<BinsState> {
  const before = await stateOf(pool);
  const pair = { address: pool.address, tokens: pool.tokens as [never, never], binStep: before.binStep };
  if (random.chance(0.3)) await world.setProtocolFees(pool, random.int(0, 4_000), random.int(0, 4_000));
  if (random.chance(0.7)) await world.mint(pool, randomDeposits(random, pair, before.activeId));
  if (round > 0) {
    const { direction, amount, exactOut } = anyQuote(before, random);
    await world.swap(pool, direction.sell === 0, exactOut ? -amount : amount);
  }
  await anvil.mine();
  return stateOf(pool);
}

async function stateOf(pool: PoolRef): Promise<BinsState> {
  const [found] = await world.source.sync(anvil.reader, [pool], await anvil.head());
  if (found?.curve !== "bins") return { binStep: Number(pool.terms.binStep), activeId: 0, bins: [], fee: EMPTY };
  return found.state;
}

const EMPTY = { lpPpm: 0, protocolPpm: [0, 0] } as const;

function anyQuote(state: BinsState, random: Random) {
  const direction: Direction = random.chance(0.5) ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
  const exactOut = random.chance(0.5);
  const { maxSell, maxBuy } = binsMath.limits(state, direction, 0n);
  const most = exactOut ? maxBuy : maxSell;
  const part = random.chance(0.5)
    ? (most * BigInt(random.int(1, 99))) / 100n
    : random.between(1n, most > 4n ? most : 4n);
  const amount = random.chance(0.05) ? most + BigInt(random.int(0, 1)) : part;
  return { direction, exactOut, amount: amount > 0n ? amount : 1n };
}
