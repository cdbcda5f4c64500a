import { encodeFunctionData } from "viem";
import { expect, test } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import { ONE } from "../../../src/pools/euler-swap/branch.ts";
import { eulerSwapMath, partnerOf } from "../../../src/pools/euler-swap/math.ts";
import type { EulerSwapState, EulerSwapVersion } from "../../../src/pools/euler-swap/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { eulerSwap } from "../../../src/venues/euler-swap/source.ts";
import { uintAt } from "../../../src/venues/reading/words.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { type EulerWorld, eulerPoolAbi, tokensOf, tradeWith } from "../../venues/worlds/singletons/euler-swap.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";
import { countCases } from "./tried-cases.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const POOLS = LONG ? 90 : 5;
/** Trades that move each pool, before each of which it is asked for some amounts. */
const MOVES = 4;
const QUOTES = LONG ? 24 : 16;
const MAX_UINT112 = (1n << 112n) - 1n;
const DECIMALS: readonly (readonly [number, number])[] = [
  [18, 18],
  [18, 6],
  [6, 6],
];

/** Contracts that are compared, and the first seed. */
interface EulerCase {
  readonly what: string;
  readonly seed: number;
  readonly deploy: (anvil: Anvil) => Promise<EulerWorld>;
}

/** Our numbers against the contracts' own quotes and swaps, in random states that pools come into by trades. */
export function testEulerSwap({ what, seed, deploy }: EulerCase): void {
  const cases = (["v1", "v2"] as const).flatMap((version) => DECIMALS.map((decimals) => ({ version, decimals })));
  test.each(cases)(`${what}: a pool of $version of $decimals decimals trades as is said`, async (of) => {
    const anvil = await startAnvil();
    try {
      const { version, decimals } = of;
      const random = createRandom(seed);
      const tried = countCases("euler-swap", `${what}-${version}-${decimals.join("-")}`, seed);
      const world = await deploy(anvil);
      const tokens = await tokensOf(anvil, decimals);
      const source = eulerSwap(world.record);
      const seen = { exactIn: 0, exactOut: 0, back: 0, moved: 0 };
      for (let count = 0; count < POOLS; count++) {
        const terms = randomTerms(random, version, decimals);
        const pool = await world.create({ ...terms, tokens, held: [MAX_UINT112, MAX_UINT112] });
        const ref = { id: pool, address: pool, tokens, terms: {} };
        let told = "";
        const read = async (): Promise<EulerSwapState | undefined> => {
          const [found] = await source.sync(anvil.reader, [ref], await anvil.head(), (_, reason) => (told = reason));
          return found?.curve === "euler-swap" ? found.state : undefined;
        };
        let state = await read();
        expect(state, `${told} for ${textOf(terms)}`).toBeDefined();
        for (let move = 0; move < MOVES && state !== undefined; move++) {
          const asked = Array.from({ length: QUOTES }, () => randomQuestion(random, state as EulerSwapState));
          const said = await answersOf(anvil, pool, tokens, asked);
          for (const [index, question] of asked.entries()) {
            const ours = ourAnswer(state, question);
            if (ours === undefined) continue;
            tried.same(ours, said[index], textOf({ question, state }));
            seen[question.isExactIn ? "exactIn" : "exactOut"]++;
            if (state.reserves[question.sell] < state.equilibrium[question.sell]) seen.back++;
          }
          const sell = random.pick([0, 1] as const);
          const { maxSell } = eulerSwapMath.limits(state, { sell, buy: 1 - sell }, 0n);
          const amount = amountUpTo(random, maxSell);
          const quote = eulerSwapMath.quoteExactIn(state, { sell, buy: 1 - sell }, amount, 0n);
          if (isRejection(quote)) continue;
          await tradeWith(anvil, { pool, tokens }, { sell, sold: amount, bought: quote.amount });
          await anvil.mine();
          state = await read();
          tried.same(state?.reserves, quote.next.reserves, `${told} for ${textOf({ sell, amount, quote })}`);
          seen.moved++;
        }
      }
      expect(seen.exactIn).toBeGreaterThan(POOLS * MOVES * QUOTES * 0.25);
      expect(seen.exactOut).toBeGreaterThan(POOLS * MOVES * QUOTES * 0.25);
      expect(seen.back).toBeGreaterThan(POOLS * MOVES);
      expect(seen.moved).toBeGreaterThan(POOLS);
    } finally {
      await anvil.stop();
    }
  });
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each));
}

interface Question {
  readonly sell: 0 | 1;
  readonly amount: bigint;
  readonly isExactIn: boolean;
}

function randomQuestion(random: Random, state: EulerSwapState): Question {
  const sell = random.pick([0, 1] as const);
  const { maxSell, maxBuy } = eulerSwapMath.limits(state, { sell, buy: 1 - sell }, 0n);
  const isExactIn = random.chance(0.5);
  return { sell, isExactIn, amount: amountUpTo(random, isExactIn ? maxSell : maxBuy) };
}

/** An amount, even in the logarithm; now and then the most. */
function amountUpTo(random: Random, most: bigint): bigint {
  if (random.chance(0.1)) return most;
  const bits = random.int(1, most.toString(2).length);
  const amount = random.between(1n, 1n << BigInt(bits));
  return amount > most ? most : amount;
}

/** Answer of our maths; undefined where it trades nothing. A contract's own cost may be zero, of which ours asks for one. */
function ourAnswer(state: EulerSwapState, { sell, amount, isExactIn }: Question): bigint | undefined {
  const direction = { sell, buy: 1 - sell };
  const quote = isExactIn
    ? eulerSwapMath.quoteExactIn(state, direction, amount, 0n)
    : eulerSwapMath.quoteExactOut(state, direction, amount, 0n);
  return isRejection(quote) ? undefined : quote.amount;
}

async function answersOf(
  anvil: Anvil,
  pool: Address,
  tokens: readonly [Address, Address],
  asked: readonly Question[],
): Promise<readonly (bigint | undefined)[]> {
  const calls = asked.map(({ sell, amount, isExactIn }) => {
    const args = [tokens[sell], tokens[1 - sell], amount, isExactIn];
    return { to: pool, data: encodeFunctionData({ abi: eulerPoolAbi, functionName: "computeQuote", args }) };
  });
  const answers = await anvil.reader.calls(calls, await anvil.head());
  return answers.map((answer, index) => {
    const said = uintAt(answer ?? "0x", 0);
    return said === 0n && !asked[index]!.isExactIn ? 1n : said;
  });
}

/** Terms that pools are made with: from a few units to the ends of what a pool holds, and prices far apart. */
function randomTerms(
  random: Random,
  version: EulerSwapVersion,
  [first, second]: readonly [number, number],
): EulerSwapState {
  for (;;) {
    const [unit0, unit1] = [10n ** BigInt(first), 10n ** BigInt(second)];
    const price = random.between(10n ** 14n, 10n ** 22n);
    const large = random.between(10n, 10n ** BigInt(random.int(2, 12)));
    const x0 = random.chance(0.05) ? 0n : large * unit0 + BigInt(random.int(0, 1_000));
    const uneven = BigInt(random.int(10, 1_000));
    const y0 = (large * unit1 * price * uneven) / (100n * ONE) + 1n;
    const [px, py] = [(price * unit1) / 10n ** 3n + 1n, (ONE * unit0) / 10n ** 3n + 1n];
    const scale = px > 10n ** 24n || py > 10n ** 24n ? 10n ** 16n : random.pick([1n, 10n ** 6n]);
    const concentration = () =>
      random.pick([0n, 1n, 10n ** 12n, ONE / 10n, ONE / 2n, (9n * ONE) / 10n, ONE - 10n ** 13n, ONE - 1n, ONE]);
    const fee = () => random.pick([0n, 1n, 25n * 10n ** 12n, 3n * 10n ** 15n, ONE / 2n, ONE - 1n]);
    const [fee0, fee1] = [fee(), fee()];
    const free: EulerSwapState = {
      ...{ version, equilibrium: [x0, y0], reserves: [x0, y0], prices: [px / scale + 1n, py / scale + 1n] },
      ...{ concentrations: [concentration(), concentration()], fees: version === "v1" ? [fee0, fee0] : [fee0, fee1] },
      ...{ maxIn: [MAX_UINT112, MAX_UINT112], maxOut: [MAX_UINT112, MAX_UINT112] },
    };
    const below = random.pick([0, 1] as const);
    const reserve = (free.equilibrium[below] * BigInt(random.int(1, 1_000))) / 1_000n;
    const other = partnerOf(free, below, reserve);
    if (y0 > MAX_UINT112 / 4n || x0 > MAX_UINT112 / 4n || other === undefined || other > MAX_UINT112 / 2n) continue;
    const reserves = below === 0 ? ([reserve, other] as const) : ([other, reserve] as const);
    // Anybody may have left something in a pool.
    const left = random.chance(0.2) ? BigInt(random.int(0, 1_000)) : 0n;
    const bound = (token: 0 | 1) =>
      random.chance(0.5) ? MAX_UINT112 : (reserves[token] * BigInt(random.int(1, 2_000))) / 1_000n;
    return {
      ...{ ...free, reserves: [reserves[0] + left, reserves[1]] },
      ...{ maxIn: [bound(0), bound(1)], maxOut: [bound(0), bound(1)] },
    };
  }
}
