import type { Hex } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import { isFlat } from "../../../src/pools/bins/fee.ts";
import { binsMath } from "../../../src/pools/bins/math.ts";
import type { BinsState } from "../../../src/pools/bins/state.ts";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import { liquidityBook } from "../../../src/venues/liquidity-book/source.ts";
import { uintAt } from "../../../src/venues/reading/words.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import {
  type BinPair,
  type BinsWorld,
  binPairAbi,
  deployBins,
  MIDDLE_BIN,
  PRESETS,
  pairCall,
  randomDeposits,
} from "../../venues/worlds/bins.ts";
import { transferData } from "../../venues/worlds/traffic/minted-tokens.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";

/** Our numbers against the pairs' own views and against swaps, while the price moves and time passes. */

const IS_LONG = process.env.TRIBUTARY_LONG === "1";
const STATES = IS_LONG ? 200 : 12;
const QUOTES_PER_STATE = 24;

vi.setConfig({ testTimeout: IS_LONG ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: BinsWorld;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployBins(anvil, true);
});
afterAll(() => anvil?.stop());

/** Bin steps, and prices of base units as powers of ten. */
const KINDS = [
  { binStep: 1, power: 0 },
  { binStep: 10, power: -12 },
  { binStep: 20, power: -9 },
  { binStep: 25, power: 11 },
  { binStep: 100, power: 3 },
] as const;

for (const { binStep, power } of KINDS) {
  test(`pairs with a bin step of ${binStep} around 10^${power} say and pay the same`, async () => {
    const seed = 1_000 * binStep + power;
    const random = createRandom(seed);
    const views = countCases("liquidity-book", `views-step-${binStep}`, seed);
    const swaps = countCases("liquidity-book", `swaps-step-${binStep}`, seed);
    const activeId = MIDDLE_BIN + Math.round((power * Math.LN10) / Math.log1p(binStep / 10_000));
    const pair = await world.createPair(binStep, activeId, PRESETS[binStep]!);
    await world.deposit(pair, randomDeposits(random, pair, activeId));
    const seen = { quotes: 0, exactIn: 0, exactOut: 0, severalBins: 0, swaps: 0, times: new Set<number>() };
    for (let round = 0; round < STATES; round++) {
      const { state, time } = await nextState(pair, random);
      seen.times.add(ageOf(state, time));
      const head = await anvil.head();
      const asked = Array.from({ length: QUOTES_PER_STATE }, () => anyQuote(state, random, time));
      const answers = await anvil.reader.calls(
        asked.map(({ direction, amount, exactOut }) => ({
          to: pair.address,
          data: pairCall(exactOut ? "getSwapIn" : "getSwapOut", [amount, direction.sell === 0]),
        })),
        head,
      );
      for (const [index, { direction, amount, exactOut }] of asked.entries()) {
        seen.quotes++;
        const [first, second] = [0, 1].map((word) => uintAt(answers[index] ?? "0x", word)) as [bigint, bigint];
        const [theirs, left] = exactOut ? [first, second] : [second, first];
        const quote = exactOut
          ? binsMath.quoteExactOut(state, direction, amount, time)
          : binsMath.quoteExactIn(state, direction, amount, time);
        if (isRejection(quote)) {
          if (quote.rejected === "TOO_SMALL") views.same(0n, theirs);
          else if (quote.rejected === "UNSUPPORTED") views.same(true, paysMore(state, direction, theirs, amount, time));
          else views.same(amount - (quote.most ?? 0n), left);
          continue;
        }
        seen[exactOut ? "exactOut" : "exactIn"]++;
        if (quote.next.activeId !== state.activeId) seen.severalBins++;
        views.same([quote.amount, 0n], [theirs, left]);
      }
      // The views and the swap agree; a few swaps show the state that they leave.
      for (const { direction, amount, exactOut } of asked.slice(0, 3)) {
        const quote = exactOut
          ? binsMath.quoteExactOut(state, direction, amount, time)
          : binsMath.quoteExactIn(state, direction, amount, time);
        if (isRejection(quote)) continue;
        seen.swaps++;
        const paid = exactOut ? quote.amount : amount;
        swaps.same(quote.next, await stateAfterSwap(pair, direction, paid, quote.next));
      }
    }
    expect(seen.exactIn).toBeGreaterThan(seen.quotes / 5);
    expect(seen.exactOut).toBeGreaterThan(seen.quotes / 8);
    expect(seen.severalBins).toBeGreaterThan(seen.quotes / 5);
    expect(seen.swaps).toBeGreaterThan(STATES);
    expect(seen.times.size).toBeGreaterThan(2);
  });
}

/** Index of the way, of three, in which a swap's volatility is counted. */
function ageOf({ fee }: BinsState, time: bigint): number {
  if (isFlat(fee)) return 0;
  const passed = time - fee.timeOfLastUpdate;
  return passed < fee.filterPeriod ? 0 : passed < fee.decayPeriod ? 1 : 2;
}

/** Moves the price or adds to bins, lets some time pass, and reads the pair. */
async function nextState(pair: BinPair, random: Random): Promise<{ state: BinsState; time: bigint }> {
  const before = await read(pair);
  const direction = random.chance(0.5) ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
  const { timestamp: now } = await anvil.head();
  const amount = amountUpTo(binsMath.limits(before, direction, now).maxSell / 2n, random);
  // A failed swap's payment would be part of the next swap.
  if (random.chance(0.8) && !isRejection(binsMath.quoteExactIn(before, direction, amount, now))) {
    await world.give(pair, direction.sell, amount);
    await world.call(pair, "swap", [direction.sell === 0, anvil.account]);
  }
  await anvil.mine();
  const activeId = await anvil.read<number>(pair.address, binPairAbi, "getActiveId");
  if (random.chance(0.5)) await world.deposit(pair, randomDeposits(random, pair, activeId));
  await anvil.mine();
  await anvil.rpc("evm_increaseTime", [random.pick([0, 1, 5, 9, 10, 29, 30, 100, 300, 599, 600, 1_500])]);
  const { timestamp } = await anvil.mine();
  return { state: await read(pair), time: timestamp };
}

async function read(pair: BinPair): Promise<BinsState> {
  const venue = { protocol: "liquidity-book", source: "LFJ", factory: world.factory, fromBlock: 0n } as const;
  const ref = {
    id: pair.address,
    address: pair.address,
    tokens: pair.tokens,
    terms: { binStep: String(pair.binStep) },
  };
  const [pool] = await liquidityBook(venue).sync(anvil.reader, [ref], await anvil.head());
  if (pool?.curve !== "bins") throw new Error("the pair cannot be read");
  return pool.state;
}

function anyQuote(state: BinsState, random: Random, time: bigint) {
  const direction: Direction = random.chance(0.5) ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
  const exactOut = random.chance(0.5);
  const { maxSell, maxBuy } = binsMath.limits(state, direction, time);
  const most = exactOut ? maxBuy : maxSell;
  const amount = random.chance(0.05) ? most + 1n : amountUpTo(most, random);
  return { direction, exactOut, amount };
}

/** Half of them even in the logarithm, half even. */
function amountUpTo(most: bigint, random: Random): bigint {
  if (most <= 1n) return 1n;
  return random.chance(0.5) ? random.between(1n, most) : (most * BigInt(random.int(1, 1_000_000))) / 1_000_000n + 1n;
}

/** Whether a swap of what the pair says that an amount costs brings more than it. */
function paysMore(state: BinsState, direction: Direction, cost: bigint, amount: bigint, time: bigint): boolean {
  const quote = binsMath.quoteExactIn(state, direction, cost, time);
  return !isRejection(quote) && quote.amount > amount;
}

/** State of the pair after a swap: the expected bins, and its active id. */
async function stateAfterSwap(
  pair: BinPair,
  { sell }: Direction,
  paid: bigint,
  expected: BinsState,
): Promise<BinsState> {
  const reads = ["getActiveId", "getVariableFeeParameters"].map((name) => ({ to: pair.address, data: pairCall(name) }));
  const bins = expected.bins.map(({ id }) => ({ to: pair.address, data: pairCall("getBin", [id]) }));
  const [, , active, moves, ...held] = await anvil.reader.calls(
    [
      { to: pair.tokens[sell] as Address, data: transferData(pair.address, paid) },
      { to: pair.address, data: pairCall("swap", [sell === 0, anvil.account]) },
      ...reads,
      ...bins,
    ],
    await anvil.head(),
  );
  const word = (data: Hex | undefined, index: number) => uintAt(data ?? "0x", index) ?? -1n;
  return {
    ...expected,
    activeId: Number(word(active, 0)),
    bins: expected.bins.map(({ id }, i) => ({ id, reserveX: word(held[i], 0), reserveY: word(held[i], 1) })),
    fee: {
      ...expected.fee,
      volatilityAccumulator: Number(word(moves, 0)),
      volatilityReference: Number(word(moves, 1)),
      idReference: Number(word(moves, 2)),
      timeOfLastUpdate: word(moves, 3),
    },
  };
}
