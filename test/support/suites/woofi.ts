import { expect, test } from "vitest";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { wooMath } from "../../../src/pools/woofi/math.ts";
import { woofi } from "../../../src/venues/woofi/source.ts";
import { refOf } from "../../../src/venues/woofi/tokens.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { sendAll, swapAt, type WooToken, type WooWorld } from "../../venues/worlds/singletons/woofi.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";
import { countCases } from "./tried-cases.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const STATES = LONG ? 130 : 6;
const SWAPS = LONG ? 60 : 15;
/** Decimals of the quote token, then of the others. */
const KINDS: readonly (readonly number[])[] = [
  [6, 18, 8, 18],
  [18, 18, 8, 6],
  [6, 6, 18, 8],
];

/** Contracts that are compared, and the first seed. */
interface WoofiCase {
  readonly what: string;
  readonly seed: number;
  readonly deploy: (anvil: Anvil, decimals: readonly number[]) => Promise<WooWorld>;
}

/** Our numbers against the contract's own swaps in random states of pool and oracle. */
export function testWoofi({ what, seed, deploy }: WoofiCase): void {
  test.each(KINDS)(
    `${what}: a pool of tokens of %s, %s, %s and %s decimals swaps what is said`,
    async (...decimals) => {
      const anvil = await startAnvil();
      try {
        const random = createRandom(seed);
        const tried = countCases("woofi", `${what}-${decimals.join("-")}`, seed);
        const world = await deploy(anvil, decimals);
        const source = woofi(world.record);
        const ref = refOf(world.record.pool, world.tokens);
        const seen = { swaps: 0, betweenBases: 0, most: 0, refused: 0, refusedByBoth: 0 };
        for (let round = 0; round < STATES; round++) {
          const now = (await anvil.head()).timestamp;
          await world.write(
            world.decimals.map((digits, i) => randomToken(random, digits, { isQuote: i === 0, world })),
            now,
          );
          await anvil.mine();
          await sendAll(anvil, world);
          // At times all prices are stale then, and references stand in for them where they are preferred.
          await anvil.rpc("evm_increaseTime", [random.pick([1, 12, 250, 600])]);
          const head = await anvil.mine();
          const [read] = await source.sync(anvil.reader, [ref], head);
          expect(read?.curve, "the pool is read in every state").toBe("woofi");
          if (read?.curve !== "woofi") continue;
          for (let count = 0; count < SWAPS; count++) {
            const sell = random.int(0, decimals.length - 1);
            const buy = (sell + random.int(1, decimals.length - 1)) % decimals.length;
            const { maxSell } = wooMath.limits(read.state, { sell, buy }, head.timestamp);
            const [isMost, isBeyond] = [random.chance(0.1), random.chance(0.1)];
            const amount = isBeyond
              ? maxSell + maxSell / 50n + 1n
              : isMost
                ? maxSell
                : random.between(1n, maxSell + 1n);
            const quote = wooMath.quoteExactIn(read.state, { sell, buy }, amount, head.timestamp);
            const answer = await swapAt(anvil, world, { sell, buy, amount });
            if (isRejection(quote)) {
              seen.refused++;
              if (typeof answer === "string" || answer === 0n) seen.refusedByBoth++;
              continue;
            }
            tried.same(answer, quote.amount, JSON.stringify({ sell, buy, amount: String(amount) }));
            seen.swaps++;
            if (sell > 0 && buy > 0) seen.betweenBases++;
            if (isMost) seen.most++;
          }
        }
        expect(seen.swaps).toBeGreaterThan(STATES * SWAPS * 0.25);
        expect(seen.betweenBases).toBeGreaterThan(seen.swaps / 6);
        expect(seen.most).toBeGreaterThan(0);
        // We stop at the turn of the parabola where the contract pays on.
        expect(seen.refusedByBoth).toBeGreaterThan(seen.refused * 0.5);
      } finally {
        await anvil.stop();
      }
    },
  );
}

/** Numbers that pools and oracles have: prices of a cent to a hundred thousand, spreads of nothing to three parts of a hundred. */
function randomToken(
  random: Random,
  decimals: number,
  { isQuote, world }: { readonly isQuote: boolean; readonly world: Pick<WooWorld, "decimals"> },
): WooToken {
  const [unit, quoteUnit] = [10n ** BigInt(decimals), 10n ** BigInt(world.decimals[0]!)];
  const price = isQuote ? 10n ** 8n : random.between(10n ** 6n, 10n ** 13n);
  const worth = random.between(1_000n, 3_000_000n);
  const off = random.pick([0n, 0n, 40n, -40n, 30n, 250n]);
  return {
    reserve: (worth * unit * 10n ** 8n) / price + 1n,
    feeRate: random.pick([0, 5, 25, 25, 100]),
    maxGamma: random.pick([5n * 10n ** 14n, 3n * 10n ** 15n, 2n * 10n ** 17n, 10n ** 18n]),
    maxNotional: random.pick([50_000n, 1_000_000n, 10n ** 9n]) * quoteUnit,
    price: random.chance(0.05) ? 0n : price,
    spread: random.pick([0n, 10n ** 13n, random.between(10n ** 13n, 3n * 10n ** 16n)]),
    coeff: random.pick([0n, random.between(10n ** 8n, 10n ** 12n)]),
    reference: random.chance(0.05) ? 0n : (price * (10_000n + off)) / 10_000n,
    prefersReference: random.chance(0.5),
  };
}
