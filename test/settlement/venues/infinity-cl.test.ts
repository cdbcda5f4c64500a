import { encodeFunctionData } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { exactOut } from "../../../fixtures/settlement/routes.ts";
import { run } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { executorArtifact } from "../../../src/settlement/artifacts.ts";
import { settlementContracts } from "../../../src/settlement/contracts.ts";
import { poolIdOf } from "../../../src/venues/infinity-cl/pool-key.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { forgedSingletons } from "../chain/forged-singletons.ts";
import { testRoutes } from "../chain/modelled-routes.ts";
import { singletonRoutes, testNestedLocks, testRunningDry } from "../chain/singleton-routes.ts";
import { HOOKED, withInfinity } from "../pools/infinity.ts";

let world: World;
let infinity: Awaited<ReturnType<typeof withInfinity>>;
beforeAll(async () => {
  infinity = await withInfinity(await startWorld());
  world = infinity.world;
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const AMOUNT = 100n * UNIT;
const TERMS = { fee: 500, tickSpacing: 10, ...HOOKED };

describe("pools of PancakeSwap Infinity", () => {
  testRoutes(
    () => world,
    singletonRoutes(() => infinity),
    (name) => (name.includes("both in one lock") ? 0.2 : 0.15),
  );

  it("of two managers with one Vault are traded under one lock", async () => {
    const second = await withInfinity(infinity.world, infinity.vault);
    const { usd, dai, gem } = world;
    const route = exactOut(second.world, usd, gem, AMOUNT, [
      [infinity.daiGem, dai, gem],
      [second.usdDai, usd, dai],
    ]);
    const { sold, bought } = await run(second.world, route);
    expect({ sold, bought }).toEqual({ sold: route.sellAmount, bought: AMOUNT });
  });

  testNestedLocks(
    () => infinity,
    (world) => withInfinity(world),
  );

  testRunningDry(() => infinity);
});

describe("forged managers and Vaults", () => {
  forgedSingletons(() => ({
    ...infinity,
    actionAt: (manager) => ({ action: "infinity-cl-pool", manager, ...TERMS }),
    idAt: (manager, currencies) => poolIdOf({ currencies, manager, ...TERMS }),
  }));

  it("a callback from anybody, at rest, is refused", async () => {
    const { node, other, weth } = world;
    const { executor } = settlementContracts(weth);
    for (const data of ["0x", `0x${"00".repeat(416)}`] as const) {
      const call = encodeFunctionData({ abi: executorArtifact.abi, functionName: "lockAcquired", args: [data] });
      const reason = revertReason(await node.revertOf({ from: other, to: executor.address, data: call }));
      expect(reason).toContain("UnexpectedCallback(");
    }
  });
});
