import { expect, test } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import { maverickMath } from "../../../src/pools/maverick/math.ts";
import { sqrtPriceAt } from "../../../src/pools/maverick/price.ts";
import type { MaverickState, MaverickTick } from "../../../src/pools/maverick/state.ts";
import { ticksAhead } from "../../../src/pools/maverick/swap.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { maverick } from "../../../src/venues/maverick/source.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import {
  type MaverickTerms,
  type MaverickWorld,
  maverickPoolAbi,
  STATIC,
  swapAt,
  swapData,
  tokensOf,
} from "../../venues/worlds/singletons/maverick.ts";
import { setBalance } from "../../venues/worlds/traffic/minted-tokens.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";
import { countCases } from "./tried-cases.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const POOLS = LONG ? 200 : 4;
/** Trades that move each pool, before each of which it is asked for some amounts. */
const MOVES = 3;
const SWAPS = LONG ? 16 : 8;
const ONE = 10n ** 18n;
const DECIMALS: readonly (readonly [number, number])[] = [
  [18, 18],
  [18, 6],
  [8, 6],
];
/** More than any swap here asks for. */
const PREPAID = 1n << 121n;

/** Contracts that are compared, and the first seed. */
interface MaverickCase {
  readonly what: string;
  readonly seed: number;
  readonly deploy: (anvil: Anvil) => Promise<MaverickWorld>;
}

/** Our numbers against the contracts' own swaps, in random states that pools come into by trades, and the state after each. */
export function testMaverick({ what, seed, deploy }: MaverickCase): void {
  const cases = DECIMALS.map((decimals) => ({ decimals }));
  test.each(cases)(`${what}: a pool of $decimals decimals trades as is said`, async ({ decimals }) => {
    const anvil = await startAnvil();
    try {
      const random = createRandom(seed);
      const tried = countCases("maverick", `${what}-${decimals.join("-")}`, seed);
      const world = await deploy(anvil);
      const made = await tokensOf(anvil, decimals);
      const source = maverick(world.record);
      const seen = { sales: 0, purchases: 0, most: 0, refused: 0, crossed: 0, moved: 0, late: 0 };
      for (let count = 0; count < POOLS; count++) {
        const terms = { ...made, ...randomTerms(random) };
        const pool = await world.create(terms);
        const read = async (): Promise<MaverickState> => {
          const ref = { id: pool, address: pool, tokens: made.tokens, terms: { accessor: `0x${"00".repeat(20)}` } };
          const [found] = await source.sync(anvil.reader, [ref], await anvil.head());
          if (found?.curve !== "maverick") throw new Error("the pool is not read");
          return found.state;
        };
        let state = await read();
        for (let move = 0; move < MOVES; move++) {
          const reserves = await pay(anvil, pool, made.tokens);
          if (random.chance(0.3)) {
            await anvil.rpc("evm_increaseTime", [random.int(1, 100_000)]);
            await anvil.mine();
            seen.late++;
          }
          for (let swap = 0; swap < SWAPS; swap++) {
            const [sellsA, exactOut, isMost] = [random.chance(0.5), random.chance(0.4), random.chance(0.1)];
            const direction = sellsA ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
            const { maxSell, maxBuy } = maverickMath.limits(state, direction, 0n);
            const most = exactOut ? maxBuy : maxSell;
            const amount = isMost ? most : random.between(1n, most + 1n);
            const ask = exactOut ? maverickMath.quoteExactOut : maverickMath.quoteExactIn;
            const quote = ask(state, direction, amount, 0n);
            if (isRejection(quote)) {
              seen.refused++;
              continue;
            }
            const tickLimit = ticksAhead(state, sellsA).at(-1)!.index;
            const answer = await swapAt(anvil, pool, { sellsA, exactOut, amount, tickLimit });
            const said = exactOut ? [quote.amount, amount] : [amount, quote.amount];
            const where = { sellsA, exactOut, amount, state };
            tried.same(
              answer,
              said,
              JSON.stringify(where, (_, value) => (typeof value === "bigint" ? String(value) : value)),
            );
            if (exactOut) seen.purchases++;
            else seen.sales++;
            if (isMost) seen.most++;
            if (quote.next.activeTick !== state.activeTick) seen.crossed++;
          }
          for (const [at, token] of made.tokens.entries()) await setBalance(anvil, token, pool, reserves[at]!);
          const sellsA = random.chance(0.5);
          const direction = sellsA ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
          const { maxSell } = maverickMath.limits(state, direction, 0n);
          const amount = random.between(1n, maxSell / 2n + 2n);
          const quote = maverickMath.quoteExactIn(state, direction, amount, 0n);
          if (isRejection(quote)) continue;
          const sold = sellsA ? 0 : 1;
          await setBalance(anvil, made.tokens[sold], pool, reserves[sold]! + amount);
          const tickLimit = ticksAhead(state, sellsA).at(-1)!.index;
          await anvil.send(pool, swapData(anvil.account, { sellsA, exactOut: false, amount, tickLimit }));
          await anvil.mine();
          state = await read();
          tried.same(state, quote.next, "state after a trade");
          seen.moved++;
        }
      }
      expect(seen.sales).toBeGreaterThan(POOLS * MOVES * SWAPS * 0.25);
      expect(seen.purchases).toBeGreaterThan(POOLS * MOVES * SWAPS * 0.15);
      expect(seen.crossed).toBeGreaterThan(POOLS);
      for (const count of [seen.most, seen.moved, seen.late]) expect(count).toBeGreaterThan(0);
    } finally {
      await anvil.stop();
    }
  });
}

/** Gives a pool more of both tokens than any swap asks for; answers what it held. */
async function pay(anvil: Anvil, pool: Address, tokens: readonly Address[]): Promise<readonly bigint[]> {
  const state = await anvil.read<{ readonly reserveA: bigint; readonly reserveB: bigint }>(
    ...([pool, maverickPoolAbi, "getState"] as const),
  );
  const reserves = [state.reserveA, state.reserveB];
  for (const [at, token] of tokens.entries()) await setBalance(anvil, token, pool, reserves[at]! + PREPAID);
  return reserves;
}

/** Terms that pools are made with: a row of ticks around the price, some of them empty, and some with next to nothing. */
function randomTerms(random: Random): Omit<MaverickTerms, "tokens" | "decimals"> {
  const tickSpacing = random.pick([1, 2, 10, 50, 198, 1_000, 5_000]);
  const far = Math.floor(300_000 / tickSpacing) - 20;
  const activeTick = random.int(
    -Math.min(far, Math.floor(60_000 / tickSpacing)),
    Math.min(far, Math.floor(60_000 / tickSpacing)),
  );
  const worth = random.between(10n ** 12n, 10n ** 27n);
  const ticks: MaverickTick[] = [];
  for (let index = activeTick - random.int(0, 12); index <= activeTick + random.int(0, 12); index++) {
    if (index !== activeTick && random.chance(0.15)) continue;
    ticks.push(tickOf(random, { index, activeTick, tickSpacing, worth }));
  }
  return {
    ...{ tickSpacing, activeTick, ticks, kinds: STATIC, protocolPart: random.pick([0, 0, 100, 250]) },
    fees: [randomFee(random), randomFee(random)],
  };
}

function randomFee(random: Random): bigint {
  return random.pick([0n, 1n, 10n ** 13n, 10n ** 14n, 3n * 10n ** 15n, 10n ** 17n, 9n * 10n ** 17n]);
}

function tickOf(
  random: Random,
  terms: { readonly index: number; readonly activeTick: number; readonly tickSpacing: number; readonly worth: bigint },
): MaverickTick {
  const { index, activeTick, tickSpacing, worth } = terms;
  const price = sqrtPriceAt(tickSpacing, index)!;
  // Both reserves are worth about as much, as they are where they came in by trades.
  const b = random.chance(0.1) ? BigInt(random.int(1, 1_000)) : (worth * BigInt(random.int(1, 1_000))) / 1_000n + 1n;
  const a = (b * price * price) / ONE ** 2n + 1n;
  if (index < activeTick) return { index, reserveA: a, reserveB: 0n };
  if (index > activeTick) return { index, reserveA: 0n, reserveB: b };
  return random.pick([
    { index, reserveA: a, reserveB: b },
    { index, reserveA: a / BigInt(random.int(1, 10_000)), reserveB: b },
    { index, reserveA: a, reserveB: b / BigInt(random.int(1, 10_000)) },
    { index, reserveA: a, reserveB: 0n },
    { index, reserveA: 0n, reserveB: b },
  ]);
}
