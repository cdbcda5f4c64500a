import { expect, test } from "vitest";
import { type Address, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { PoolRef } from "../../../src/market/liquidity-source.ts";
import { larger, smaller } from "../../../src/math/full-math.ts";
import { rangeOf, tickSpacingOf } from "../../../src/pools/ekubo/config.ts";
import { ekuboMath } from "../../../src/pools/ekubo/math.ts";
import { MAX_TICK } from "../../../src/pools/ekubo/ratio.ts";
import type { EkuboState } from "../../../src/pools/ekubo/state.ts";
import { ekuboSwap } from "../../../src/pools/ekubo/swap.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { configOfRange, configWithSpacing } from "../../pools/ekubo/arbitrary-ekubo.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { deployEkubo, type EkuboWorld } from "../../venues/worlds/singletons/ekubo.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";
import { deployTokens } from "../../venues/worlds/v3.ts";
import { type CaseCounter, countCases } from "./tried-cases.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const ROUNDS = LONG ? 6 : 2;
const SWAPS = 40;
const MAX_AMOUNT = (1n << 127n) - 1n;
/** Parts per million and tick spacings of pools with positions anywhere; the last are pools with one range. */
const KINDS = [
  { feePpm: 100n, spacing: 200 },
  { feePpm: 500n, spacing: 1_000 },
  { feePpm: 3_000n, spacing: 5_982 },
  { feePpm: 50_000n, spacing: 95_310 },
  { feePpm: 0n, spacing: 100 },
  { feePpm: 3_000n, amplification: 0 },
  { feePpm: 10n, amplification: 12 },
] as const;

/** A run: source of random numbers, and counters. */
interface Run {
  readonly random: Random;
  readonly tried: CaseCounter;
  readonly seen: Record<"swaps" | "exactOut" | "crossed" | "words" | "oneRange" | "refused" | "refusedByBoth", number>;
}

/** Our numbers against the contract's own swaps, either way, by the input and by the output, in random states of pools. */
export function testEkubo(what: string, seed: number, deploy?: (anvil: Anvil) => Promise<Address>): void {
  test(`${what} ${seed}: pools swap what is said`, async () => {
    const anvil = await startAnvil();
    try {
      const world = await deployEkubo(anvil, deploy);
      const random = createRandom(seed);
      const seen = { swaps: 0, exactOut: 0, crossed: 0, words: 0, oneRange: 0, refused: 0, refusedByBoth: 0 };
      const run: Run = { random, tried: countCases("ekubo", `${what}-${seed}`, seed), seen };
      for (let round = 0; round < ROUNDS; round++) {
        const [a, b] = await deployTokens(anvil, [world.desk]);
        for (const kind of KINDS) {
          const tokens = random.chance(0.2) ? ([ZERO_ADDRESS, a] as const) : ([a, b] as const);
          const pool = await createPool(anvil, world, random, tokens, kind);
          await compare(anvil, world, pool, run);
          await world.swap(pool, random.chance(0.5), random.ofBits(76) + 1n);
          await anvil.mine();
          await compare(anvil, world, pool, run);
        }
      }
      expect(seen.swaps).toBeGreaterThan(ROUNDS * KINDS.length * SWAPS);
      expect(seen.exactOut).toBeGreaterThan(seen.swaps / 4);
      expect(seen.crossed).toBeGreaterThan(seen.swaps / 8);
      expect(seen.words).toBeGreaterThan(seen.swaps / 40);
      expect(seen.oneRange).toBeGreaterThan(seen.swaps / 8);
      expect(seen.refused).toBeGreaterThan(0);
      // The contract refuses the same amounts, but for those whose last part moves no price.
      expect(seen.refusedByBoth).toBeGreaterThan(seen.refused * 0.7);
    } finally {
      await anvil.stop();
    }
  });
}

async function createPool(
  anvil: Anvil,
  world: EkuboWorld,
  random: Random,
  tokens: readonly [Address, Address],
  kind: (typeof KINDS)[number],
): Promise<PoolRef> {
  if ("amplification" in kind) {
    const center = kind.amplification === 0 ? 0 : random.int(-900_000, 900_000);
    const config = configOfRange(kind.feePpm, kind.amplification, center);
    const { lower, upper } = rangeOf(config);
    const [middle, reach] = [(lower + upper) / 2, (upper - lower) / 2];
    const far = kind.amplification === 0 ? 0.3 : 1.3;
    const tick = Math.round(middle + reach * far * (random.int(-1_000, 1_000) / 1_000));
    const pool = await world.create(tokens, config, tick);
    await world.modify(pool, lower, upper, random.ofBits(random.int(50, 84)) + 1_000n);
    await anvil.mine();
    return pool;
  }
  const { feePpm, spacing } = kind;
  const reach = Math.floor(MAX_TICK / spacing);
  const middle = random.int(-Math.floor(reach * 0.5), Math.floor(reach * 0.5));
  const inside = random.chance(0.3) ? 0 : random.int(0, spacing - 1);
  const pool = await world.create(tokens, configWithSpacing(feePpm, spacing), middle * spacing + inside);
  for (let position = 0; position < 12; position++) {
    const width = random.pick([1, 3, 20, 300, 900]);
    const offset = random.int(-width - random.pick([2, 40, 500]), random.pick([2, 40, 500]));
    const lower = Math.max(-reach, Math.min(reach - 1, middle + offset));
    const upper = Math.max(lower + 1, Math.min(reach, lower + random.int(1, width)));
    await world.modify(pool, lower * spacing, upper * spacing, random.ofBits(88) + 1n);
  }
  await anvil.mine();
  return pool;
}

/** Swaps of every size with a pool, each by itself. */
async function compare(anvil: Anvil, world: EkuboWorld, pool: PoolRef, { random, tried, seen }: Run): Promise<void> {
  const head = await anvil.head();
  const [read] = await world.source.sync(anvil.reader, [pool], head);
  if (read?.curve !== "ekubo") throw new Error("the pool cannot be read");
  const { state } = read;
  // To the end of the scale and its thousands of words goes more gas than a node lets a call have.
  const isCoarse = (tickSpacingOf(state.config) ?? MAX_TICK) > 5_000;
  const asked = Array.from({ length: SWAPS }, () => {
    const [zeroForOne, exactIn] = [random.chance(0.5), random.chance(0.5)];
    const { maxSell, maxBuy } = ekuboMath.limits(state, directionOf(zeroForOne), 0n);
    const most = exactIn ? maxSell : maxBuy;
    const amount = isCoarse && random.chance(0.05) ? most + BigInt(random.int(1, 2)) : amountUpTo(random, most);
    return { zeroForOne, exactIn, amount: smaller(MAX_AMOUNT, amount), most };
  }).filter(({ amount, most }) => isCoarse || amount <= most);
  const calls = asked.map(({ zeroForOne, exactIn, amount }) =>
    world.quote(pool, zeroForOne, exactIn ? amount : -amount),
  );
  const answers = (
    await Promise.all([0, 1, 2, 3].map((part) => anvil.reader.calls(calls.slice(10 * part, 10 * part + 10), head)))
  ).flat();
  for (const [index, { zeroForOne, exactIn, amount }] of asked.entries()) {
    const quote = ekuboMath[exactIn ? "quoteExactIn" : "quoteExactOut"](state, directionOf(zeroForOne), amount, 0n);
    const answer = answers[index];
    const theirs = answer && world.decode(answer, zeroForOne);
    const isWhole = theirs !== undefined && (exactIn ? theirs.paid : theirs.got) === amount && theirs.got > 0n;
    if (isRejection(quote)) {
      seen.refused++;
      if (!isWhole) seen.refusedByBoth++;
      continue;
    }
    const where = JSON.stringify({ id: pool.id, zeroForOne, exactIn, amount: String(amount) });
    tried.same(exactIn ? theirs?.got : theirs?.paid, quote.amount, where);
    if (!isWhole) throw new Error(`the contract makes no whole swap: ${where}`);
    count(state, zeroForOne, exactIn, amount, seen);
  }
}

function count(state: EkuboState, zeroForOne: boolean, exactIn: boolean, amount: bigint, seen: Run["seen"]): void {
  const { ticksCrossed, wordsRead } = ekuboSwap(state, zeroForOne, exactIn, amount);
  seen.swaps++;
  if (!exactIn) seen.exactOut++;
  if (ticksCrossed > 0) seen.crossed++;
  if (wordsRead > ticksCrossed + 1) seen.words++;
  if (tickSpacingOf(state.config) === undefined) seen.oneRange++;
}

const directionOf = (zeroForOne: boolean) => (zeroForOne ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 });

/** Amounts of every size, the most too. */
function amountUpTo(random: Random, most: bigint): bigint {
  if (random.chance(0.02)) return larger(1n, most);
  if (random.chance(0.1)) return random.between(1n, larger(1n, most));
  const bits = most.toString(2).length;
  return smaller(larger(1n, most), random.ofBits(random.int(1, Math.max(1, bits))) + 1n);
}
