import { expect } from "vitest";
import { leftBehind, run } from "../../../fixtures/settlement/swap.ts";
import type { World } from "../../../fixtures/settlement/venues.ts";
import type { Route } from "../../../src/domain/route.ts";
import type { SwapTerms } from "../../../src/quoting/ports.ts";

/** Trades a route, which has to move what it says and to leave nothing in our contracts; answers what moved. */
export async function tradeToTheWei(world: World, route: Route, changes: Partial<SwapTerms> = {}) {
  const moved = await run(world, route, changes);
  expect(moved).toMatchObject({ sold: route.sellAmount, bought: route.buyAmount });
  expect(await leftBehind(world)).toBe(0n);
  return moved;
}
