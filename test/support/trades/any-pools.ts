import fc from "fast-check";
import type { Random } from "../../../fixtures/random.ts";
import { addressOf } from "../../../fixtures/routing/pools.ts";
import type { Address } from "../../../src/domain/address.ts";
import { sqrtRatioAtTick } from "../../../src/math/tick-math.ts";
import type { ConcentratedState } from "../../../src/pools/concentrated/state.ts";
import type { CurveKind, CurveStates, Pool } from "../../../src/pools/pool.ts";
import { balancerV3Pools } from "../../pools/balancer-v3/arbitrary-balancer-v3.ts";
import { arbitraryBins } from "../../pools/bins/arbitrary-bins.ts";
import { cryptoswapPools } from "../../pools/cryptoswap/arbitrary-cryptoswap.ts";
import { arbitraryEkubo } from "../../pools/ekubo/arbitrary-ekubo.ts";
import { fluidPools } from "../../pools/fluid/arbitrary-fluid.ts";

const E18 = 10n ** 18n;
const LAST_TICK = 887_272;

/** States that contracts allow, of pools of so many tokens, in which balances and prices have nothing to do with each other. */
const STATES: { readonly [K in CurveKind]?: (random: Random, count: number) => CurveStates[K] } = {
  "constant-product": (random) => ({ reserves: [anyAmount(random), anyAmount(random)], feeNum: 3n, feeDen: 1000n }),
  concentrated: anyTicks,
  weighted: (random, count) => {
    const parts = Array.from({ length: count }, () => 1 + random.below(98));
    const all = parts.reduce((sum, part) => sum + part, 0);
    return {
      balances: parts.map(() => anyAmount(random)),
      weights: parts.map((part) => (BigInt(part) * E18) / BigInt(all)),
      scales: parts.map(() => 10n ** BigInt(random.below(19))),
      swapFee: random.pick([10n ** 12n, 3n * 10n ** 15n, E18 / 10n]),
      paused: random.chance(0.05),
    };
  },
  stableswap: (random, count) => {
    const initialA = BigInt(100 * (1 + random.below(5000)));
    return {
      balances: Array.from({ length: count }, () => anyAmount(random)),
      rates: Array.from({ length: count }, () => E18 * 10n ** BigInt(random.below(13))),
      ...{ initialA, futureA: random.chance(0.3) ? 3n * initialA : initialA },
      ...{ initialATime: 1_699_990_000n, futureATime: 1_700_090_000n, aPrecision: 100n },
      ...{ fee: 4_000_000n, adminFee: 5_000_000_000n, generation: random.pick(["old", "ng"]), killed: false },
    };
  },
  solidly: (random) => ({
    stable: random.chance(0.6),
    reserves: [anyAmount(random), anyAmount(random)],
    units: [10n ** BigInt(random.below(19)), 10n ** BigInt(random.below(19))],
    feeBps: BigInt(random.pick([0, 1, 30, 300])),
    paused: false,
  }),
  psm: (random) => ({ dai: anyAmount(random), gem: anyAmount(random), tin: 0n, tout: 1000n, to18: 10n ** 12n }),
  "rate-token": (random) => {
    const [pooled, shares, supply, held] = [0, 0, 0, 0].map(() => anyAmount(random)) as [
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    return { pooled, shares, supply, held };
  },
  vault: (random) => ({
    ...{ totalAssets: anyAmount(random), totalSupply: anyAmount(random), maxDeposit: anyAmount(random) },
    virtualShares: 10n ** BigInt(random.below(7)),
  }),
  levels: (random) => {
    const takerAmount = 10n ** BigInt(3 + random.below(15));
    const best = 10n ** BigInt(3 + random.below(15));
    const bids = Array.from({ length: random.below(5) }, (_, i) => ({ takerAmount, makerAmount: best - BigInt(i) }));
    return { bids, asks: [] };
  },
};

/** Pools near what their contracts hold, as the tests of their maths draw them. */
const SAMPLED: { readonly [K in CurveKind]?: (count: number, random: Random) => fc.Arbitrary<CurveStates[K]> } = {
  bins: () => arbitraryBins,
  ekubo: () => arbitraryEkubo,
  fluid: () => fluidPools,
  cryptoswap: (count) => cryptoswapPools(count),
  "balancer-v3": (count, random) => balancerV3Pools(random.pick(["weighted", "stable"]), count),
};

export const SAMPLED_KINDS = Object.keys(SAMPLED);

/** The most tokens of a pool of each kind; two where none is named. */
const MOST_TOKENS: { readonly [K in CurveKind]?: number } = {
  ...{ weighted: 4, stableswap: 4, cryptoswap: 3, "balancer-v3": 3 },
};

/** A pool between two of these tokens or, where its kind may have more, up to four. `isSampled`: of the sampled kinds too. */
export function anyPool(n: number, tokens: readonly Address[], random: Random, isSampled: boolean): Pool {
  const curve = random.pick([...Object.keys(STATES), ...(isSampled ? SAMPLED_KINDS : [])]) as CurveKind;
  const most = MOST_TOKENS[curve] ?? 2;
  const count = Math.min(tokens.length, 2 + random.below(most - 1));
  const first = random.below(tokens.length - count + 1);
  // Neighbours, or one left out between them.
  const held = tokens
    .filter((_, i) => i >= first)
    .filter((_, i, rest) => i !== 1 || rest.length === count || random.chance(0.5));
  const sampled: fc.Arbitrary<object> | undefined = SAMPLED[curve]?.(count, random);
  const state = sampled
    ? fc.sample(sampled, { numRuns: 1, seed: random.below(2 ** 31) })[0]
    : STATES[curve]?.(random, count);
  return { id: addressOf(n, "pool"), source: curve, tokens: held.slice(0, count), curve, state } as Pool;
}

/** Random amount of up to 112 bits; each number of bits is equally likely. */
export function anyAmount(random: Random, bits = 112): bigint {
  const high = 1n << BigInt(random.below(bits));
  return high + ((high * BigInt(random.below(2 ** 32))) >> 32n);
}

/** Up to six positions around a price that may be any. */
function anyTicks(random: Random): ConcentratedState {
  const tickSpacing = random.pick([1, 10, 60, 200]);
  const last = Math.floor(LAST_TICK / tickSpacing) * tickSpacing;
  const tick = random.below(2 * last) - last;
  const net = new Map<number, bigint>();
  const gross = new Map<number, bigint>();
  let liquidity = 0n;
  for (let position = random.below(6); position >= 0; position--) {
    const middle = Math.floor(tick / tickSpacing) * tickSpacing + (random.below(201) - 100) * tickSpacing;
    const width = tickSpacing * (1 + random.below(200));
    const [lower, upper] = [Math.max(-last, middle - width), Math.min(last, middle + width)];
    if (lower >= upper) continue;
    const amount = anyAmount(random, 100);
    for (const [index, change] of [
      [lower, amount],
      [upper, -amount],
    ] as const) {
      net.set(index, (net.get(index) ?? 0n) + change);
      gross.set(index, (gross.get(index) ?? 0n) + amount);
    }
    if (lower <= tick && tick < upper) liquidity += amount;
  }
  const ticks = [...net.keys()]
    .sort((a, b) => a - b)
    .map((index) => ({ index, liquidityNet: net.get(index) ?? 0n, liquidityGross: gross.get(index) ?? 0n }));
  const feePpm = random.pick([0, 100, 3000, 10_000, 999_999]);
  return { sqrtPriceX96: sqrtRatioAtTick(tick), tick, liquidity, feePpm, tickSpacing, ticks };
}
