import { numberToHex } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { exactOut } from "../../../fixtures/settlement/routes.ts";
import { termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { ExactOutRoute } from "../../../src/domain/route.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { tradeToTheWei } from "../chain/to-the-wei.ts";
import { withLine } from "../chain/token-line.ts";
import { withV4 } from "../pools/v4.ts";

const MOST = 40;

let world: World;
let line: Awaited<ReturnType<typeof withLine>>;
let v4: Awaited<ReturnType<typeof withV4>>;
beforeAll(async () => {
  v4 = await withV4(await startWorld());
  line = await withLine(v4.world, MOST);
  world = line.world;
}, 120_000);
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const poolOf = (id: string) => world.states.get(id as Address);

/** Whether a route's transaction runs with so much gas. */
async function runsWith(route: ExactOutRoute, gas: bigint): Promise<boolean> {
  const { node, taker, settlement, actionOf } = world;
  const { to, data } = settlement.encode(route, termsFor(route), actionOf);
  try {
    await node.rpc("eth_call", { from: taker, to, data, gas: numberToHex(gas) }, "latest");
    return true;
  } catch {
    return false;
  }
}

describe("pools that nest, each in the callback of the one before", () => {
  for (const count of [1, 2, 12, 24, MOST]) {
    it(`are ${count}, with the gas of a quote and to the wei`, async () => {
      const route = exactOut(world, world.usd, line.tokens[count]!, UNIT, line.upTo(count));
      const used = world.settlement.gas(route, termsFor(route));
      const limit = world.settlement.gasLimit(route, termsFor(route), poolOf);
      expect(await runsWith(route, limit)).toBe(true);
      // The gas held back grows with the pools: no fixed part of the gas used makes up for it.
      if (count === MOST) expect(await runsWith(route, (used * 36n) / 25n)).toBe(false);
      const { gasUsed } = await tradeToTheWei(world, route);
      expect(Math.abs(Number(used) / Number(gasUsed) - 1)).toBeLessThan(0.2);
    });
  }

  it("have all others made in the innermost callback, under locks too", async () => {
    const { usd, dai, venues } = world;
    const count = 12;
    const route = exactOut(world, dai, line.tokens[count]!, UNIT, [
      ...line.upTo(count),
      [v4.usdDai, dai, usd, 40],
      [venues.usdDai, dai, usd, 30],
      [venues.usdDaiPancake, dai, usd, 50],
      [venues.usdDaiV3, dai, usd],
    ]);
    expect(await runsWith(route, world.settlement.gasLimit(route, termsFor(route), poolOf))).toBe(true);
    await tradeToTheWei(world, route);
  });
});
