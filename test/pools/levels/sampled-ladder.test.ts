import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { capacityOf, payoutFor } from "../../../src/pools/levels/ladder.ts";
import type { Level } from "../../../src/pools/levels/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { impossibleSampledLadder } from "../../../src/pools/sampled-ladder/impossible.ts";
import { levelsOf, type Sample, withSample } from "../../../src/pools/sampled-ladder/levels-of.ts";
import { sampledLadderMath } from "../../../src/pools/sampled-ladder/math.ts";
import type { SampledLadderState } from "../../../src/pools/sampled-ladder/state.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { amountOfBits } from "../curve/arbitrary.ts";

const BID = { sell: 0, buy: 1 };
const ASK = { sell: 1, buy: 0 };
const RUNS = { numRuns: 2_000, seed: 37_006 };

/** A contract that pays like a pool of constant product, rounded down. */
interface Concave {
  readonly held: bigint;
  readonly depth: bigint;
}
const paidBy = ({ held, depth }: Concave, sold: bigint) => (held * sold) / (depth + sold);

const concave: fc.Arbitrary<Concave> = fc.record({ held: amountOfBits(110), depth: amountOfBits(110) });
const amounts = fc
  .array(amountOfBits(110), { minLength: 1, maxLength: 14 })
  .map((list) => [...new Set(list)].sort((a, b) => (a < b ? -1 : 1)));
const samplesOf = (contract: Concave, sold: readonly bigint[]): readonly Sample[] =>
  sold.map((amount) => ({ sold: amount, paid: paidBy(contract, amount) }));

const side = fc.tuple(concave, amounts).map(([contract, sold]) => levelsOf(samplesOf(contract, sold)));
const states: fc.Arbitrary<SampledLadderState> = fc.record({ bids: side, asks: side, swapGas: fc.constant(150_000n) });

poolContract("a ladder of samples", {
  math: sampledLadderMath,
  states,
  directions: [BID, ASK],
  exactOutExtra: () => 0n,
  roundingOf: () => 1,
  tradable: 0.4,
});

describe("levels between samples", () => {
  test("promise no more than a concave contract pays, and at a sample just that or little less", () => {
    fc.assert(
      fc.property(concave, amounts, fc.double({ min: 0, max: 1, noNaN: true }), (contract, sold, part) => {
        const levels = levelsOf(samplesOf(contract, sold));
        const most = capacityOf(levels).takerAmount;
        const amount = BigInt(Math.floor(Number(most) * part));
        const held = amount < most ? amount : most;
        expect(payoutFor(levels, held)).toBeLessThanOrEqual(paidBy(contract, held));
        const fault = impossibleSampledLadder({ bids: levels, asks: [], swapGas: 1n });
        expect(fault).toBeUndefined();
      }),
      RUNS,
    );
  });

  test("lose less than a part in ten thousand to rounding", () => {
    const contract = { held: 5_000_000_000_000n, depth: 2_500n * 10n ** 18n };
    const sold = [1n, 10n, 100n, 1_000n, 10_000n].map((part) => part * 10n ** 16n);
    const levels = levelsOf(samplesOf(contract, sold));
    for (const amount of sold) {
      const [promised, paid] = [payoutFor(levels, amount), paidBy(contract, amount)];
      expect(promised * 10_000n).toBeGreaterThanOrEqual(paid * 9_999n);
    }
  });

  test("stay below a sample that pays better than those before it", () => {
    const levels = levelsOf([
      { sold: 100n, paid: 1_000_000n },
      { sold: 200n, paid: 3_000_000n },
      { sold: 300n, paid: 3_100_000n },
    ]);
    expect(levels).toEqual([
      { takerAmount: 100n, makerAmount: 1_000_000n },
      { takerAmount: 100n, makerAmount: 1_000_000n },
      { takerAmount: 100n, makerAmount: 1_000_000n },
    ] satisfies Level[]);
  });

  test("end where a contract pays nothing more, or amounts that no sum may reach", () => {
    const flat = [
      { sold: 100n, paid: 50_000n },
      { sold: 200n, paid: 50_000n },
    ];
    expect(capacityOf(levelsOf(flat))).toEqual({ takerAmount: 100n, makerAmount: 50_000n });
    expect(levelsOf([{ sold: 1n << 128n, paid: 50_000n }])).toEqual([]);
    expect(levelsOf([{ sold: 5n, paid: 0n }])).toEqual([]);
  });
});

test("one more sample is paid to the unit, and no other amount better than the contract pays it", () => {
  fc.assert(
    fc.property(concave, amounts, amountOfBits(110), amountOfBits(110), (contract, sold, asked, other) => {
      const levels = levelsOf(samplesOf(contract, sold));
      const most = capacityOf(levels).takerAmount;
      const paid = paidBy(contract, asked);
      const told = withSample(levels, { sold: asked, paid });
      if (asked > most) {
        expect(told).toBeUndefined();
        return;
      }
      if (told === undefined) throw new Error("a sample was refused");
      expect(payoutFor(told, asked)).toBe(paid);
      // A larger amount is rounded once more.
      if (other <= most) expect(payoutFor(told, other)).toBeLessThanOrEqual(paidBy(contract, other) + 1n);
    }),
    RUNS,
  );
});

test("a sample may be lower than the levels by rounding, and no more", () => {
  const levels = [{ takerAmount: 1_000n, makerAmount: 1_000_000n }];
  expect(withSample(levels, { sold: 500n, paid: 499_600n })).toEqual([
    { takerAmount: 500n, makerAmount: 499_600n },
    { takerAmount: 500n, makerAmount: 500_000n },
  ]);
  expect(withSample(levels, { sold: 500n, paid: 499_400n })).toBeUndefined();
  expect(withSample(levels, { sold: 1n, paid: 0n })).toBeUndefined();
  expect(withSample([{ takerAmount: 1_000n, makerAmount: 2_000n }], { sold: 1n, paid: 0n })).toBeDefined();
});

test("nothing is known of it once it was traded, and it is asked for no exact output", () => {
  const levels = [{ takerAmount: 100n, makerAmount: 1_000n }];
  const state: SampledLadderState = { bids: levels, asks: levels, swapGas: 99n };
  const quote = sampledLadderMath.quoteExactIn(state, BID, 50n, 0n);
  if (isRejection(quote)) throw new Error("no quote");
  expect(quote).toMatchObject({ amount: 500n, gas: 99n });
  for (const direction of [BID, ASK])
    expect(sampledLadderMath.quoteExactIn(quote.next, direction, 1n, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(sampledLadderMath.quoteExactOut(state, BID, 5n, 0n)).toEqual({ rejected: "UNSUPPORTED" });
  expect(sampledLadderMath.quoteExactIn(state, BID, 101n, 0n)).toEqual({ rejected: "TOO_LARGE", most: 100n });
});
