import { expect, it } from "vitest";
import { toAddress } from "../../src/domain/address.ts";
import { levelToMeet } from "../../src/makers/level-to-meet.ts";
import type { Pool } from "../../src/pools/pool.ts";
import type { FirmOrderRequest } from "../../src/quoting/maker-ports.ts";

const [GOLD, IRON] = [toAddress(`0x${"01".repeat(20)}`), toAddress(`0x${"02".repeat(20)}`)];
const SPOT = { num: 2n, den: 1n };

/** Takes 100 of gold for so much iron, and 200 of iron for so much gold. */
const showing = (iron: bigint, gold: bigint): readonly Pool[] => [
  {
    ...{ id: "maker:alpha", source: "Alpha", tokens: [GOLD, IRON], curve: "levels" },
    state: {
      bids: [{ takerAmount: 100n, makerAmount: iron }],
      asks: [{ takerAmount: 200n, makerAmount: gold }],
    },
  },
];
const sale = (takerAmount: bigint, least: bigint): FirmOrderRequest => ({
  ...{ source: "Alpha", takerToken: GOLD, makerToken: IRON },
  ...{ amount: { kind: "exactIn", takerAmount }, level: { amount: least, spot: SPOT } },
});
const purchase = (makerAmount: bigint, most: bigint): FirmOrderRequest => ({
  ...{ source: "Alpha", takerToken: IRON, makerToken: GOLD },
  ...{ amount: { kind: "exactOut", makerAmount }, level: { amount: most, spot: SPOT } },
});
const amountOf = (ask: FirmOrderRequest, levels: readonly Pool[]) => levelToMeet(ask, levels, 0n)?.amount;

it("a maker is held to its levels of before, or to those of now where they are worse", () => {
  expect([190n, 200n, 210n].map((iron) => amountOf(sale(100n, 200n), showing(iron, 99n)))).toEqual([190n, 200n, 200n]);
  expect([80n, 100n, 125n].map((gold) => amountOf(purchase(50n, 100n), showing(200n, gold)))).toEqual([
    125n,
    100n,
    100n,
  ]);
  expect(levelToMeet(sale(100n, 200n), showing(190n, 99n), 0n)?.spot).toEqual(SPOT);
});

it("a maker is held to nothing where its levels reach no further, where there are none, or where it shows none", () => {
  expect(amountOf(sale(101n, 200n), showing(300n, 99n))).toBeUndefined();
  expect(amountOf(purchase(50n, 100n), showing(200n, 49n))).toBeUndefined();
  expect(amountOf(sale(100n, 200n), [])).toBeUndefined();
  expect(levelToMeet({ ...sale(100n, 200n), level: undefined }, showing(200n, 99n), 0n)).toBeUndefined();
});
