import { concat, type Hex } from "viem";
import { expect, test } from "vitest";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import { MAX_UINT112 } from "../../../src/math/full-math.ts";
import { squareRoot } from "../../../src/math/square-root.ts";
import { aquaMath } from "../../../src/pools/aqua/math.ts";
import type { AquaState } from "../../../src/pools/aqua/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { aqua } from "../../../src/venues/aqua/source.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import {
  type AquaWorld,
  instruction,
  type StrategyTerms,
  ship,
  sortedTokens,
  swapAt,
  swapData,
} from "../../venues/worlds/singletons/aqua.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";
import { countCases } from "./tried-cases.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const STRATEGIES = LONG ? 40 : 4;
/** Trades that move each strategy, before each of which it is asked for some amounts. */
const MOVES = 4;
const SWAPS = LONG ? 18 : 6;
const ONE = 10n ** 18n;
const RECEIVER = toAddress(`0x${"fe".repeat(20)}`);
const KINDS = ["product", "range", "pegged"] as const;
const DECIMALS: readonly (readonly [number, number])[] = [
  [18, 18],
  [18, 6],
  [8, 18],
];

/** Contracts that are compared, and the first seed. */
interface AquaCase {
  readonly what: string;
  readonly seed: number;
  readonly deploy: (anvil: Anvil) => Promise<AquaWorld>;
}

/** Our numbers against the router's own swaps both ways, in random states that strategies come into by trades, and the state after each. */
export function testAqua({ what, seed, deploy }: AquaCase): void {
  const cases = KINDS.flatMap((kind) => DECIMALS.map((decimals) => ({ kind, decimals })));
  test.each(cases)(`${what}: a $kind of $decimals decimals trades as is said`, async ({ kind, decimals }) => {
    const anvil = await startAnvil();
    try {
      const random = createRandom(seed);
      const tried = countCases("aqua", `${what}-${kind}-${decimals.join("-")}`, seed);
      const world = await deploy(anvil);
      const made = await sortedTokens(anvil, decimals);
      const source = aqua(world.record);
      const seen = { swaps: 0, exactOut: 0, most: 0, refused: 0, moved: 0, skippedFees: 0 };
      for (let count = 0; count < STRATEGIES; count++) {
        const { order, ref } = await ship(anvil, world, randomTerms(random, kind, made));
        const read = async (): Promise<AquaState> => {
          const [found] = await source.sync(anvil.reader, [ref], await anvil.head());
          if (found?.curve !== "aqua") throw new Error("the strategy is not read");
          return found.state;
        };
        let state = await read();
        for (let move = 0; move < MOVES; move++) {
          for (let swap = 0; swap < SWAPS; swap++) {
            const { sell, amount, isExactIn, quote, most } = randomSwap(random, state);
            const asked = { tokens: made.tokens, sell, amount, isExactIn };
            if (isRejection(quote)) {
              seen.refused++;
              // Beyond what the maker can pay the router refuses as well.
              if (kind !== "pegged" && isExactIn && amount === most + 1n && most < MAX_UINT112)
                tried.same(typeof (await swapAt(anvil, world, order, asked)), "string", `${amount} of ${most}`);
              continue;
            }
            const where = JSON.stringify({ sell, amount, isExactIn, state }, (_, value: unknown) =>
              typeof value === "bigint" ? String(value) : value,
            );
            tried.same(await swapAt(anvil, world, order, asked), quote.amount, where);
            seen.swaps++;
            if (!isExactIn) seen.exactOut++;
            if (amount === most) seen.most++;
          }
          const { sell, amount, isExactIn, quote } = randomSwap(random, state);
          if (isRejection(quote)) continue;
          const asked = { tokens: made.tokens, sell, amount, isExactIn };
          await anvil.send(world.record.router, swapData(order, asked));
          const logs = await anvil.logsOf(await anvil.mine());
          if (logs.filter(({ address }) => address === world.record.router).length > 1) seen.skippedFees++;
          state = await read();
          tried.same(state, quote.next, "state after a trade");
          seen.moved++;
        }
      }
      expect(seen.swaps).toBeGreaterThan(STRATEGIES * MOVES * SWAPS * 0.4);
      expect(seen.exactOut).toBeGreaterThan(seen.swaps / 5);
      expect(seen.most).toBeGreaterThan(0);
      expect(seen.moved).toBeGreaterThan(STRATEGIES);
      if (LONG) expect(seen.skippedFees).toBeGreaterThan(0);
    } finally {
      await anvil.stop();
    }
  });
}

/** An amount within the limits or just beyond them, with our answer. */
function randomSwap(random: Random, state: AquaState) {
  const sell = random.int(0, 1);
  const direction = { sell, buy: 1 - sell };
  const isExactIn = random.chance(0.6);
  const { maxSell, maxBuy } = aquaMath.limits(state, direction, 0n);
  const most = isExactIn ? maxSell : maxBuy;
  const [isMost, isBeyond] = [random.chance(0.1), random.chance(0.08)];
  // Most of what a product could take is far beyond what anybody has.
  const usual = isExactIn && most === MAX_UINT112 ? 10n * state.balances[sell as 0 | 1] + 2n : most;
  const amount = isBeyond ? most + 1n : isMost ? most : random.between(1n, usual + 1n);
  const quote = isExactIn
    ? aquaMath.quoteExactIn(state, direction, amount, 0n)
    : aquaMath.quoteExactOut(state, direction, amount, 0n);
  return { sell, amount, isExactIn, quote, most };
}

/** A strategy of balances worth about as much, of which its maker has all, or less. */
function randomTerms(
  random: Random,
  kind: (typeof KINDS)[number],
  { tokens, decimals }: { readonly tokens: [Address, Address]; readonly decimals: [number, number] },
): StrategyTerms {
  const worth = random.between(1_000n, 100_000_000n);
  const [first, second] = decimals.map((digits) => worth * 10n ** BigInt(digits)) as [bigint, bigint];
  const uneven = BigInt(random.int(0, 300));
  const price = kind === "pegged" ? ONE : random.between(10n ** 14n, 10n ** 22n);
  const amounts = [
    kind === "product" || !random.chance(0.15) ? (first * ONE) / price + 1_000n : 0n,
    (second * (uneven + 1n)) / 100n + 1_000n,
  ] as const;
  const wallets = amounts.map((amount) => (random.chance(0.7) ? amount * 2n : (amount * 2n) / 3n));
  return {
    ...{ tokens, amounts, wallets: wallets as [bigint, bigint] },
    data: randomProgram(random, kind, { first, second, price, decimals }),
  };
}

function randomProgram(
  random: Random,
  kind: (typeof KINDS)[number],
  {
    first,
    second,
    price,
    decimals,
  }: {
    readonly first: bigint;
    readonly second: bigint;
    readonly price: bigint;
    readonly decimals: readonly [number, number];
  },
): Hex {
  const rate = () => random.pick([0n, 1n, 100_000n, 500_000n, 3_000_000n, 10_000_000n, 999_999_999n]);
  const fees = Array.from({ length: random.int(0, 3) }, () =>
    random.chance(0.5)
      ? instruction.flatFee(rate() % 100_000_000n)
      : instruction.protocolFee(rate() % 50_000_000n, RECEIVER),
  );
  const root = squareRoot((price * second * ONE) / first);
  const spread = BigInt(random.pick([1_000, 100_010, 110_000, 150_000, 1_000_000]));
  const range = instruction.range(
    (root * 100_000n) / (100_000n + spread),
    (root * (100_000n + spread)) / 100_000n + 1n,
  );
  const width = random.pick([0n, 1n, 8n * 10n ** 26n, 2n * 10n ** 27n, 100n * 10n ** 27n, 5_000n * 10n ** 27n]);
  const rates = decimals.map((digits) => 10n ** BigInt(18 - digits)) as [bigint, bigint];
  const pegged = instruction.pegged(first * rates[0], second * rates[1], width, ...rates);
  const before = kind === "range" ? [...fees, range] : fees;
  return concat([
    instruction.salt(random.ofBits(60)),
    ...(random.chance(0.3) ? [instruction.deadline((1n << 40n) - 1n)] : []),
    ...(random.chance(0.5) ? before : before.toReversed()),
    kind === "pegged" ? pegged : instruction.product(),
  ]);
}
