import { expect, it } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Address } from "../../../src/domain/address.ts";
import { tieLimits } from "../../../src/routing/charge/tie-limits.ts";
import type { Tie } from "../../../src/routing/charge/ties.ts";
import { sessionOf } from "../../support/trades/session.ts";

const E18 = 10n ** 18n;
const [UNIT, HALF] = [5, 0.5];

const [A, B, C, D] = [1, 2, 3, 4].map((n) => addressOf(n)) as [Address, Address, Address, Address];

/** The limits of a tie out of A, of one into B, to which a pool leads from there, and of one into C, to which none does. */
function limitsOf() {
  const pairs = [
    [A, B],
    [B, C],
    [A, D],
    [D, C],
  ] as const;
  const pools = pairs.map((pair, i) => pairOf(i + 1, pair, [E18, E18]));
  const session = sessionOf({ kind: "exactIn", sellToken: A, buyToken: C, sellAmount: 1000n }, pools);
  const nodeOf = (token: Address) => session.graph.nodeOf(token) as number;
  const bearers = new Map<number, number>();
  const ties: Tie[] = [
    { node: nodeOf(A), isInto: false, bearers, multiplier: 0 },
    { node: nodeOf(B), isInto: true, bearers, multiplier: 0 },
    { node: nodeOf(C), isInto: true, bearers, multiplier: 0 },
  ];
  // The variables: one of a token, the charge, and the ties.
  return tieLimits(session, ties, 2, UNIT, HALF);
}

/** Value and slopes at a charge and multipliers. */
function at(...variables: number[]) {
  const gradient = new Float64Array(5);
  const limits = limitsOf();
  const value = limits.measure(Float64Array.of(0, ...variables), gradient);
  const matrix = new Float64Array(25);
  limits.addBends(matrix);
  return { value, gradient, matrix };
}

it("multipliers of ties that ask for the same pools count for nothing up to their charge together", () => {
  expect(at(1, 0.4, 0.4, 0.8).value).toBe(0);
  expect(at(1, 0.4, 0.4, 0.8).gradient).toEqual(new Float64Array(5));
});

it("and beyond it for more than a touch could bring", () => {
  const { value, gradient } = at(1, 0.8, 0.6, 0.5);
  expect(value).toBeCloseTo(2 * UNIT * 0.4);
  expect([...gradient]).toEqual([0, -2 * UNIT, 2 * UNIT, 2 * UNIT, 0]);
  expect(at(1, 0, 0, 1.5).gradient[4]).toBe(2 * UNIT);
});

it("slopes and bends are what the value changes by", () => {
  const here = [1, 0.55, 0.48, 0.97] as const;
  const step = 1e-6;
  for (let i = 0; i < here.length; i++) {
    const moved = (by: number) => at(...here.map((one, k) => (k === i ? one + by : one)));
    const [up, down] = [moved(step), moved(-step)];
    expect((up.value - down.value) / (2 * step)).toBeCloseTo(at(...here).gradient[i + 1] as number, 4);
    for (let k = 0; k < 5; k++)
      expect(((up.gradient[k] as number) - (down.gradient[k] as number)) / (2 * step)).toBeCloseTo(
        at(...here).matrix[5 * (i + 1) + k] as number,
        3,
      );
  }
});
