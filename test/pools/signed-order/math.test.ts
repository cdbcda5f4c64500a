import fc from "fast-check";
import { expect, test } from "vitest";
import { toAddress } from "../../../src/domain/address.ts";
import { signedOrderMath } from "../../../src/pools/signed-order/math.ts";
import type { SignedOrderState } from "../../../src/pools/signed-order/state.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { amountOfBits } from "../curve/arbitrary.ts";

const SALE = { sell: 0, buy: 1 };
const account = (digit: string) => toAddress(`0x${digit.repeat(40)}`);

function signed(takerAmount: bigint, makerAmount: bigint, minTakerAmount = 1n): SignedOrderState {
  const order = {
    maker: account("1"),
    taker: account("2"),
    trader: account("3"),
    makerToken: account("4"),
    takerToken: account("5"),
    makerAmount,
    takerAmount,
    minTakerAmount,
    expiry: 2_000_000_000n,
    nonce: 1n,
    refillable: false,
  };
  return {
    order,
    signature: "0x",
    settlement: account("6"),
    spot: { num: makerAmount, den: takerAmount },
    filled: false,
  };
}

poolContract("a signed order", {
  math: signedOrderMath,
  states: fc.tuple(amountOfBits(127), amountOfBits(127)).map(([taker, maker]) => signed(taker, maker)),
  directions: [SALE],
  exactOutExtra: () => 0n,
  roundingOf: () => 1,
  tradable: 0.3,
});

test("an order is filled once, and by no less than its maker wants", () => {
  const state = signed(1_000n, 3_000n, 400n);
  expect(signedOrderMath.quoteExactIn(state, SALE, 399n, 0n)).toEqual({
    rejected: "TOO_SMALL",
    least: { amount: 400n, of: "sold" },
  });
  expect(signedOrderMath.quoteExactOut(state, SALE, 1_197n, 0n)).toMatchObject({
    rejected: "TOO_SMALL",
    least: { amount: 400n },
  });
  expect(signedOrderMath.quoteExactIn(state, SALE, 400n, 0n)).toMatchObject({ amount: 1_200n, next: { filled: true } });
  expect(signedOrderMath.quoteExactOut(state, SALE, 1_198n, 0n)).toMatchObject({ amount: 400n });
  const after = { ...state, filled: true };
  expect(signedOrderMath.quoteExactIn(after, SALE, 400n, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(signedOrderMath.limits(after, SALE, 0n)).toEqual({ maxSell: 0n, maxBuy: 0n });
  expect(signedOrderMath.curve(after, SALE, 0n)).toBeUndefined();
});
