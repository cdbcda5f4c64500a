import { expect, test } from "vitest";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { larger } from "../../../src/math/full-math.ts";
import { fluidMath } from "../../../src/pools/fluid/math.ts";
import { collateralReserves, debtReserves } from "../../../src/pools/fluid/reserves.ts";
import type { FluidState, PerToken } from "../../../src/pools/fluid/state.ts";
import { mayPayOneLess } from "../../../src/pools/fluid/swap.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { unpacked } from "../../../src/venues/fluid/layer.ts";
import { fluid } from "../../../src/venues/fluid/source.ts";
import { rangeAround, scaleOf } from "../../pools/fluid/arbitrary-fluid.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import {
  type FluidWords,
  type FluidWorld,
  packed,
  paidAt,
  swapAt,
  type TestToken,
  tokensOf,
  wordOfFields,
  writeWords,
} from "../../venues/worlds/singletons/fluid.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";
import { type CaseCounter, countCases } from "./tried-cases.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const STATES = LONG ? 180 : 8;
const SWAPS = LONG ? 40 : 10;
const PRICE_ONE = 10n ** 27n;
const SHARE_ONE = 10n ** 12n;
const KINDS: readonly (readonly [TestToken, TestToken])[] = [
  [18, 6],
  ["native", 6],
  ["native", 18],
  [8, 18],
  [6, 6],
  [18, 18],
];

/** Contracts that are compared, and the first seed. */
interface FluidCase {
  readonly what: string;
  readonly seed: number;
  readonly deploy: (anvil: Anvil) => Promise<FluidWorld>;
}

/** Our numbers against the contracts' own swaps, either way, by the input and by the output, in random states of pools. */
export function testFluid({ what, seed, deploy }: FluidCase): void {
  test.each(KINDS)(`${what}: pools of %s and %s decimals swap what is said`, async (...kinds) => {
    const anvil = await startAnvil();
    try {
      const random = createRandom(seed);
      const tried = countCases("fluid", `${what}-${kinds.join("-")}`, seed);
      const world = await deploy(anvil);
      const tokens = await tokensOf(anvil, kinds);
      const decimals = await decimalsOf(anvil, tokens);
      const pool = await world.createPool(tokens);
      const seen = { swaps: 0, exactOut: 0, short: 0, both: 0, most: 0, refused: 0, refusedByBoth: 0 };
      for (let round = 0; round < STATES; round++) {
        const { timestamp } = await anvil.head();
        await writeWords(anvil, world, { pool, tokens }, randomWords(random, decimals, timestamp));
        await anvil.rpc("evm_increaseTime", [random.pick([1, 12, 600, 40_000])]);
        const ref = { id: pool, address: pool, tokens, terms: {} };
        const [read] = await fluid(world.record).sync(anvil.reader, [ref], await anvil.mine());
        if (read?.curve !== "fluid") continue;
        await swapThere(anvil, { state: read.state, pool, tokens }, { random, tried, seen });
      }
      expect(seen.swaps).toBeGreaterThan(STATES * SWAPS * 0.3);
      expect(seen.exactOut).toBeGreaterThan(seen.swaps / 4);
      expect(seen.both).toBeGreaterThan(seen.swaps / 8);
      expect(seen.most).toBeGreaterThan(0);
      // Parts of collateral and debt that are rounded down each.
      if (LONG && decimals.some((each) => each < 12)) expect(seen.short).toBeGreaterThan(0);
      // The contracts refuse the same amounts, except within the room left for their roundings.
      expect(seen.refusedByBoth).toBeGreaterThan(seen.refused * 0.7);
    } finally {
      await anvil.stop();
    }
  });
}

/** A pool as it was read, on the chain. */
interface ReadPool {
  readonly state: FluidState;
  readonly pool: Address;
  readonly tokens: readonly Address[];
}

/** Source of random numbers and counters of a run. */
interface Run {
  readonly random: Random;
  readonly tried: CaseCounter;
  readonly seen: Record<"swaps" | "exactOut" | "short" | "both" | "most" | "refused" | "refusedByBoth", number>;
}

/** Swaps of every size with a pool, each by itself. */
async function swapThere(anvil: Anvil, { state, pool, tokens }: ReadPool, { random, tried, seen }: Run): Promise<void> {
  for (let count = 0; count < SWAPS; count++) {
    const [sell, exactOut] = [random.int(0, 1), random.chance(0.5)];
    const direction = { sell, buy: 1 - sell };
    const { maxSell, maxBuy } = fluidMath.limits(state, direction, 0n);
    const most = exactOut ? maxBuy : maxSell;
    const [isMost, isBeyond] = [random.chance(0.1), random.chance(0.1)];
    const amount = isBeyond ? most + most / 50n + 1n : isMost ? most : amountUpTo(random, most);
    const quote = fluidMath[exactOut ? "quoteExactOut" : "quoteExactIn"](state, direction, amount, 0n);
    const unit = state.down[1 - sell]!;
    const more = mayPayOneLess(state, (1 - sell) as 0 | 1) ? 1n : 0n;
    const asked = exactOut ? ((amount + unit - 1n) / unit) * unit + more : amount;
    const sold = !exactOut ? amount : isRejection(quote) ? 1n << 90n : quote.amount;
    const value = tokens[sell] === NATIVE_TOKEN ? sold : 0n;
    const answer = await swapAt(anvil, pool, { sells0: sell === 0, exactOut, amount: asked, value });
    if (isRejection(quote)) {
      seen.refused++;
      if (typeof answer === "string") seen.refusedByBoth++;
      continue;
    }
    const where = JSON.stringify({ sell, exactOut, amount: String(amount) });
    tried.same(answer, quote.amount, where);
    seen.swaps++;
    if (exactOut) seen.exactOut++;
    const bought = tokens[1 - sell]!;
    if (exactOut && bought !== NATIVE_TOKEN) {
      const paid = await paidAt(anvil, pool, bought, { sells0: sell === 0, amount: asked, value });
      expect(paid, where).toBeGreaterThanOrEqual(amount);
      expect(paid, where).toBeLessThanOrEqual(asked);
      if (paid < asked) seen.short++;
    }
    if (isMost) seen.most++;
    if (state.collateral && state.debt) seen.both++;
  }
}

/** The tokens' decimals in the pool's order. */
async function decimalsOf(anvil: Anvil, tokens: readonly Address[]): Promise<readonly [number, number]> {
  const answers = await anvil.reader.calls(
    tokens.map((to) => ({ to, data: "0x313ce567" as const })),
    await anvil.head(),
  );
  const [first, second] = tokens.map((token, index) => (token === NATIVE_TOKEN ? 18 : Number(answers[index])));
  return [first!, second!];
}

/** Amounts of every size. */
function amountUpTo(random: Random, most: bigint): bigint {
  const least = most >> 30n;
  if (random.chance(0.5)) return random.between(least + 1n, most > least ? most : least + 1n);
  const bits = most.toString(2).length;
  const amount = random.ofBits(random.int(Math.max(1, bits - 24), Math.max(1, bits))) + 1n;
  return amount > most ? most : amount;
}

/** Words of a pool in a state that Fluid's have: within a range, worth about as much of either token or very unevenly so. */
function randomWords(random: Random, decimals: readonly [number, number], time: bigint): FluidWords {
  const kind = random.pick(["collateral", "debt", "both", "both"]);
  const center = unpacked(
    packed(random.pick([PRICE_ONE, (PRICE_ONE * 1_171n) / 1_000n, PRICE_ONE * 2_140n, PRICE_ONE / 2_140n]), 32n),
  );
  const width = [random.pick([300n, 5_000n, 90_000n]), random.pick([300n, 4_000n, 150_000n])] as const;
  const range = rangeAround(center, ...width);
  const scales = decimals.map(scaleOf) as [ReturnType<typeof scaleOf>, ReturnType<typeof scaleOf>];
  const worth = 10n ** 12n * random.between(10n ** 3n, 10n ** 8n);
  const share = BigInt(random.chance(0.05) ? random.pick([0, 100]) : random.int(5, 95));
  const owedShare = BigInt(random.int(30, 70));
  // As much worth as a part of `worth`, in twelve decimals.
  const amounts = (part: bigint): PerToken => [
    (((worth * part) / 100n) * PRICE_ONE) / center + 1n,
    (worth * (100n - part)) / 100n + 1n,
  ];
  const isSmall = center < PRICE_ONE / 100n;
  const even = (held: PerToken): PerToken => (isSmall ? [held[0] / 2_000n, held[1] / 2_000n + 1n] : held);
  const units = (held: PerToken): PerToken => [
    (held[0] * scales[0].down) / scales[0].up,
    (held[1] * scales[1].down) / scales[1].up,
  ];
  const [held, owed] = [even(amounts(share)), even(amounts(kind === "both" ? 100n - share : owedShare))];
  const collateral = kind === "debt" ? undefined : collateralReserves(range, held);
  const debt = kind === "collateral" ? undefined : debtReserves(range, owed);
  const traded = collateral ?? debt;
  const price = traded === undefined ? center : (traded.imaginary[1] * PRICE_ONE) / traded.imaginary[0];
  const last = (price * BigInt(random.int(970, 1_030))) / 1_000n;
  const isNow = random.chance(0.1);
  const terms = wordOfFields([
    [0, kind === "debt" ? 0n : 1n],
    [1, kind === "collateral" ? 0n : 1n],
    [2, random.pick([0n, 50n, 500n, 10_000n])],
    [19, random.pick([0n, 10n, 50n])],
    [27, width[0]],
    [47, width[1]],
    [172, packed(center * 16n, 20n)],
    [200, packed(center / 16n, 20n)],
    [228, random.pick([1_000n, 900n])],
    [238, random.pick([1_000n, 850n])],
  ]);
  const prices = wordOfFields([
    [1, packed((last * BigInt(random.int(990, 1_010))) / 1_000n, 32n)],
    [41, packed(last, 32n)],
    [81, packed(center, 32n)],
    [121, isNow ? time : time - 500n],
  ]);
  const [heldUnits, owedUnits] = [units(held), units(owed)];
  const tokens = [0, 1].map((index) => tokenWords(random, heldUnits[index]!, owedUnits[index]!, time));
  return { prices, terms, tokens };
}

/** State of one token in the layer: shares that have gained or none, limits that bind or not. */
function tokenWords(random: Random, held: bigint, owed: bigint, time: bigint): FluidWords["tokens"][number] {
  const inShares = random.chance(0.7);
  const [supplyPrice, debtPrice] = [SHARE_ONE + random.ofBits(37), SHARE_ONE + random.ofBits(38)];
  const raw = (amount: bigint, price: bigint) => (inShares ? (amount * SHARE_ONE) / price : amount);
  const [supplied, borrowed] = [raw(held, supplyPrice), raw(owed, debtPrice)];
  const expands = random.pick([2_000n, 5_000n, 10_000n]);
  const last = time - BigInt(random.int(0, 50_000));
  // The pool may be all that a token has in the layer, of which half goes at once. No more is owed than supplied.
  const allOwed = held * BigInt(random.int(0, 2)) + owed;
  const all = larger(held * BigInt(random.chance(0.2) ? 1 : random.int(2, 400)), allOwed + allOwed / 8n);
  const user = (amount: bigint, limit: bigint, up: boolean) =>
    wordOfFields([
      [0, inShares ? 1n : 0n],
      [1, packed(amount, 56n, up)],
      [65, packed(limit, 56n)],
      [129, last],
      [162, expands],
      [176, 43_200n],
    ]);
  const supply =
    user(supplied, random.chance(0.5) ? 0n : (supplied * BigInt(random.int(60, 100))) / 100n, false) |
    wordOfFields([[200, packed(1_000n, 10n)]]);
  const ceiling = borrowed * BigInt(random.int(1, 4)) + (borrowed >> 3n);
  const debt =
    user(borrowed, borrowed, true) |
    wordOfFields([
      [200, packed(borrowed + (borrowed >> random.pick([1n, 4n])), 10n)],
      [218, packed(ceiling, 10n)],
    ]);
  const side = inShares ? 0 : 64;
  const totals = wordOfFields([
    [side, packed(raw(all, supplyPrice), 56n)],
    [128 + side, packed(raw(allOwed, debtPrice), 56n, true)],
  ]);
  const mostBorrowed = random.pick([0n, 0n, 9_300n]);
  const price = wordOfFields([
    [0, random.pick([0n, 300n, 1_200n])],
    [58, last],
    [91, supplyPrice],
    [155, debtPrice],
    [249, mostBorrowed > 0n ? 1n : 0n],
  ]);
  return { supply, debt, totals, config: mostBorrowed, price };
}
