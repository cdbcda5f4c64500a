import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { exactIn, exactOut } from "../../fixtures/settlement/routes.ts";
import { run } from "../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../fixtures/settlement/venues.ts";
import { type Address, NATIVE_TOKEN } from "../../src/domain/address.ts";
import type { Route } from "../../src/domain/route.ts";
import type { SwapTerms } from "../../src/quoting/ports.ts";
import { startWorld } from "../support/worlds/settlement-world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const AMOUNT = 100n * UNIT;
type Case = (w: World) => { readonly route: Route; readonly changes?: Partial<SwapTerms> };

const cases: Record<string, Case> = {
  V2: (w) => ({ route: exactIn(w, w.usd, w.dai, AMOUNT, [[w.venues.usdDai, w.usd, w.dai]]) }),
  V3: (w) => ({ route: exactIn(w, w.usd, w.dai, AMOUNT, [[w.venues.usdDaiV3, w.usd, w.dai]]) }),
  "V3 with a fee": (w) => ({
    route: exactIn(w, w.usd, w.dai, AMOUNT, [[w.venues.usdDaiV3, w.usd, w.dai]]),
    changes: { fee: { ratePpm: 1_000n, recipient: w.integrator } },
  }),
  "(V3 + V2) to V2": (w) => ({
    route: exactIn(w, w.usd, w.gem, AMOUNT, [
      [w.venues.usdDaiV3, w.usd, w.dai, 60],
      [w.venues.usdDai, w.usd, w.dai],
      [w.venues.daiGem, w.dai, w.gem],
    ]),
  }),
  "exact-out over two V3 pools": (w) => ({
    route: exactOut(w, w.usd, w.gem, AMOUNT, [
      [w.venues.daiGemV3, w.dai, w.gem],
      [w.venues.usdDaiV3, w.usd, w.dai],
    ]),
  }),
  "native in": (w) => ({
    route: exactIn(w, NATIVE_TOKEN, w.usd, UNIT, [
      [w.weth, NATIVE_TOKEN, w.weth],
      [w.venues.usdWeth, w.weth, w.usd],
    ]),
  }),
};

/** Error of the model, as a fraction of the gas used. */
async function errorOf(route: Route, changes?: Partial<SwapTerms>): Promise<number> {
  const { gasUsed, terms } = await run(world, route, changes);
  return Math.abs(Number(world.settlement.gas(route, terms)) / Number(gasUsed) - 1);
}

describe("the gas model", () => {
  for (const [name, build] of Object.entries(cases)) {
    it(`is within 15 % of what ${name} uses`, async () => {
      const { route, changes } = build(world);
      await world.node.rpc("evm_increaseTime", 12);
      expect(await errorOf(route, changes)).toBeLessThan(0.15);
    });
  }

  it("is within 15 % where a V3 pool crosses a tick that was crossed before", async () => {
    const { usd, weth, venues } = world;
    const pool = venues.usdWethV3;
    const crossing = async (sellToken: Address, buyToken: Address, amount: bigint) => {
      const states = new Map([...world.states, [pool, await world.poolAt(pool)]]);
      return exactIn({ ...world, states }, sellToken, buyToken, amount, [[pool, sellToken, buyToken]]);
    };
    await run(world, await crossing(usd, weth, 60n * UNIT));
    await run(world, await crossing(weth, usd, 60n * UNIT));
    await world.node.rpc("evm_increaseTime", 12);
    const again = await crossing(usd, weth, 60n * UNIT);
    const { gas } = again.fills[0]!;
    const small = await crossing(usd, weth, UNIT);
    expect(gas).toBeGreaterThan(small.fills[0]!.gas);
    expect(await errorOf(again)).toBeLessThan(0.15);
  });
});
