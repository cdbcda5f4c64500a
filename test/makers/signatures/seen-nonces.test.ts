import { expect, test } from "vitest";
import { toAddress } from "../../../src/domain/address.ts";
import { SeenNonces } from "../../../src/makers/seen-nonces.ts";

const [FIRST, SECOND] = ["1", "2"].map((digit) => toAddress(`0x${digit.repeat(40)}`)) as [never, never];

test("a nonce is new once, for each account of each maker", () => {
  const seen = new SeenNonces();
  expect(seen.isFresh("Alpha", { maker: FIRST, nonce: 1n })).toBe(true);
  expect(seen.isFresh("Alpha", { maker: FIRST, nonce: 1n })).toBe(false);
  expect(seen.isFresh("Alpha", { maker: SECOND, nonce: 1n })).toBe(true);
  expect(seen.isFresh("Beta", { maker: FIRST, nonce: 1n })).toBe(true);
});

test("ten thousand are remembered of each maker, the latest", () => {
  const seen = new SeenNonces();
  for (let nonce = 0n; nonce <= 10_000n; nonce++) seen.isFresh("Alpha", { maker: FIRST, nonce });
  expect(seen.isFresh("Alpha", { maker: FIRST, nonce: 1n })).toBe(false);
  expect(seen.isFresh("Alpha", { maker: FIRST, nonce: 0n })).toBe(true);
});
