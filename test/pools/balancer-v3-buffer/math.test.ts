import fc from "fast-check";
import { expect, test } from "vitest";
import { BUFFER_GAS, SHORT_BUFFER_GAS } from "../../../src/pools/balancer-v3-buffer/gas.ts";
import { balancerV3BufferMath } from "../../../src/pools/balancer-v3-buffer/math.ts";
import type { BalancerV3BufferState } from "../../../src/pools/balancer-v3-buffer/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { amountOfBits } from "../curve/arbitrary.ts";

const MAX = (1n << 256n) - 1n;
const WRAP = { sell: 0, buy: 1 };
const UNWRAP = { sell: 1, buy: 0 };

const states: fc.Arbitrary<BalancerV3BufferState> = fc
  .record({
    totalAssets: amountOfBits(110),
    totalSupply: amountOfBits(110),
    virtualShares: fc.constantFrom(1n, 1_000n, 10n ** 12n),
    maxDeposit: fc.oneof(fc.constant(MAX), amountOfBits(100)),
    maxRedeem: fc.oneof(fc.constant(MAX), amountOfBits(100)),
    assets: fc.oneof(fc.constant(0n), amountOfBits(110)),
    shareOfShares: fc.integer({ min: 0, max: 1_000 }),
    minWrap: fc.constantFrom(0n, 1n, 1_000n, 1_000_000n),
  })
  .map(({ shareOfShares, ...state }) => ({
    ...state,
    shares: (state.totalSupply * BigInt(shareOfShares)) / 1_000n,
    paused: false,
  }));

const rateOf = (state: BalancerV3BufferState, { sell }: { readonly sell: number }) => {
  const rate = Number(state.totalSupply + state.virtualShares) / Number(state.totalAssets + 1n);
  return sell === 0 ? rate : 1 / rate;
};

poolContract("a buffer of Balancer V3's", {
  math: balancerV3BufferMath,
  states,
  directions: [WRAP, UNWRAP],
  exactOutExtra: () => 0n,
  roundingOf: (state, direction) => rateOf(state, direction) + 3,
  tradable: 0.25,
});

const buffer: BalancerV3BufferState = {
  ...{ totalAssets: 2_000_000n, totalSupply: 1_000_000n, virtualShares: 1n, maxDeposit: MAX, maxRedeem: MAX },
  ...{ assets: 10_000n, shares: 1_000n, minWrap: 100n, paused: false },
};

function quoteOf(state: BalancerV3BufferState, direction: typeof WRAP, sellAmount: bigint) {
  const quote = balancerV3BufferMath.quoteExactIn(state, direction, sellAmount, 0n);
  if (isRejection(quote)) throw new Error(quote.rejected);
  return quote;
}

test("what a buffer has it gives; what it is short of comes from the vault, which brings it back to one half of each", () => {
  const served = quoteOf(buffer, WRAP, 2_000n);
  expect(served).toMatchObject({ amount: 998n, gas: BUFFER_GAS, next: { assets: 12_000n, shares: 2n } });
  expect(served.next.totalAssets).toBe(buffer.totalAssets);
  const short = quoteOf(buffer, WRAP, 4_000n);
  expect(short.gas).toBe(SHORT_BUFFER_GAS);
  // 4,000 and half of the 8,000 by which the buffer's assets are above its shares' worth.
  expect(short.next.totalAssets - buffer.totalAssets).toBe(8_000n);
  expect(short.next.assets).toBe(6_000n);
  expect(short.next.shares * 2n - short.next.assets).toBeLessThan(10n);
});

test("a limit of the vault's is none for what the buffer has, and counts what went through", () => {
  const limited = { ...buffer, maxDeposit: 5_000n };
  expect(quoteOf(limited, WRAP, 2_000n).next.maxDeposit).toBe(5_000n);
  expect(balancerV3BufferMath.quoteExactIn(limited, WRAP, 4_000n, 0n)).toMatchObject({ rejected: "TOO_LARGE" });
  const wide = quoteOf({ ...buffer, maxDeposit: 9_000n }, WRAP, 4_000n);
  expect(wide.next.maxDeposit).toBe(1_000n);
  expect(quoteOf({ ...buffer, maxRedeem: 5_000n }, UNWRAP, 6_000n).next.maxRedeem).toBeLessThan(5_000n);
});

test("paused, or for less than the vault wraps, it serves nobody", () => {
  const paused = { ...buffer, paused: true };
  expect(balancerV3BufferMath.quoteExactIn(paused, WRAP, 2_000n, 0n)).toEqual({ rejected: "PAUSED" });
  expect(balancerV3BufferMath.quoteExactOut(paused, WRAP, 2_000n, 0n)).toEqual({ rejected: "PAUSED" });
  expect(balancerV3BufferMath.curve(paused, WRAP, 0n)).toBeUndefined();
  expect(balancerV3BufferMath.quoteExactIn(buffer, WRAP, 99n, 0n)).toMatchObject({
    rejected: "TOO_SMALL",
    least: { amount: buffer.minWrap },
  });
  expect(balancerV3BufferMath.quoteExactIn(buffer, WRAP, 200n, 0n)).toMatchObject({
    rejected: "TOO_SMALL",
    least: { amount: buffer.minWrap },
  });
  expect(balancerV3BufferMath.quoteExactOut(buffer, UNWRAP, 150n, 0n)).toMatchObject({
    rejected: "TOO_SMALL",
    least: { amount: buffer.minWrap },
  });
});
