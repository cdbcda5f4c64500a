import fc from "fast-check";
import { expect, test } from "vitest";
import { impossibleKuru } from "../../../src/pools/kuru/impossible.ts";
import { kuruMath } from "../../../src/pools/kuru/math.ts";
import type { KuruSide, KuruState } from "../../../src/pools/kuru/state.ts";
import { stepsOf } from "../../../src/pools/kuru/steps.ts";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { directionsOf } from "../curve/directions.ts";
import { kuruMarkets } from "./arbitrary-kuru.ts";

const [BASE_IN, QUOTE_IN] = [
  { sell: 0, buy: 1 },
  { sell: 1, buy: 0 },
] as const;

/** Base units bought that a part of the sold token is worth, or a part of the bought one, at each step of a trade. */
function roundingOf(state: KuruState, direction: Direction): number {
  const steps = stepsOf(state, direction.sell === 0 ? "bidSide" : "askSide");
  const orders = steps.reduce((sum, step) => sum + ("level" in step ? 1 : step.orders.length), 0);
  const { units, precisions } = state;
  const [sold, bought] = [direction.sell, direction.buy].map(
    (token) => Number(units[token]!) / Number(precisions[token]!),
  );
  const spot = kuruMath.spotPrice(state, direction, 0n);
  const rate = spot === undefined ? 0 : Number(spot.num) / Number(spot.den);
  // A purchase loses what pays for no further part of the base token, and so does what it leaves for the next level.
  return 2 + (orders + 2) * (rate * (1 + sold!) + bought!);
}

poolContract("Kuru's markets", {
  ...{ math: kuruMath, states: kuruMarkets, directions: directionsOf(2), tradable: 0.4 },
  roundingOf,
  exactOutExtra: () => 0n,
});

const plain: KuruState = {
  ...{ units: [10n ** 18n, 10n ** 6n], precisions: [10n ** 10n, 10n ** 8n], takerFee: 10, spread: 100 },
  bidSide: {
    levels: [
      { price: 2_990_000n, size: 50_000n * 10n ** 10n },
      { price: 2_900_000n, size: 80_000n * 10n ** 10n },
    ],
    vault: { price: 29_702_970_297_029_703n, size: 10_000n * 10n ** 10n, filled: 0n },
  },
  askSide: {
    levels: [{ price: 3_010_000n, size: 40_000n * 10n ** 10n }],
    vault: { price: 3n * 10n ** 16n, size: 9_950n * 10n ** 10n, filled: 4_950n * 10n ** 10n },
  },
};
const with_ = (side: "bidSide" | "askSide", changes: Partial<KuruSide>): KuruState => ({
  ...plain,
  [side]: { ...plain[side], ...changes },
});
const sold = (state: KuruState, direction: Direction, amount: bigint) => {
  const quote = kuruMath.quoteExactIn(state, direction, amount, 0n);
  if (isRejection(quote)) throw new Error(quote.rejected);
  return quote;
};
const MON = 10n ** 18n;

test("a level comes before the vault at the same price, and the better of both before the other", () => {
  expect(stepsOf(plain, "askSide").map((step) => ("level" in step ? "level" : step.orders.length))).toEqual([
    ...[1, "level"],
    64 - 1,
  ]);
  const even = with_("askSide", { levels: [{ price: 3_000_000n, size: 1n }] });
  expect("level" in stepsOf(even, "askSide")[0]!).toBe(true);
  expect(stepsOf(plain, "bidSide").map((step) => ("level" in step ? "level" : step.orders.length))).toEqual([
    ...["level", 3, "level"],
    64 - 3,
  ]);
});

test("a sale of the base token pays each part at its own price, the fee off the whole", () => {
  const levelPays = (50_000n * 10n ** 10n * 2_990_000n) / 10n ** 10n;
  const vaultPays = (29_702_970_297_029_703n * 2_000n * 10n ** 10n) / 10n ** 10n;
  const credit = (levelPays * 10n ** 6n) / 10n ** 8n + (vaultPays * 10n ** 6n) / 10n ** 18n;
  const { amount, next, gas } = sold(plain, BASE_IN, 52_000n * MON);
  expect(amount).toBe(credit - (credit * 10n + 9_999n) / 10_000n);
  expect(next.bidSide.levels).toEqual([plain.bidSide.levels[1]]);
  expect(next.bidSide.vault).toEqual({ ...plain.bidSide.vault, filled: 2_000n * 10n ** 10n });
  expect(gas).toBeGreaterThan(sold(plain, BASE_IN, 1_000n * MON).gas);
});

test("what is sold below a part that the market counts brings nothing more", () => {
  const dust = 10n ** 8n - 1n;
  expect(sold(plain, BASE_IN, MON + dust).amount).toBe(sold(plain, BASE_IN, MON).amount);
  expect(kuruMath.quoteExactIn(plain, BASE_IN, dust, 0n)).toEqual({ rejected: "TOO_SMALL" });
});

test("once one side was traded with, nothing is known of the other, where filled orders may stand", () => {
  for (const [direction, back, side, amount] of [
    [BASE_IN, QUOTE_IN, "askSide", MON],
    [QUOTE_IN, BASE_IN, "bidSide", 10n ** 6n],
  ] as const) {
    const { next } = sold(plain, direction, amount);
    expect(next[side]).toEqual({ levels: [] });
    expect(kuruMath.quoteExactIn(next, back, MON, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
    expect(kuruMath.curve(next, back, 0n)).toBeUndefined();
  }
});

test("two trades on one side bring what one of both amounts does, but for roundings", () => {
  const first = sold(plain, BASE_IN, 55_000n * MON);
  const second = sold(first.next, BASE_IN, 20_000n * MON);
  const both = sold(plain, BASE_IN, 75_000n * MON);
  expect(both.amount - first.amount - second.amount).toBeLessThanOrEqual(3n);
  expect(second.next.bidSide).toEqual(both.next.bidSide);
});

test("nothing behind the last level that is read is traded, not even with the vault", () => {
  const cut = with_("askSide", { more: true });
  const { maxSell } = kuruMath.limits(cut, QUOTE_IN, 0n);
  const all = sold(cut, QUOTE_IN, maxSell);
  expect(all.next.askSide.levels).toEqual([]);
  expect(kuruMath.quoteExactIn(cut, QUOTE_IN, maxSell + 1n, 0n)).toEqual({ rejected: "TOO_LARGE", most: maxSell });
  expect(kuruMath.quoteExactIn(all.next, QUOTE_IN, 10n ** 6n, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(kuruMath.limits(plain, QUOTE_IN, 0n).maxSell).toBeGreaterThan(maxSell);
});

test("a vault's order that is filled beyond its size makes the market refuse trades that come to it", () => {
  const vault = { ...plain.askSide.vault!, filled: plain.askSide.vault!.size + 1n };
  expect(kuruMath.limits(with_("askSide", { vault }), QUOTE_IN, 0n)).toEqual({ maxSell: 0n, maxBuy: 0n });
  const behind = with_("askSide", { vault: { ...vault, price: vault.price * 2n } });
  const { maxBuy } = kuruMath.limits(behind, QUOTE_IN, 0n);
  expect(maxBuy).toBe((40_000n * MON * 9_990n) / 10_000n);
});

test("a purchase brings no more than the contract can multiply in 96 bits", () => {
  const coarse: KuruState = {
    ...plain,
    precisions: [10n ** 20n, 10n ** 8n],
    askSide: { levels: [{ price: 3_010_000n, size: 1n << 95n }] },
  };
  expect(kuruMath.limits(coarse, QUOTE_IN, 0n)).toEqual({ maxSell: 0n, maxBuy: 0n });
});

test("the most that is bought is what the most that is sold pays, where units are coarser than parts too", () => {
  const levels = (price: bigint) => ({ levels: [{ price, size: 1_234_567_899_999n }] });
  const coarse: KuruState = {
    ...{ ...plain, units: [10n ** 2n, 10n ** 2n] },
    ...{ bidSide: levels(299_123_457n), askSide: levels(301_123_457n) },
  };
  const check = (state: KuruState) => {
    for (const direction of [BASE_IN, QUOTE_IN]) {
      const { maxSell, maxBuy } = kuruMath.limits(state, direction, 0n);
      if (maxSell > 0n) expect(sold(state, direction, maxSell).amount).toBe(maxBuy);
    }
  };
  check(coarse);
  expect(kuruMath.limits(coarse, BASE_IN, 0n).maxSell).toBeGreaterThan(0n);
  fc.assert(fc.property(kuruMarkets, check));
});

test("no exact output is served", () => {
  expect(kuruMath.servesExactOut?.(plain)).toBe(false);
  expect(kuruMath.quoteExactOut(plain, BASE_IN, 1n, 0n)).toEqual({ rejected: "UNSUPPORTED" });
});

test("states that markets can have are possible, others not", () => {
  fc.assert(
    fc.property(kuruMarkets, (state) => {
      expect(impossibleKuru(state)).toBeUndefined();
    }),
  );
  const level = { price: 1n, size: 1n };
  for (const [changes, fault] of [
    [{ units: [3n, 10n] }, /^units/],
    [{ units: [10n ** 37n, 10n] }, /^units/],
    [{ precisions: [20n, 10n] }, /^precisions that/],
    [{ precisions: [0n, 10n] }, /^precisions that/],
    [{ precisions: [10n ** 29n, 10n] }, /^precisions of/],
    [{ precisions: [10n, 10n ** 10n] }, /^precisions of/],
    [{ takerFee: 10_000 }, /^takerFee/],
    [{ spread: 0 }, /^spread/],
    [{ spread: 500 }, /^spread/],
    [{ bidSide: { levels: [level, level] } }, /^bidSide: levels out/],
    [{ askSide: { levels: [{ ...level, price: 2n }, level] } }, /^askSide: levels out/],
    [{ askSide: { levels: [{ ...level, price: 0n }] } }, /^askSide: a level/],
    [{ askSide: { levels: [{ ...level, size: 1n << 96n }] } }, /^askSide: a level/],
    [{ askSide: { levels: [], vault: { price: 0n, size: 1n, filled: 0n } } }, /^askSide: a vault/],
    [{ bidSide: { levels: [], vault: { price: 1n << 150n, size: 1n, filled: 0n } } }, /^bidSide: a vault/],
  ] as const)
    expect(impossibleKuru({ ...plain, ...(changes as Partial<KuruState>) })).toMatch(fault);
});
