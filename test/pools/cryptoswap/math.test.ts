import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cryptoswapMath } from "../../../src/pools/cryptoswap/math.ts";
import type { CryptoswapState } from "../../../src/pools/cryptoswap/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { directionsOf } from "../curve/directions.ts";
import { cryptoswapPools } from "./arbitrary-cryptoswap.ts";

const TIME = 1_700_000_000n;

for (const [name, count, generation] of [
  ["of 2", 2],
  ["of 3", 3],
  ["of tricrypto's first generation", 3, "first"],
  ["of tricrypto's second generation", 3, "second"],
] as const) {
  poolContract(`a crypto pool ${name}`, {
    ...{
      math: cryptoswapMath,
      states: cryptoswapPools(count, generation),
      directions: directionsOf(count),
      feeFalls: true,
    },
    exactOutExtra: () => 0n,
    // The contract's own D is right to 14 digits: what is paid has that error, and more out of balance, in parts of what is held.
    roundingOf: ({ balances }, { buy }) => 4 + Number(balances[buy]) * 1e-12,
    tradable: 0.4,
  });
}

describe("the ceiling of a crypto pool", () => {
  test("is near the curve where trades are, and would not be a bound if it were lower", () => {
    const gaps: number[] = [];
    let touches = 0;
    fc.assert(
      fc.property(
        cryptoswapPools(2),
        fc.double({ min: 1e-5, max: 0.2, noNaN: true }),
        fc.boolean(),
        (state, part, forwards) => {
          const direction = forwards ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
          const curve = cryptoswapMath.curve(state, direction, TIME);
          const ceiling = curve?.ceiling;
          if (curve === undefined || ceiling === undefined) return;
          const sold = curve.maxSell * part;
          const [paid, bound] = [curve.buyAmountFor(sold), ceiling.buyAmountFor(sold)];
          gaps.push(bound / paid - 1);
          expect(bound).toBeGreaterThanOrEqual(paid);
          if (bound * (1 - 1e-6) < paid) touches++;
        },
      ),
      { numRuns: 300, seed: 4_711 },
    );
    gaps.sort((a, b) => a - b);
    expect(touches).toBeGreaterThan(gaps.length / 4);
    expect(gaps[Math.floor(gaps.length * 0.9)]).toBeLessThan(0.02);
  });
});

test("a pool that was traded, one out of reach and one of no shares serve nobody", () => {
  const [pool] = fc.sample(cryptoswapPools(2), { numRuns: 1, seed: 3 });
  if (pool === undefined) throw new Error("no pool");
  const state: CryptoswapState = { ...pool, futureTime: 0n };
  const direction = { sell: 0, buy: 1 };
  const sell = (of: CryptoswapState) =>
    cryptoswapMath.quoteExactIn(of, direction, (state.balances[0] as bigint) / 100n, TIME);
  const quote = sell(state);
  if (isRejection(quote)) throw new Error("the pool does not trade");
  expect(quote.next.traded).toBe(true);
  expect(sell(quote.next)).toEqual({ rejected: "UNSUPPORTED" });
  expect(cryptoswapMath.spotPrice(quote.next, direction, TIME)).toBeUndefined();
  expect(cryptoswapMath.curve(quote.next, direction, TIME)).toBeUndefined();
  const [first, second] = state.balances as readonly [bigint, bigint];
  expect(sell({ ...state, balances: [first, second / 1_000n] })).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(sell({ ...state, supply: 0n })).toEqual({ rejected: "NO_LIQUIDITY" });
  // A loss by rounding is a loss of the contract.
  expect(sell({ ...state, virtualPrice: 10n ** 19n })).toEqual({ rejected: "TOO_SMALL" });
});

test("tricrypto's first generation trades at no time of a ramp", () => {
  const [state] = fc.sample(cryptoswapPools(3, "first"), { numRuns: 1, seed: 5 });
  if (state === undefined) throw new Error("no pool");
  const sell = (futureTime: bigint) =>
    cryptoswapMath.quoteExactIn(
      { ...state, futureTime },
      { sell: 0, buy: 1 },
      (state.balances[0] as bigint) / 100n,
      TIME,
    );
  expect(sell(TIME + 1n)).toEqual({ rejected: "UNSUPPORTED" });
  expect(isRejection(sell(TIME))).toBe(false);
});

test("before NG a pool whose shares are worth as much as before has lost nothing", () => {
  const [pool] = fc.sample(cryptoswapPools(3, "second"), { numRuns: 1, seed: 5 });
  if (pool === undefined) throw new Error("no pool");
  const state: CryptoswapState = { ...pool, futureTime: 0n };
  const sell = (of: CryptoswapState) =>
    cryptoswapMath.quoteExactIn(of, { sell: 0, buy: 1 }, (state.balances[0] as bigint) / 100n, TIME);
  const quote = sell(state);
  if (isRejection(quote)) throw new Error("the pool does not trade");
  const { virtualPrice } = quote.next;
  expect(sell({ ...state, virtualPrice })).toMatchObject({ amount: quote.amount });
  expect(sell({ ...state, virtualPrice: virtualPrice + 1n })).toEqual({ rejected: "TOO_SMALL" });
  // The end of a ramp is one until an exchange has set it to zero, and so long no loss counts.
  expect(isRejection(sell({ ...state, virtualPrice: virtualPrice + 1n, futureTime: 1n }))).toBe(false);
});
