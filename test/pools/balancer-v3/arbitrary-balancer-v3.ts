import fc from "fast-check";
import type { BalancerV3State } from "../../../src/pools/balancer-v3/state.ts";

const ONE = 10n ** 18n;
const TIME = 1_700_000_000n;

/** Pools worth up to a hundred million, some tokens with a value of their own. */
export function balancerV3Pools(kind: BalancerV3State["kind"], count: number): fc.Arbitrary<BalancerV3State> {
  const token = fc.record({
    decimals: fc.constantFrom(6n, 8n, 18n),
    rate: fc.constantFrom(ONE, 1_037_512_345_678_901_234n, 2n * ONE),
    skew: fc.double({ min: -1.3, max: 1.3, noNaN: true }),
    weight: fc.integer({ min: 1, max: 99 }),
  });
  return fc
    .record({
      size: fc.double({ min: 3, max: 8, noNaN: true }),
      tokens: fc.array(token, { minLength: count, maxLength: count }),
      initialA: fc.integer({ min: 10, max: 5_000 }),
      futureA: fc.integer({ min: 10, max: 5_000 }),
      ramp: fc.constantFrom(0n, TIME - 1_000n, TIME + 500n),
      swapFee: fc.constantFrom(10n ** 12n, 4n * 10n ** 14n, 10n ** 17n),
    })
    .map(({ size, tokens, initialA, futureA, ramp, swapFee }) => {
      const sum = BigInt(tokens.reduce((total, { weight }) => total + weight, 0));
      const stable = kind === "stable";
      return {
        ...{ kind, swapFee, aggregateFee: ONE / 2n, minTrade: 10n ** 6n, paused: false },
        balances: tokens.map(
          ({ decimals, skew }) => (BigInt(Math.floor(10 ** (size + skew) * 1e6)) * 10n ** decimals) / 10n ** 6n,
        ),
        scales: tokens.map(({ decimals }) => 10n ** (18n - decimals)),
        rates: tokens.map(({ rate }) => rate),
        weights: tokens.map(({ weight }) => (stable ? 0n : (BigInt(weight) * ONE) / sum)),
        minBalances: tokens.map(() => (stable ? 0n : 10n ** 6n)),
        initialA: stable ? BigInt(initialA) * 1_000n : 0n,
        futureA: stable ? BigInt(futureA) * 1_000n : 0n,
        initialATime: stable && ramp > 0n ? ramp - 1_000n : 0n,
        futureATime: stable ? ramp : 0n,
      };
    });
}
