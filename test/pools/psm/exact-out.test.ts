import fc from "fast-check";
import { expect, test } from "vitest";
import { psmMath } from "../../../src/pools/psm/math.ts";
import type { PsmState } from "../../../src/pools/psm/state.ts";
import { amountOfBits } from "../curve/arbitrary.ts";

const BUY_GEMS = { sell: 0, buy: 1 };
const SELL_GEMS = { sell: 1, buy: 0 };

/** Fees up to all but one part of 10^18. */
const fee = fc.oneof(fc.constantFrom(0n, 1n, 10n ** 14n), fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }));
const states: fc.Arbitrary<PsmState> = fc.record({
  dai: amountOfBits(100),
  gem: amountOfBits(100),
  tin: fee,
  tout: fee,
  to18: fc.constant(1n),
});

test("exact outputs are paid for to the unit where both tokens count alike, and not offered where they do not", () => {
  fc.assert(
    fc.property(states, fc.constantFrom(BUY_GEMS, SELL_GEMS), amountOfBits(80), (state, direction, wanted) => {
      const quote = psmMath.quoteExactOut(state, direction, wanted, 0n);
      if ("rejected" in quote) {
        expect(wanted > psmMath.limits(state, direction, 0n).maxBuy).toBe(true);
        return;
      }
      const sale = psmMath.quoteExactIn(state, direction, quote.amount, 0n);
      expect(sale).toEqual({ ...quote, amount: wanted });
      const less = psmMath.quoteExactIn(state, direction, quote.amount - 1n, 0n);
      if (!("rejected" in less)) expect(less.amount).toBeLessThan(wanted);
    }),
    { numRuns: 2_000, seed: 88 },
  );
  const coarse: PsmState = { dai: 10n ** 20n, gem: 10n ** 8n, tin: 0n, tout: 10n ** 15n, to18: 10n ** 12n };
  for (const direction of [BUY_GEMS, SELL_GEMS])
    expect(psmMath.quoteExactOut(coarse, direction, 10n ** 6n, 0n)).toEqual({ rejected: "UNSUPPORTED" });
});
