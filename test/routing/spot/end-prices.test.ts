import { expect, it } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { searchOf } from "../../support/trades/search.ts";

const [hub, other, end] = [addressOf(1), addressOf(2), addressOf(3)];
const HELD = 10n ** 24n;

/** At the middle of the widest pool of a token its narrow one would gain, at other prices neither does. */
const pools = [
  pairOf(1, [hub, other], [HELD, HELD]),
  pairOf(2, [hub, end], [HELD, (HELD * 1000n) / 1008n], 10n, 1000n),
  pairOf(3, [hub, end], [HELD / 100n, HELD / 100n]),
];

it.each([
  ["sold", { kind: "exactIn", sellToken: end, buyToken: other, sellAmount: 10n ** 18n }],
  ["bought", { kind: "exactIn", sellToken: other, buyToken: end, sellAmount: 10n ** 18n }],
] as const)("a dead end that is %s is priced so that no pool gains where all are in line", (_, order) => {
  expect(searchOf(order, pools).restless).toHaveLength(0);
});
