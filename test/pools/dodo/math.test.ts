import fc from "fast-check";
import { expect, test } from "vitest";
import { impossibleDodo } from "../../../src/pools/dodo/impossible.ts";
import { dodoMath } from "../../../src/pools/dodo/math.ts";
import { withTargets } from "../../../src/pools/dodo/side.ts";
import type { DodoState } from "../../../src/pools/dodo/state.ts";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { directionsOf } from "../curve/directions.ts";
import { dodoPools } from "./arbitrary-dodo.ts";

const ONE = 10n ** 18n;

/** Roundings of the root and of what is left of the reserve that is paid out of, and of the sold one's way back. */
function roundingOf({ k, i, reserves }: DodoState, { sell, buy }: Direction): number {
  const rate = sell === 0 ? Number(i) / 1e18 : 1e18 / Number(i);
  const root = k === ONE ? 1 : 1 + 1e18 / Number(ONE - k);
  return 4 + root + 2 * rate + Number(reserves[buy as 0 | 1]) * 4e-15;
}

poolContract("DODO's pools", {
  ...{ math: dodoMath, states: dodoPools, directions: directionsOf(2), tradable: 0.5 },
  roundingOf,
  exactOutExtra: () => 0n,
  roundTripExtra: (state, { sell, buy }) => BigInt(Math.ceil(3 * roundingOf(state, { sell: buy, buy: sell }))),
  feeRounding: (state, direction) => {
    const worth = direction.sell === 0 ? 1e18 / Number(state.i) : Number(state.i) / 1e18;
    return BigInt(Math.ceil(roundingOf(state, direction) * worth)) + lastOfWay(state, direction) + 2n;
  },
});

/** The last unit of a way back makes up for the digits that the reciprocal of the price lacks; sold units. */
function lastOfWay({ i, targets }: DodoState, { sell }: Direction): bigint {
  return sell === 0 ? 0n : targets[1] / (ONE ** 2n / i);
}

const plain: DodoState = {
  ...{ kind: "targets", i: 2n * ONE, k: 10n ** 17n, r: "ONE", lpFee: 0n, maintainerFee: 0n },
  ...{ reserves: [1_000n * ONE, 2_000n * ONE], targets: [1_000n * ONE, 2_000n * ONE] },
};
const sold = (state: DodoState, sell: 0 | 1, amount: bigint) => {
  const quote = dodoMath.quoteExactIn(state, { sell, buy: 1 - sell }, amount, 0n);
  if (isRejection(quote)) throw new Error(quote.rejected);
  return quote;
};

test("a trade leads from the targets to one side, back to them exactly, and on to the other", () => {
  const below = sold(plain, 0, 100n * ONE);
  expect(below.next.r).toBe("BELOW_ONE");
  expect(below.next.targets[0]).toBe(1_000n * ONE);
  // The contract's next target is within its roundings of the target that there was.
  expect(Number(below.next.targets[1]) / 2e21).toBeCloseTo(1, 12);
  const way = below.next.targets[1] - below.next.reserves[1];
  expect(sold(below.next, 1, way).next).toMatchObject({ r: "ONE", reserves: [1_000n * ONE, below.next.targets[1]] });
  expect(sold(below.next, 1, way - 1n).next.r).toBe("BELOW_ONE");
  const above = sold(below.next, 1, way + ONE);
  expect(above.next.r).toBe("ABOVE_ONE");
  expect(above.next.reserves[0]).toBeLessThan(1_000n * ONE);
});

test("fees are rounded down each by itself; the maintainer's leaves the pool, the providers' stays", () => {
  const state = { ...plain, lpFee: 3n * 10n ** 15n, maintainerFee: 7n * 10n ** 14n };
  const gross = sold(plain, 0, 12_345_678_901n).amount;
  const quote = sold(state, 0, 12_345_678_901n);
  const fee = (gross * state.maintainerFee) / ONE;
  expect(quote.amount).toBe(gross - (gross * state.lpFee) / ONE - fee);
  expect(quote.next.reserves[1]).toBe(state.reserves[1] - quote.amount - fee);
});

test("a vending machine takes its base token back as far as its target, and has no quote token beyond", () => {
  const raw: DodoState = {
    ...plain,
    kind: "DVM",
    r: "ABOVE_ONE",
    reserves: [900n * ONE, 210n * ONE],
    targets: [0n, 0n],
  };
  const machine = withTargets(raw)!;
  const way = machine.targets[0] - machine.reserves[0];
  expect(dodoMath.limits(machine, { sell: 0, buy: 1 }, 0n)).toEqual({ maxSell: way, maxBuy: 210n * ONE });
  expect(dodoMath.quoteExactIn(machine, { sell: 0, buy: 1 }, way + 1n, 0n)).toEqual({
    rejected: "TOO_LARGE",
    most: way,
  });
  // It stays above one whatever is sold to it.
  expect(sold(machine, 0, way / 2n).next.r).toBe("ABOVE_ONE");
  expect(sold(machine, 1, ONE).next.r).toBe("ABOVE_ONE");
});

test("a price without slope is paid until the reserve is empty, and no further", () => {
  const flat = { ...plain, k: 0n };
  expect(sold(flat, 0, 1_000n * ONE).amount).toBe(2_000n * ONE);
  expect(dodoMath.limits(flat, { sell: 0, buy: 1 }, 0n).maxSell).toBe(1_000n * ONE);
});

test("a pool whose reserves do not fit its targets refuses all trades back to them", () => {
  const odd: DodoState = { ...plain, r: "BELOW_ONE", reserves: [900n * ONE, 1_900n * ONE] };
  expect(dodoMath.limits(odd, { sell: 1, buy: 0 }, 0n)).toEqual({ maxSell: 0n, maxBuy: 0n });
  expect(withTargets(odd)).toBeUndefined();
});

test("states that pools can have are possible, others not", () => {
  fc.assert(
    fc.property(dodoPools, (state) => {
      expect(impossibleDodo(state)).toBeUndefined();
    }),
  );
  expect(impossibleDodo({ ...plain, i: 0n })).toMatch(/^i, k/);
  expect(impossibleDodo({ ...plain, k: ONE + 1n })).toMatch(/^i, k/);
  expect(impossibleDodo({ ...plain, lpFee: ONE, maintainerFee: 1n })).toMatch(/^lpFee/);
  expect(impossibleDodo({ ...plain, kind: "DVM" })).toMatch(/^r/);
  expect(impossibleDodo({ ...plain, reserves: [1n << 112n, 0n] })).toMatch(/^reserves/);
});
