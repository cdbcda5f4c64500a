import { describe, expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { openBps } from "../../../fixtures/routing/certificate-gap.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { certifiedTrade } from "../../support/trades/certified-trade.ts";

const E18 = 10n ** 18n;
const DEEP = 10n ** 24n;
const [sellToken, hub, coarse, buyToken] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)];

/** A base unit of one token is worth 10^15 of the others'; the pools that lead there take next to no fee. */
const POOLS = [
  pairOf(1, [sellToken, hub], [DEEP, DEEP]),
  pairOf(2, [hub, buyToken], [DEEP, DEEP]),
  pairOf(3, [sellToken, coarse], [DEEP, DEEP / 10n ** 15n], 1n, 1_000_000n),
  pairOf(4, [coarse, buyToken], [DEEP / 10n ** 15n, DEEP], 1n, 1_000_000n),
];

describe("a token of which no route holds a whole base unit", () => {
  it.each<SwapOrder>([
    { kind: "exactIn", sellToken, buyToken, sellAmount: 10n ** 14n },
    { kind: "exactOut", sellToken, buyToken, buyAmount: 10n ** 14n },
  ])("proves nothing: $kind", (order) => {
    const result = answerTo(order, POOLS);
    expect(result.found && openBps(result.certificate as NonNullable<typeof result.certificate>)).toBeLessThan(0.01);
  });

  it.each<SwapOrder>([
    { kind: "exactIn", sellToken, buyToken, sellAmount: E18 },
    { kind: "exactOut", sellToken, buyToken, buyAmount: E18 },
  ])("is used where one does: $kind", (order) => {
    const result = answerTo(order, POOLS);
    expect(result.found && openBps(result.certificate as NonNullable<typeof result.certificate>)).toBeLessThan(10);
  });
});

describe("bounds of trades that are worth about a base unit of some token", () => {
  const TOKENS = [1, 2, 3, 4, 5].map((n) => addressOf(n));
  const COUNT = process.env.TRIBUTARY_LONG === "1" ? 2000 : 150;
  const TIME = 1_700_000_000n;

  /** Pools near the tokens' values, of which two come in units that are worth 10^9 to 10^15 of the others', and an amount. */
  function universe(seed: number) {
    const random = randomOf(seed);
    const unit = 10 ** (9 + 6 * random());
    const values = TOKENS.map((_, i) => (i === 2 || i === 3 ? unit * (1 + random()) : 1));
    const pools: Pool[] = [];
    while (pools.length < 9) {
      const [i, j] = [Math.floor(5 * random()), Math.floor(5 * random())];
      if (i === j) continue;
      const worth = unit * 10 ** (1 + 4 * random());
      const held = [worth / (values[i] as number), (worth * (1 + 0.002 * (random() - 0.5))) / (values[j] as number)];
      const reserves = held.map((amount) => BigInt(Math.max(1, Math.round(amount)))) as [bigint, bigint];
      const tokens = [TOKENS[i], TOKENS[j]] as [(typeof TOKENS)[number], (typeof TOKENS)[number]];
      pools.push(pairOf(pools.length, tokens, reserves, random() < 0.5 ? 3000n : 1n, 1_000_000n));
    }
    return { pools, sellAmount: BigInt(Math.ceil(unit * 10 ** (2 * random() - 1))) };
  }

  it("are not beaten by exhaustive search", () => {
    const beaten: number[] = [];
    let compared = 0;
    for (let seed = 0; seed < COUNT; seed++) {
      const { pools, sellAmount } = universe(seed);
      const [from, to] = [TOKENS[0], TOKENS[1]] as [(typeof TOKENS)[number], (typeof TOKENS)[number]];
      if (!answerTo({ kind: "exactIn", sellToken: from, buyToken: to, sellAmount }, pools).found) continue;
      const { best, bound } = certifiedTrade([from, to], pools, { sellAmount, touch: 0n, time: TIME });
      // As much as that can be bought for as little.
      const purchase = answerTo({ kind: "exactOut", sellToken: from, buyToken: to, buyAmount: best }, pools);
      const least = purchase.found ? (purchase.certificate?.bound ?? 0n) : 0n;
      if (best > bound || least > sellAmount) beaten.push(seed);
      compared++;
    }
    expect(compared).toBeGreaterThan(COUNT / 2);
    expect(beaten).toEqual([]);
  });
});
