import { expect, it } from "vitest";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { openBps } from "../../../fixtures/routing/certificate-gap.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { loadFantom } from "../../../fixtures/universes/fantom.ts";
import { toAddress } from "../../../src/domain/address.ts";
import { SHARE_ONE } from "../../../src/domain/route.ts";
import { shareOf } from "../../../src/routing/plan/plan.ts";

const DEEP = 10n ** 24n;
const UNIT = 10n ** 15n;
const [sellToken, hub, coarse, buyToken, behind] = [
  addressOf(1),
  addressOf(2),
  addressOf(3),
  addressOf(4),
  addressOf(5),
];

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

/** Small pools on both sides of the coarse token, some of them by way of another token, and a way past it that takes 3 %. */
const SPREAD = [
  pairOf(1, [sellToken, hub], [DEEP, DEEP]),
  pairOf(2, [hub, buyToken], [DEEP, DEEP], 30n),
  ...[3, 4, 5, 6, 7, 8].map((n) => pairOf(n, [hub, coarse], [BigInt(n) * 2_000n * UNIT, BigInt(n) * 2_000n], 1n)),
  ...[9, 10].map((n) => pairOf(n, [coarse, behind], [BigInt(n) * 2_000n, BigInt(n) * 2_000n * UNIT], 1n)),
  pairOf(11, [coarse, buyToken], [9_000n, 9_000n * UNIT], 1n),
  pairOf(12, [behind, buyToken], [DEEP, DEEP], 1n),
];

// All units made by one pool, and parts of them passed on, leave 66, 26 and 192 bp open.
it.each([
  ["exactIn", 30n, 3],
  ["exactIn", 300n, 1],
  ["exactOut", 30n, 100],
] as const)("%s: %i units are made and passed on by as many pools as are worth it", (kind, units, most) => {
  const [ends, amount] = [{ sellToken, buyToken }, units * UNIT + UNIT / 3n];
  const order = kind === "exactIn" ? { kind, ...ends, sellAmount: amount } : { kind, ...ends, buyAmount: amount };
  const result = answerTo(order, SPREAD);
  expect(result.found && openBps(result.certificate as NonNullable<typeof result.certificate>)).toBeLessThan(most);
});

it.each([
  [1, 3],
  [2, 3],
  [1, 2],
  [333_333, 999_999],
])("a share of %i of %i units is worth no unit less", (part, left) => {
  expect((BigInt(left) * shareOf(part, left)) / SHARE_ONE).toBe(BigInt(part));
});

const fantom = loadFantom();

it("a purchase passes whole units as well, where parts of these took a thousand times as much", () => {
  const order = {
    kind: "exactOut",
    sellToken: toAddress("0xf6129f6705b826dbafaa26e03aad9dd20b9235c6"),
    buyToken: toAddress("0x0575f8738efda7f512e3654f277c77e80c7d2725"),
    buyAmount: 913_555_099_335_826_304n,
  } as const;
  const result = answerTo(order, fantom.pools);
  expect(result.found && result.certificate?.achieved).toBeLessThan(2n * 10n ** 16n);
});
