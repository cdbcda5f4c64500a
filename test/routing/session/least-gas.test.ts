import { expect, it } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { searchOf } from "../../support/trades/search.ts";

const [hub, other, end] = [addressOf(1), addressOf(2), addressOf(3)];
const HELD = 10n ** 24n;
const market = [
  pairOf(1, [hub, other], [HELD, HELD]),
  pairOf(2, [other, end], [HELD, HELD]),
  pairOf(3, [hub, end], [HELD, HELD]),
];

it.each([
  ["token on the way", [hub, other]],
  ["sold token that is a dead end", [addressOf(4), hub]],
] as const)("pools that pay nothing do not make a pool use cheap: %s", (_, tokens) => {
  const pools = [...market, pairOf(4, [addressOf(4), hub], [HELD, HELD])];
  const search = (all: typeof pools) =>
    searchOf({ kind: "exactIn", sellToken: addressOf(4), buyToken: end, sellAmount: 10n ** 18n }, all);
  const { leastGas } = search(pools);
  expect(leastGas).toBeGreaterThan(0);
  expect(search([...pools, pairOf(5, tokens, [HELD, 0n])]).leastGas).toBe(leastGas);
});
