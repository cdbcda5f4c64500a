import { afterAll, afterEach, beforeAll, describe } from "vitest";
import type { World } from "../../../fixtures/settlement/venues.ts";
import { testRoutes } from "../../settlement/chain/modelled-routes.ts";
import { singletonRoutes, testRunningDry } from "../../settlement/chain/singleton-routes.ts";
import { withDoppler, withHooks } from "../../settlement/pools/v4-hooks.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { MODELS } from "../worlds/singletons/v4-hooks.ts";

const CASES = [...MODELS, "passed on"] as const;

describe.each(CASES)("pools of Uniswap V4 with hooks, %s", (model) => {
  let world: World;
  let hooked: Awaited<ReturnType<typeof withHooks>>;
  beforeAll(async () => {
    const plain = await startWorld();
    hooked = model === "passed on" ? await withDoppler(plain) : await withHooks(plain, model);
    world = hooked.world;
  });
  afterEach(() => world.restore());
  afterAll(() => world?.node.stop());

  testRoutes(
    () => world,
    singletonRoutes(() => hooked),
    (name) => (name.includes("both in one lock") ? 0.25 : 0.2),
  );

  testRunningDry(() => hooked);
});
