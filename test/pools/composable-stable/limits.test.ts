import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { composableStableMath } from "../../../src/pools/composable-stable/math.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { balancerV2 } from "../../../src/venues/balancer-v2/source.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { createStable, deployBalancer, deployRateProvider, fill, queried } from "../../venues/worlds/balancer.ts";
import { mintedToken } from "../../venues/worlds/traffic/minted-tokens.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

test("of a token of next to no value a pool takes what Balancer's vault can count, and not a base unit more", async () => {
  const world = await deployBalancer(anvil);
  const worthless = await mintedToken(anvil, 18);
  const tokens = [worthless, await mintedToken(anvil, 18)].sort();
  const of = <T>(token: string, ofWorthless: T, other: T) => (token === worthless ? ofWorthless : other);
  const rate = await deployRateProvider(anvil, 10n ** 9n);
  const made = await createStable(anvil, world, {
    ...{ tokens, amplification: 200n, durations: [0n, 0n], exempt: [false, false], fee: 10n ** 12n },
    rateProviders: tokens.map((token) => of(token, rate, ZERO_ADDRESS)),
  });
  const deposits = made.tokens.map((token) =>
    token === made.address ? 1n << 111n : of(token, 10n ** 32n, 10n ** 24n),
  );
  await fill(anvil, world, made, deposits);
  const source = balancerV2({
    ...{ protocol: "balancer-v2", source: "Balancer_V2", vault: world.vault, fromBlock: 0n },
    factories: [{ factory: world.stableFactory, kind: "composable-stable" }],
  });
  const ref = { id: made.poolId, address: world.vault, tokens: made.tokens, terms: {} };
  const [pool] = await source.sync(anvil.reader, [ref], await anvil.mine());
  if (pool?.curve !== "composable-stable") throw new Error("the pool cannot be read");

  const { timestamp } = await anvil.head();
  const sell = made.tokens.indexOf(worthless);
  const buyToken = tokens.find((token) => token !== worthless) ?? ZERO_ADDRESS;
  const direction = { sell, buy: made.tokens.indexOf(buyToken) };
  const { maxSell } = composableStableMath.limits(pool.state, direction, timestamp);
  expect(maxSell).toBe((1n << 112n) - 1n - (pool.state.balances[sell] as bigint));
  for (const amount of [maxSell / 2n, maxSell, maxSell + 1n]) {
    const quote = composableStableMath.quoteExactIn(pool.state, direction, amount, timestamp);
    const swap = { poolId: made.poolId, exactIn: true, sellToken: worthless, buyToken, amount };
    expect(isRejection(quote) ? undefined : quote.amount).toBe(await queried(anvil, world, swap));
    expect(isRejection(quote)).toBe(amount > maxSell);
  }
});
