import { expect, it } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { makerOf } from "../../support/trades/maker-trade.ts";
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

it("counts pools that only pay a token around which no others lead on", () => {
  const [sellToken, buyToken] = [hub, addressOf(4)];
  const maker = makerOf(4, [hub, buyToken], HELD);
  const order = { kind: "exactOut", sellToken, buyToken, buyAmount: 10n ** 18n } as const;
  // All tokens around the sold one are dead ends: there is no other pool to tell the gas of one.
  const alone = searchOf(order, [pairOf(1, [hub, other], [HELD, HELD]), maker]);
  const among = searchOf(order, [...market, maker]);
  const edge = alone.graph.edgeAt(alone.graph.twin[alone.graph.start[alone.sink]!]!);
  expect(alone.leastGas).toBeGreaterThan(0);
  expect(alone.leastGas).toBeLessThanOrEqual(edge.gas);
  expect(among.leastGas).toBeLessThanOrEqual(edge.gas);
});
