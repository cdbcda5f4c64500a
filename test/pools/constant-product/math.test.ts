import fc from "fast-check";
import { expect, test } from "vitest";
import { constantProductMath } from "../../../src/pools/constant-product/math.ts";
import type { ConstantProductState } from "../../../src/pools/constant-product/state.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { amountOfBits } from "../curve/arbitrary.ts";
import { directionsOf } from "../curve/directions.ts";

const fees = fc.constantFrom([3n, 1000n], [2n, 1000n], [25n, 10000n], [0n, 1n], [30n, 100n]) as fc.Arbitrary<
  readonly [bigint, bigint]
>;
const states: fc.Arbitrary<ConstantProductState> = fc
  .tuple(fees, amountOfBits(112), amountOfBits(112))
  .map(([[feeNum, feeDen], first, second]) => ({ reserves: [first, second], feeNum, feeDen }));

poolContract("constant product", {
  math: constantProductMath,
  states,
  directions: directionsOf(2),
  exactOutExtra: () => 1n,
  roundingOf: () => 1,
  tradable: 0.3,
});

const SELL_FIRST = { sell: 0, buy: 1 };

test("a pair without reserves has no liquidity, no price and no curve", () => {
  const empty: ConstantProductState = { reserves: [0n, 0n], feeNum: 3n, feeDen: 1000n };
  expect(constantProductMath.quoteExactIn(empty, SELL_FIRST, 1n, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(constantProductMath.quoteExactOut(empty, SELL_FIRST, 1n, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(constantProductMath.spotPrice(empty, SELL_FIRST, 0n)).toBeUndefined();
  expect(constantProductMath.curve(empty, SELL_FIRST, 0n)).toBeUndefined();
  expect(constantProductMath.limits(empty, SELL_FIRST, 0n)).toEqual({ maxSell: 0n, maxBuy: 0n });
});

test("a pair that holds a single base unit of a token never pays it, and has no curve to it", () => {
  const state: ConstantProductState = { reserves: [10n ** 18n, 1n], feeNum: 3n, feeDen: 1000n };
  expect(constantProductMath.quoteExactIn(state, SELL_FIRST, 10n ** 30n, 0n)).toEqual({ rejected: "TOO_SMALL" });
  expect(constantProductMath.outline?.(state, SELL_FIRST)).toBeUndefined();
  expect(constantProductMath.curve(state, SELL_FIRST, 0n)).toBeUndefined();
  expect(constantProductMath.curve(state, { sell: 1, buy: 0 }, 0n)).toBeDefined();
});

test("what would lift a reserve above uint112 is too large, and the answer says what fits", () => {
  const nearlyFull: ConstantProductState = { reserves: [(1n << 112n) - 11n, 1n << 111n], feeNum: 3n, feeDen: 1000n };
  expect(constantProductMath.quoteExactIn(nearlyFull, SELL_FIRST, 11n, 0n)).toEqual({
    rejected: "TOO_LARGE",
    most: 10n,
  });
  const large = constantProductMath.quoteExactOut(nearlyFull, SELL_FIRST, 1n << 99n, 0n);
  expect(large).toEqual({ rejected: "TOO_LARGE", most: 4n });
});

test("a sale that buys nothing is too small", () => {
  const lopsided: ConstantProductState = { reserves: [1_000_000n, 10n], feeNum: 3n, feeDen: 1000n };
  expect(constantProductMath.quoteExactIn(lopsided, SELL_FIRST, 1n, 0n)).toEqual({ rejected: "TOO_SMALL" });
});
