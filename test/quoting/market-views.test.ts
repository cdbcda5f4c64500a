import { openMarket } from "../../src/compose/snapshot-market.ts";
import { marketWithMakers } from "../../src/makers/market-with-makers.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { createTimedChain, follow } from "../chain/blocks/following.ts";
import { pair, tokenAt } from "../market/pairs.ts";
import { savedMarketOf } from "../support/saved-market.ts";
import { describeMarketView } from "./market-view.suite.ts";

async function followed() {
  const fake = createTimedChain({ seed: 5, pairs: 6 });
  for (let block = 0; block < 3; block++) fake.mine();
  const { chain, caughtUp, stop } = await follow(fake);
  await caughtUp();
  const move = async () => {
    fake.mine();
    await caughtUp();
  };
  return { market: chain.market, sources: [...chain.market.sources().keys()], move, stop };
}

describeMarketView("that is followed", followed);

describeMarketView("that is followed, with makers", async () => {
  const { market, sources, ...rest } = await followed();
  const levels: readonly Pool[] = [];
  const makers = {
    levels: () => levels,
    states: () => new Map([["Desk", { pools: 0, status: "live" } as const]]),
  };
  let elapsedMs = 0;
  const elapsed = () => (elapsedMs += 1_000);
  return { ...rest, market: marketWithMakers(market, makers, elapsed), sources: [...sources, "Desk"] };
});

describeMarketView("that was saved", async () => {
  const pools = [pair("p1", tokenAt(1), tokenAt(2), 1_000n, 1n), pair("p2", tokenAt(2), tokenAt(3), 1_000n, 2n)];
  const { market } = openMarket({
    ...savedMarketOf([]),
    sources: [{ id: "Test", kind: "amm", exactOut: true, assurance: "exact" }],
    pools: pools.map((pool) => ({ pool, fillData: {} })),
  });
  return { market, sources: ["Test"] };
});
