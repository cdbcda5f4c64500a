import { expect, test } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { FREE, graphOf } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import { allPaths, exhaustiveBest } from "../../support/trades/exhaustive.ts";

const COUNT = process.env.TRIBUTARY_LONG === "1" ? 500 : 60;
const E18 = 10n ** 18n;
const TOKENS = Array.from({ length: 60 }, (_, i) => addressOf(i + 1));
const [MAIN] = TOKENS as [Address];

/** Pools in line with each other, deep ones with the first token among them. */
function poolsInLine(seed: number) {
  const random = randomOf(seed);
  const deep = () => BigInt(Math.round(10 ** (4 + 2 * random()))) * E18;
  return Array.from({ length: 240 }, (_, i) => {
    const first = i % TOKENS.length;
    const second = i < TOKENS.length ? 0 : Math.floor(random() * TOKENS.length);
    const other = first === second ? (first + 1) % TOKENS.length : second;
    const held = deep();
    return pairOf(i + 1, [TOKENS[first] as Address, TOKENS[other] as Address], [held, held]);
  });
}

/** Two tokens that anyone can make: next to nothing can be had of them or for them, but between them a fortune seems to lie. */
const [ONE, OTHER] = [addressOf(101), addressOf(102)];
const IDLE = [
  pairOf(1001, [ONE, MAIN], [1000n * E18, E18 / 10n]),
  pairOf(1002, [OTHER, MAIN], [1000n * E18, E18 / 10n]),
  pairOf(1003, [ONE, OTHER], [10n ** 9n * E18, 10n ** 10n * E18]),
];

test("pools whose fortune nobody can reach change neither what a route pays nor what is proven of it by much", () => {
  for (let seed = 0; seed < 8; seed++) {
    const pools = poolsInLine(seed);
    const [sellToken, buyToken] = seed % 2 === 0 ? [MAIN, TOKENS[5]] : [TOKENS[3], TOKENS[7]];
    const order = { kind: "exactIn", sellToken, buyToken, sellAmount: 5000n * E18 } as SwapOrder;
    const [alone, beside] = [answerTo(order, pools, FREE), answerTo(order, [...pools, ...IDLE], FREE)];
    if (!alone.found || !beside.found) throw new Error("no route");
    const [value, bound] = [Number(alone.certificate?.achieved), Number(beside.certificate?.bound)];
    expect(Number(beside.certificate?.achieved) / value).toBeGreaterThan(0.9999);
    expect(bound / value).toBeGreaterThan(1);
    expect(bound / value).toBeLessThan(1.002);
  }
});

test("what no other pool can bring to a pool out of line is left out of the bound, and only that", () => {
  let asked = 0;
  for (let seed = 0; seed < COUNT; seed++) {
    const random = randomOf(seed);
    const tokens = TOKENS.slice(0, 5);
    const pools = Array.from({ length: 8 }, (_, i) => {
      const first = i % 5;
      const other = (first + 1 + Math.floor(4 * random())) % 5;
      const held = 10 ** (4 * random());
      const amounts = [held, held * 4 ** (2 * random() - 1)].map((one) => BigInt(Math.round(one * 1e6)) * 10n ** 12n);
      return pairOf(i + 1, [tokens[first] as Address, tokens[other] as Address], amounts as [bigint, bigint]);
    });
    const [sellToken, buyToken] = [tokens[0], tokens[1 + (seed % 4)]] as [Address, Address];
    const sellAmount = BigInt(Math.round(10 ** (6 + 4 * random()))) * 10n ** 12n;
    const result = answerTo({ kind: "exactIn", sellToken, buyToken, sellAmount }, pools, FREE);
    const best = exhaustiveBest(allPaths(pools, sellToken, buyToken, 4), sellAmount, graphOf([]).time, () => 0n);
    if (best === undefined || !result.found || result.certificate === undefined) continue;
    const { bound, achieved } = result.certificate;
    expect(best <= bound && achieved <= bound, `seed ${seed}`).toBe(true);
    asked++;
  }
  expect(asked).toBeGreaterThan(COUNT / 2);
});
