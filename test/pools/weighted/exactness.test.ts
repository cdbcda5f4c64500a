import { afterAll, beforeAll, expect, test } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { weightedMath } from "../../../src/pools/weighted/math.ts";
import type { WeightedState } from "../../../src/pools/weighted/state.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import {
  type BalancerPool,
  type BalancerWorld,
  balancerCall,
  beTheVault,
  callsOfVault,
  createWeighted,
  deployBalancer,
} from "../../venues/worlds/balancer.ts";
import { mintedToken } from "../../venues/worlds/traffic/minted-tokens.ts";
import { createRandom } from "../../venues/worlds/traffic/random.ts";

/** Our numbers against `onSwap` of Balancer's own pool, called as by its vault, over balances of every size. */

const LONG = process.env.TRIBUTARY_LONG === "1";
const CASES_PER_POOL = LONG ? 6_000 : 100;

/** In hundredths and decimals; the equal and fivefold ones are those that the contract's powers take short ways for. */
const KINDS: readonly {
  readonly tokens: readonly (readonly [weight: number, decimals: number])[];
  readonly fee: bigint;
}[] = [
  {
    fee: 10n ** 12n,
    tokens: [
      [50, 18],
      [50, 6],
    ],
  },
  {
    fee: 3n * 10n ** 15n,
    tokens: [
      [80, 18],
      [20, 8],
    ],
  },
  {
    fee: 10n ** 17n,
    tokens: [
      [1, 0],
      [99, 18],
    ],
  },
  {
    fee: 2_500_000_000_000_001n,
    tokens: [
      [33, 6],
      [34, 18],
      [33, 2],
    ],
  },
  {
    fee: 10n ** 16n,
    tokens: [
      [60, 18],
      [30, 18],
      [7, 8],
      [3, 6],
    ],
  },
  {
    fee: 10n ** 15n,
    tokens: [
      [66, 12],
      [33, 18],
      [1, 18],
    ],
  },
];

let anvil: Anvil;
let world: BalancerWorld;
const pools: (BalancerPool & { readonly state: WeightedState })[] = [];

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployBalancer(anvil);
  for (const { tokens, fee } of KINDS) {
    const made: { token: Address; weight: number; decimals: number }[] = [];
    for (const [weight, decimals] of tokens) made.push({ token: await mintedToken(anvil, decimals), weight, decimals });
    made.sort((a, b) => (a.token < b.token ? -1 : 1));
    const weights = made.map(({ weight }) => BigInt(weight) * 10n ** 16n);
    const pool = await createWeighted(anvil, world, { tokens: made.map(({ token }) => token), weights, fee });
    const scales = made.map(({ decimals }) => 10n ** BigInt(18 - decimals));
    pools.push({ ...pool, state: { balances: scales.map(() => 0n), weights, scales, swapFee: fee, paused: false } });
  }
  await beTheVault(anvil, world);
});
afterAll(() => anvil?.stop());

test("a swap costs and pays what the pool's own contract says", async () => {
  const random = createRandom(71);
  const tried = countCases("balancer-v2", "weighted", 71);
  const seen = { in: 0, out: 0, most: 0, nothing: 0 };
  for (const pool of pools) {
    const cases = Array.from({ length: CASES_PER_POOL }, () => {
      const size = random.between(10n ** 3n, 10n ** 32n);
      const balances = pool.state.scales.map((scale) => {
        const balance = random.between(size / 1_000n + 1n, size * 1_000n) / scale;
        return balance > 2n ** 107n ? 2n ** 107n : balance + 1n;
      });
      const state = { ...pool.state, balances };
      const sell = random.int(0, balances.length - 1);
      const buy = (sell + random.int(1, balances.length - 1)) % balances.length;
      const limits = weightedMath.limits(state, { sell, buy }, 0n);
      const exactIn = random.chance(0.5);
      const most = exactIn ? limits.maxSell : limits.maxBuy;
      const atMost = random.chance(0.1);
      const amount = atMost || most < 2n ? most : random.between(random.chance(0.1) ? 1n : most / 10n ** 8n + 1n, most);
      return { state, sell, buy, exactIn, amount, atMost };
    });
    const answers = await callsOfVault(
      anvil,
      world,
      cases.flatMap(({ state, sell, buy, exactIn, amount }) => {
        const ask = (asked: bigint) => ({
          to: pool.address,
          data: balancerCall("BalancerWeightedPool", "onSwap", [
            {
              kind: exactIn ? 0 : 1,
              tokenIn: pool.tokens[sell],
              tokenOut: pool.tokens[buy],
              amount: asked,
              poolId: pool.poolId,
              lastChangeBlock: 0n,
              from: anvil.account,
              to: anvil.account,
              userData: "0x",
            },
            state.balances[sell],
            state.balances[buy],
          ]),
        });
        return [ask(amount), ask(amount + 1n)];
      }),
    );
    for (const [i, { state, sell, buy, exactIn, amount, atMost }] of cases.entries()) {
      const [answer, above] = answers.slice(2 * i, 2 * i + 2);
      const quote = exactIn
        ? weightedMath.quoteExactIn(state, { sell, buy }, amount, 0n)
        : weightedMath.quoteExactOut(state, { sell, buy }, amount, 0n);
      if (isRejection(quote)) {
        // The contract gives away amounts that round to nothing; it refuses nothing else within the limits.
        expect(quote.rejected).toMatch(amount === 0n ? /TOO_SMALL/ : /TOO_SMALL|NO_LIQUIDITY/);
        if (amount > 0n && exactIn) expect(BigInt(answer as string)).toBe(0n);
        seen.nothing++;
        continue;
      }
      tried.same(quote.amount, answer && BigInt(answer));
      seen[exactIn ? "in" : "out"]++;
      if (atMost && exactIn) {
        expect(above).toBeUndefined();
        seen.most++;
      }
    }
  }
  expect(seen.in).toBeGreaterThan(CASES_PER_POOL * pools.length * 0.25);
  expect(seen.out).toBeGreaterThan(CASES_PER_POOL * pools.length * 0.25);
  expect(seen.most).toBeGreaterThan(CASES_PER_POOL / 10);
});
