import { expect, it } from "vitest";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { stableOf } from "../../support/trades/stable-pool.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];
const E18 = 10n ** 18n;

/** A stable pool of three tokens, by which a sale goes to the bought token or to the third one, and others from all of them. */
function pools(held: bigint): readonly Pool[] {
  const reserves = [held, held] as const;
  return [stableOf(1, [A, B, C], [held, held, held]), pairOf(2, [C, B], reserves), pairOf(3, [A, B], reserves)];
}

/** With what each of its pairs earns the bound left 6.5, 12.5 and 31 basis points open. */
it.each([
  { parts: 20n, open: 2.5 },
  { parts: 11n, open: 5 },
  { parts: 5n, open: 12 },
])("the bound counts one pair of a pool that a route uses once: a sale of one of $parts parts", ({ parts, open }) => {
  const held = 1000n * E18;
  const order = { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: held / parts } as const;
  const answer = answerTo(order, pools(held));
  if (!answer.found || answer.certificate === undefined) throw new Error("no route");
  const { bound, achieved } = answer.certificate;
  expect(bound).toBeGreaterThanOrEqual(achieved);
  expect((Number(bound - achieved) / Number(achieved)) * 1e4).toBeLessThan(open);
});

const THIRD = E18 / 3n;

/** With what each of its pairs earns the bound left 46, 80 and 169 basis points open. */
it.each([
  { parts: 20n, open: 10 },
  { parts: 11n, open: 17 },
  { parts: 5n, open: 35 },
])("the bound counts what pairs of a weighted pool earn together: a sale of one of $parts parts", ({ parts, open }) => {
  const held = 1000n * E18;
  const weighted: Pool = {
    ...{ id: addressOf(1, "pool"), source: "Balancer_V2", tokens: [A, B, C], curve: "weighted" },
    state: {
      balances: [held, held, held],
      weights: [E18 - 2n * THIRD, THIRD, THIRD],
      ...{ scales: [1n, 1n, 1n], swapFee: E18 / 1000n, paused: false },
    },
  };
  const order = { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: held / parts } as const;
  const answer = answerTo(order, [weighted, ...pools(held).slice(1)]);
  if (!answer.found || answer.certificate === undefined) throw new Error("no route");
  const { bound, achieved } = answer.certificate;
  expect(bound).toBeGreaterThanOrEqual(achieved);
  expect((Number(bound - achieved) / Number(achieved)) * 1e4).toBeLessThan(open);
});
