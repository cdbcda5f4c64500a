import { expect } from "vitest";
import { leftBehind, run } from "../../../fixtures/settlement/swap.ts";
import type { World } from "../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Route } from "../../../src/domain/route.ts";
import type { SwapTerms } from "../../../src/quoting/ports.ts";

/** Trades a route, which has to move what it says and to leave nothing in our contracts; answers what moved. */
export async function tradeToTheWei(world: World, route: Route, changes: Partial<SwapTerms> = {}) {
  const moved = await run(world, route, changes);
  expect(moved).toMatchObject({ sold: route.sellAmount, bought: route.buyAmount });
  expect(await leftBehind(world)).toBe(0n);
  return moved;
}

/** Trades each of some routes by itself, as `tradeToTheWei`. */
export async function tradeEachToTheWei(world: World, routes: readonly Route[]): Promise<void> {
  for (const route of routes) {
    await tradeToTheWei(world, route);
    await world.restore();
  }
}

/** Trades each of some routes beside tokens that lie in the executor: no venue may count them as paid, and they stay there. */
export async function tradeBesideDust(world: World, routes: readonly Route[]): Promise<void> {
  const { settlement, usd, dai, give } = world;
  const [, executor] = settlement.contracts as readonly [Address, Address];
  for (const route of routes) {
    for (const token of [usd, dai]) await give(token, executor, 7n);
    const { sold, bought } = await run(world, route);
    expect({ sold, bought }).toEqual({ sold: route.sellAmount, bought: route.buyAmount });
    for (const token of [usd, dai]) expect(await world.balance(token, executor)).toBe(7n);
    await world.restore();
  }
}

/** Trades a route with a fee of a thousandth for the integrator: the taker gets the rest to the wei. */
export async function tradeWithFee(world: World, route: Route): Promise<void> {
  const fee = { ratePpm: 1_000n, recipient: world.integrator };
  const { bought } = await run(world, route, { fee });
  expect(bought).toBe(route.buyAmount - route.buyAmount / 1_000n);
}
