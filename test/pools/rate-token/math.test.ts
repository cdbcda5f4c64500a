import fc from "fast-check";
import { expect, test } from "vitest";
import { rateTokenMath } from "../../../src/pools/rate-token/math.ts";
import type { RateTokenState } from "../../../src/pools/rate-token/state.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { amountOfBits } from "../curve/arbitrary.ts";
import { directionsOf } from "../curve/directions.ts";

const rates = fc.record({ pooled: amountOfBits(96), shares: amountOfBits(96) }).map(({ pooled, shares }) => ({
  // Within a factor of 2^20 of each other, as are all rates that mean something.
  pooled: pooled + (shares >> 20n),
  shares: shares + (pooled >> 20n),
}));

const states: fc.Arbitrary<RateTokenState> = fc
  .record({ rate: rates, supply: amountOfBits(100), held: amountOfBits(100) })
  .map(({ rate, supply, held }) => ({ ...rate, supply, held }));

poolContract("a rate token", {
  math: rateTokenMath,
  states,
  directions: directionsOf(2),
  exactOutExtra: () => 0n,
  roundingOf: () => 1,
});

const token: RateTokenState = { pooled: 1_200n, shares: 1_000n, supply: 900n, held: 600n };

test("no more is unwrapped than there is, nor than what is held pays for", () => {
  const leave = { sell: 1, buy: 0 };
  // 501 of them are worth 601.2, of which the last 600 are there.
  expect(rateTokenMath.quoteExactIn(token, leave, 501n, 0n)).toEqual({ rejected: "TOO_LARGE", most: 500n });
  expect(rateTokenMath.quoteExactIn({ ...token, held: 10_000n }, leave, 901n, 0n)).toEqual({
    ...{ rejected: "TOO_LARGE", most: 900n },
  });
  expect(rateTokenMath.quoteExactIn({ ...token, supply: 0n }, leave, 1n, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(rateTokenMath.quoteExactIn({ ...token, shares: 0n }, { sell: 0, buy: 1 }, 5n, 0n)).toEqual({
    ...{ rejected: "NO_LIQUIDITY" },
  });
});
