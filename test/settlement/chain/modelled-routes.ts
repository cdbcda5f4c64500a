import { expect, it } from "vitest";
import type { World } from "../../../fixtures/settlement/venues.ts";
import type { Route } from "../../../src/domain/route.ts";
import { tradeToTheWei } from "./to-the-wei.ts";

/** A test for each of these routes: traded to the wei, for gas that is within a part of what the model says. */
export function testRoutes(world: () => World, routes: Record<string, () => Route>, part = (_name: string) => 0.15) {
  for (const [name, build] of Object.entries(routes)) {
    it(`are traded to the wei: ${name}`, async () => {
      const route = build();
      const { node, settlement } = world();
      await node.rpc("evm_increaseTime", 12);
      const { gasUsed, terms } = await tradeToTheWei(world(), route, { maxSellAmount: route.sellAmount });
      // The first to cross a tick pays for its empty slots, which the model leaves out.
      if (name.includes("ticks")) return;
      const gas = settlement.gas(route, terms);
      expect(Math.abs(Number(gas) / Number(gasUsed) - 1), `model ${gas}, used ${gasUsed}`).toBeLessThan(part(name));
    });
  }
}
