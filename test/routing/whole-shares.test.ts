import { expect, it } from "vitest";
import { openBps } from "../../bench/routing/figures.ts";
import { answerTo } from "../support/answer.ts";
import { addressOf, pairOf } from "../support/universe.ts";

const DEEP = 10n ** 24n;
const UNIT = 10n ** 15n;
const [sellToken, hub, coarse, buyToken] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)];

/** Over a token whose base unit is worth 10^15 of the others' pools take next to no fee; another way takes more. */
const POOLS = [
  pairOf(1, [sellToken, hub], [DEEP, DEEP]),
  pairOf(2, [hub, buyToken], [DEEP, DEEP]),
  ...[3, 4, 5].map((n) => pairOf(n, [hub, coarse], [DEEP, DEEP / UNIT], 1n, 1_000_000n)),
  pairOf(6, [coarse, buyToken], [DEEP / UNIT, DEEP], 1n, 1_000_000n),
];

it.each([
  [35n, 400n],
  [1_000n, 300n],
])("%i whole units of a coarse token are passed, and what is over goes another way", (units, over) => {
  const sellAmount = (UNIT * (1_000n * units + over) * 1_003n) / 1_000_000n;
  const result = answerTo({ kind: "exactIn", sellToken, buyToken, sellAmount }, POOLS);
  expect(result.found && openBps(result.certificate as NonNullable<typeof result.certificate>)).toBeLessThan(1);
});
