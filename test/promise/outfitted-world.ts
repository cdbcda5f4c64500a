import { afterAll, beforeAll } from "vitest";
import type { Address } from "../../src/domain/address.ts";
import { type SwapWorld, startSwapWorld } from "../support/worlds/swap-world.ts";
import { outfit } from "./execute.ts";

/**
 * A world for the tests of one file in which these accounts hold and have approved more than any request needs; `prepare`
 * does what else there is to do. Call it at the top of the file; what it answers gives the world inside tests.
 */
export function useOutfittedWorld(
  accounts: readonly Address[],
  prepare: (world: SwapWorld) => Promise<unknown> = async () => {},
): () => SwapWorld {
  let world: SwapWorld | undefined;
  beforeAll(async () => {
    world = await startSwapWorld();
    await outfit(world, accounts);
    await prepare(world);
    await world.follow();
  });
  afterAll(() => world?.stop());
  return () => {
    if (world === undefined) throw new Error("the world is there in tests only, not while the file is read");
    return world;
  };
}
