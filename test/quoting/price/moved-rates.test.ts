import { expect, it } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { graphOf } from "../../../fixtures/routing/request.ts";
import { type ExactInRoute, type Fill, SHARE_ONE } from "../../../src/domain/route.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { dependsOnMovedRate } from "../../../src/quoting/price/moved-rates.ts";

const [ASSET, SHARE, OTHER] = [addressOf(1), addressOf(2), addressOf(3)];

const vault: Pool = {
  ...{ id: addressOf(1, "pool"), source: "ERC4626", tokens: [ASSET, SHARE], curve: "vault" },
  state: { totalAssets: 11n, totalSupply: 10n, virtualShares: 1n, maxDeposit: 100n },
};
const rated: Pool = {
  ...{ id: addressOf(2, "pool"), source: "Curve", tokens: [SHARE, OTHER], curve: "stableswap" },
  state: {
    ...{ balances: [10n ** 24n, 10n ** 24n], rates: [11n * 10n ** 17n, 10n ** 18n], aPrecision: 100n, fee: 4_000_000n },
    ...{ initialA: 10_000n, futureA: 10_000n, initialATime: 0n, futureATime: 0n, adminFee: 5n * 10n ** 9n },
    ...{ generation: "ng", killed: false },
  },
};
const plain = pairOf(3, [SHARE, OTHER], [1_000n, 1_000n]);

function routeOver(...pools: readonly Pool[]): ExactInRoute {
  const amounts = { sellAmount: 1n, buyAmount: 1n };
  const fills = pools.map(({ id: poolId, source, tokens }): Fill => {
    const [sellToken = ASSET, buyToken = OTHER] = tokens;
    return { poolId, source, sellToken, buyToken, ...amounts, gas: 0n, share: SHARE_ONE };
  });
  return { kind: "exactIn", sellToken: ASSET, buyToken: OTHER, ...amounts, fills };
}

it.each([
  ["a vault and a pool with a rate of its shares", [vault, rated], true],
  ["a vault and a pool that knows no rates", [vault, plain], false],
  ["a pool with a rate of the shares alone", [rated], false],
] as const)("of %s: %#", (_, pools, leans) => {
  expect(dependsOnMovedRate(routeOver(...pools), graphOf([vault, rated, plain]))).toBe(leans);
});
