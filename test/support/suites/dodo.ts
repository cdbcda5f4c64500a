import { expect, test } from "vitest";
import { dodoMath } from "../../../src/pools/dodo/math.ts";
import type { DodoState } from "../../../src/pools/dodo/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { dodo } from "../../../src/venues/dodo/source.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { type DodoTerms, type DodoWorld, sellAt, sendTo, tokensOf } from "../../venues/worlds/singletons/dodo.ts";
import { setBalance } from "../../venues/worlds/traffic/minted-tokens.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";
import { countCases } from "./tried-cases.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const POOLS = LONG ? 60 : 4;
/** Trades that move each pool, before each of which it is asked for some amounts. */
const MOVES = 4;
const SALES = LONG ? 16 : 6;
const ONE = 10n ** 18n;
const KINDS = ["DVM", "DPP", "DSP"] as const;
const DECIMALS: readonly (readonly [number, number])[] = [
  [18, 18],
  [18, 6],
  [8, 18],
];

/** Contracts that are compared, and the first seed. */
interface DodoCase {
  readonly what: string;
  readonly seed: number;
  readonly deploy: (anvil: Anvil) => Promise<DodoWorld>;
}

/** Our numbers against the contracts' own sales, in random states that pools come into by trades, and the state after each. */
export function testDodo({ what, seed, deploy }: DodoCase): void {
  const cases = KINDS.flatMap((kind) => DECIMALS.map((decimals) => ({ kind, decimals })));
  test.each(cases)(`${what}: a $kind of $decimals decimals pays what is said`, async ({ kind, decimals }) => {
    const anvil = await startAnvil();
    try {
      const random = createRandom(seed);
      const tried = countCases("dodo", `${what}-${kind}-${decimals.join("-")}`, seed);
      const world = await deploy(anvil);
      const tokens = await tokensOf(anvil, decimals);
      const source = dodo(world.record);
      const seen = { pools: 0, sales: 0, back: 0, most: 0, refused: 0, moved: 0 };
      for (let count = 0; count < POOLS; count++) {
        const pool = await world.create({ kind, tokens, ...randomTerms(random, decimals) });
        const ref = { id: pool, address: pool, tokens, terms: {} };
        const read = async (): Promise<DodoState | undefined> => {
          const [found] = await source.sync(anvil.reader, [ref], await anvil.head());
          return found?.curve === "dodo" ? found.state : undefined;
        };
        let state = await read();
        expect(state, "the pool is read").toBeDefined();
        seen.pools++;
        for (let move = 0; move < MOVES && state !== undefined; move++) {
          for (let sale = 0; sale < SALES; sale++) {
            const sell = random.int(0, 1);
            const { maxSell } = dodoMath.limits(state, { sell, buy: 1 - sell }, 0n);
            const [isMost, isBeyond] = [random.chance(0.08), random.chance(0.08)];
            const amount = isBeyond ? maxSell + 1n : isMost ? maxSell : random.between(1n, maxSell + 1n);
            const quote = dodoMath.quoteExactIn(state, { sell, buy: 1 - sell }, amount, 0n);
            if (isRejection(quote)) {
              seen.refused++;
              continue;
            }
            const answer = await sellAt(anvil, { pool, tokens, reserves: state.reserves }, { sell, amount });
            const where = JSON.stringify({ sell, amount, state }, (_, value: unknown) =>
              typeof value === "bigint" ? String(value) : value,
            );
            tried.same(answer, quote.amount, where);
            seen.sales++;
            if (state.r === (sell === 0 ? "ABOVE_ONE" : "BELOW_ONE")) seen.back++;
            if (isMost) seen.most++;
          }
          const sell = random.int(0, 1);
          const { maxSell } = dodoMath.limits(state, { sell, buy: 1 - sell }, 0n);
          const amount = random.between(1n, maxSell / 3n + 2n);
          const quote = dodoMath.quoteExactIn(state, { sell, buy: 1 - sell }, amount, 0n);
          if (isRejection(quote)) continue;
          await setBalance(anvil, tokens[sell]!, pool, state.reserves[sell]! + amount);
          await sendTo(anvil, pool, sell === 0 ? "sellBase" : "sellQuote", [anvil.account]);
          await anvil.mine();
          state = await read();
          tried.same(state, quote.next, "state after a trade");
          seen.moved++;
        }
      }
      expect(seen.sales).toBeGreaterThan(POOLS * MOVES * SALES * 0.3);
      expect(seen.back).toBeGreaterThan(seen.sales / 25);
      expect(seen.most).toBeGreaterThan(0);
      expect(seen.moved).toBeGreaterThan(POOLS);
    } finally {
      await anvil.stop();
    }
  });
}

/** Terms that pools are made with, their balances worth about as much of either token. */
function randomTerms(random: Random, [base, quote]: readonly [number, number]): Omit<DodoTerms, "kind" | "tokens"> {
  const [baseUnit, quoteUnit] = [10n ** BigInt(base), 10n ** BigInt(quote)];
  const worth = random.between(1_000n, 100_000_000n);
  const price = random.between(10n ** 14n, 10n ** 22n);
  const uneven = BigInt(random.int(20, 500));
  return {
    balances: [(worth * baseUnit * ONE) / price + 5_000n, (worth * quoteUnit * uneven) / 100n + 5_000n],
    i: (price * quoteUnit) / baseUnit + 1n,
    k: random.pick([0n, 1n, 10n ** 12n, 10n ** 15n, 10n ** 17n, 5n * 10n ** 17n, ONE - 1n, ONE]),
    lpFee: random.pick([0n, 10n ** 14n, 24n * 10n ** 14n, 10n ** 16n]),
    maintainerFee: random.pick([0n, 10n ** 14n, 6n * 10n ** 14n]),
  };
}
