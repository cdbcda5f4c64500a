import { expect, test } from "vitest";
import { USUAL_FEE } from "../../fixtures/universes/built-in.ts";
import { fantomUniverse } from "../../fixtures/universes/priced.ts";
import { type Kept, paidBy } from "../support/trades/kept-trade.ts";

const fantom = fantomUniverse(USUAL_FEE, false);
const inLine = fantomUniverse(USUAL_FEE, true);

/**
 * Trades over Fantom's pools as they are, many of which hold next to nothing, that once paid less or were refused: with what
 * they need, and what a single path or a fill by 1,000 chunks, or an answer of ours, was seen to pay after gas.
 */
const OVER_FANTOM: readonly Kept[] = [
  [
    "base units to be split",
    17n,
    "0x8e2549225e21b1da105563d419d5689b80343e01",
    "0x766f29d5643f8d694a3aa1f39f8c8da2b477d191",
    0n,
    157831678324068n,
  ],
  [
    "a way on which floats see parts of a base unit to give way",
    10455733595969148682240n,
    "0x9b4a90af07f054d562e4ea1db28e1c30da816118",
    "0xdc6b28fc7ae2bc2274a08acb1f5870d9b378a5e6",
    0n,
    303221192158385n,
  ],
];

/** Trades over these pools made free of arbitrage. */
const IN_LINE: readonly Kept[] = [
  [
    "ways to be looked for once more in whole base units",
    3679475920301n,
    "0x21be370d5312f44cb42ce377bc9b8a0cef1a4c83",
    "0xb9bbe9355828a1ad0e2d605480f969c6903ad9e4",
    0n,
    219583576836993064n,
  ],
];

test.each(OVER_FANTOM)("a trade that needs %s pays what it should", (...kept) => {
  expect(paidBy(fantom, kept)).toBeGreaterThanOrEqual(kept[5]);
});

test.each(IN_LINE)("a trade that needs %s pays what it should", (...kept) => {
  expect(paidBy(inLine, kept)).toBeGreaterThanOrEqual(kept[5]);
});
