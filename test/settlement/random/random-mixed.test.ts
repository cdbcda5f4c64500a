import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../src/domain/address.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { tradeToTheWei } from "../chain/to-the-wei.ts";
import { type Makers, withMakers } from "../pools/makers.ts";
import { withDrawn } from "./drawn-pools.ts";
import { amountsOf, percents, split } from "./random-pool-uses.ts";

const RUNS = process.env.TRIBUTARY_LONG === "1" ? 1_000 : 25;
const TIMEOUT_MS = 60_000 + RUNS * 500;

let makers: Makers;
let world: World;
let weighted: Address;
let rated: Address;
beforeAll(async () => {
  const drawn = await withDrawn(await startWorld());
  [weighted, rated] = [drawn.balancer.weighted.address, drawn.rated];
  makers = await withMakers(drawn.world);
  world = makers.world;
}, 120_000);
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const amounts = amountsOf({ min: 15, max: 20 });
const masks = fc.integer({ min: 1, max: 0xffff });

/** Two makers' orders, one for each hop, as pools. */
async function withOrders() {
  const { usd, dai, gem } = world;
  const terms = { takerAmount: 5_000n * UNIT, makerAmount: 4_987n * UNIT + 3n };
  const first = makers.orderOf(usd, dai, terms);
  const second = makers.orderOf(dai, gem, { ...terms, maker: makers.contractMaker });
  return makers.worldWith([
    { order: first, signature: await makers.sign(first) },
    { order: second, signature: await makers.signForContract(second) },
  ]);
}

describe("random routes over makers, Balancer and all others, to the wei", () => {
  it("exact-in, into a token at a rate as well", { timeout: TIMEOUT_MS }, async () => {
    let [ofMakers, ofBalancer, long] = [0, 0, 0];
    const property = fc.asyncProperty(amounts, masks, percents, fc.boolean(), async (amount, mask, shares, toRated) => {
      const { usd, dai, gem, venues: v } = world;
      const at = await withOrders();
      const [a, b] = at.ids as [Address, Address];
      const toDai = split(mask, [a, v.usdDaiV3, weighted, v.usdDai], usd, dai, shares);
      const last = toRated
        ? ([[rated, dai, rated]] as const)
        : split(mask >> 4, [weighted, b, v.daiGemV3, v.daiGem], dai, gem, shares.slice(4));
      const uses = [...toDai, ...last];
      const route = exactIn(at.world, usd, toRated ? rated : gem, amount, uses);
      await tradeToTheWei(at.world, route);
      await world.restore();
      ofMakers += uses.some(([pool]) => pool === a || pool === b) ? 1 : 0;
      ofBalancer += uses.some(([pool]) => pool === weighted) ? 1 : 0;
      long += uses.length > 3 ? 1 : 0;
    });
    await fc.assert(property, { seed: 5, numRuns: RUNS, endOnFailure: true });
    for (const seen of [ofMakers, ofBalancer, long]) expect(seen).toBeGreaterThan(RUNS / 10);
  });

  it("exact-out", { timeout: TIMEOUT_MS }, async () => {
    let [ofMakers, ofBalancer, long] = [0, 0, 0];
    const property = fc.asyncProperty(amounts, masks, percents, async (amount, mask, shares) => {
      const { usd, dai, gem, venues: v } = world;
      const at = await withOrders();
      const [a, b] = at.ids as [Address, Address];
      const toGem = split(mask >> 6, [b, v.daiGemV3, weighted, v.daiGem], dai, gem, shares.slice(5));
      // A pool is used once, in whatever direction.
      const balancer = toGem.some(([pool]) => pool === weighted) ? [] : [weighted];
      const toDai = split(mask, [a, v.usdDaiV3, ...balancer, v.usdDai, v.usdDaiPancake], usd, dai, shares);
      const uses = [...toGem, ...toDai];
      const route = exactOut(at.world, usd, gem, amount, uses);
      await tradeToTheWei(at.world, route, { maxSellAmount: 2n * route.sellAmount });
      await world.restore();
      const pools = uses.map(([pool]) => pool);
      ofMakers += pools.includes(a) || pools.includes(b) ? 1 : 0;
      ofBalancer += pools.includes(weighted) ? 1 : 0;
      long += pools.length > 4 ? 1 : 0;
    });
    await fc.assert(property, { seed: 6, numRuns: RUNS, endOnFailure: true });
    for (const seen of [ofMakers, ofBalancer, long]) expect(seen).toBeGreaterThan(RUNS / 10);
  });
});
