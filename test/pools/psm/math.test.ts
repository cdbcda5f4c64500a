import fc from "fast-check";
import { expect, test } from "vitest";
import { psmMath } from "../../../src/pools/psm/math.ts";
import type { PsmState } from "../../../src/pools/psm/state.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { amountOfBits } from "../curve/arbitrary.ts";
import { directionsOf } from "../curve/directions.ts";

const WAD = 10n ** 18n;
const fee = fc.constantFrom(0n, 1n, 10n ** 14n, 123_456_789_012_345n, 5n * 10n ** 15n);

const states: fc.Arbitrary<PsmState> = fc.record({
  dai: amountOfBits(100),
  gem: amountOfBits(70),
  tin: fee,
  tout: fee,
  to18: fc.constantFrom(1n, 10n ** 10n, 10n ** 12n),
});

poolContract("a price stability module", {
  math: psmMath,
  states,
  directions: directionsOf(2),
  exactOutExtra: () => 0n,
  feeRounding: () => 1n,
  roundingOf: () => 2,
  tradable: 0.4,
});

const module: PsmState = { dai: 10n ** 20n, gem: 10n ** 8n, tin: 0n, tout: 10n ** 15n, to18: 10n ** 12n };
const BUY_GEMS = { sell: 0, buy: 1 };
const SELL_GEMS = { sell: 1, buy: 0 };

test("what buys no whole unit of the gem stays with the seller", () => {
  const exact = psmMath.quoteExactIn(module, BUY_GEMS, 1_001n * 10n ** 15n, 0n);
  const more = psmMath.quoteExactIn(module, BUY_GEMS, 1_001n * 10n ** 15n + 5n, 0n);
  expect(exact).toMatchObject({ amount: 10n ** 6n, next: { gem: 99n * 10n ** 6n } });
  expect(more).toMatchObject({ amount: 10n ** 6n, next: { dai: module.dai + 1_001n * 10n ** 15n } });
});

test("it pays out no more than it holds, and nobody is served in a direction that is halted", () => {
  const all = psmMath.limits(module, BUY_GEMS, 0n);
  expect(all.maxBuy).toBe(10n ** 8n);
  expect(psmMath.quoteExactIn(module, SELL_GEMS, 10n ** 8n + 1n, 0n)).toEqual({
    ...{ rejected: "TOO_LARGE", most: 10n ** 8n },
  });
  const { tin: _, ...halted } = module;
  expect(psmMath.quoteExactIn(halted, SELL_GEMS, 1n, 0n)).toEqual({ rejected: "PAUSED" });
  expect(psmMath.curve(halted, SELL_GEMS, 0n)).toBeUndefined();
  expect("amount" in psmMath.quoteExactIn(halted, BUY_GEMS, WAD, 0n)).toBe(true);
  expect(psmMath.quoteExactIn({ ...module, dai: 0n }, SELL_GEMS, 1n, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
});
