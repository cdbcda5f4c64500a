import { concat, type Hex, numberToHex } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createWorld, UNIT, type World } from "../../../../fixtures/settlement/venues.ts";
import { settlementContracts } from "../../../../src/settlement/contracts.ts";
import { poolIdOf } from "../../../../src/venues/ekubo/pool-key.ts";
import { revertReason } from "../../../support/worlds/revert-reason.ts";
import { forgedSingletons } from "../../chain/forged-singletons.ts";
import { testRoutes } from "../../chain/modelled-routes.ts";
import { singletonRoutes, testNestedLocks, testRunningDry } from "../../chain/singleton-routes.ts";
import { CONFIG, withEkubo } from "../../pools/ekubo.ts";

let world: World;
let ekubo: Awaited<ReturnType<typeof withEkubo>>;
beforeAll(async () => {
  ekubo = await withEkubo(await createWorld());
  world = ekubo.world;
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const _AMOUNT = 100n * UNIT;

describe("pools of Ekubo", () => {
  testRoutes(
    () => world,
    singletonRoutes(() => ekubo),
    (name) => (name.includes("both in one lock") ? 0.2 : 0.15),
  );

  testNestedLocks(
    () => ekubo,
    (world) => withEkubo(world),
  );

  testRunningDry(() => ekubo);
});

describe("forged Cores", () => {
  forgedSingletons(() => ({
    ...ekubo,
    actionAt: (core) => ({ action: "ekubo-pool", core, config: CONFIG }),
    idAt: (_core, tokens) => poolIdOf({ tokens, config: CONFIG }),
  }));

  it("a callback from anybody, at rest, is refused", async () => {
    const { node, other, weth } = world;
    const { executor } = settlementContracts(weth);
    for (const data of ["0x", `0x${"00".repeat(416)}`] as const satisfies readonly Hex[]) {
      const call = concat(["0x00000000", numberToHex(0, { size: 32 }), data]);
      const reason = revertReason(await node.revertOf({ from: other, to: executor.address, data: call }));
      expect(reason).toContain("UnexpectedCallback(");
    }
  });

  it("native token from a Core is refused, unless it pays out", async () => {
    const { node, weth } = world;
    const { executor } = settlementContracts(weth);
    await node.rpc("anvil_impersonateAccount", ekubo.manager);
    const sent = { from: ekubo.manager, to: executor.address, data: "0x" as const, value: 1n };
    expect(revertReason(await node.revertOf(sent))).toContain("UnexpectedNative(");
  });
});
