import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, vi } from "vitest";
import { ekuboOfMakers } from "../pools/ekubo/makers.ts";
import { testEkuboLogs } from "../support/suites/ekubo-logs.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { deployEkubo, type EkuboWorld } from "./worlds/singletons/ekubo.ts";

vi.setConfig({ testTimeout: 3_600_000 });

describe.skipIf(!existsSync(ekuboOfMakers.file))("with the contract of its makers", () => {
  let anvil: Anvil;
  let world: EkuboWorld;
  beforeAll(async () => {
    anvil = await startAnvil();
    world = await deployEkubo(anvil, ({ deploy }) => deploy(...ekuboOfMakers.read()));
  });
  afterAll(() => anvil?.stop());

  testEkuboLogs(() => ({ anvil, world }));
});
