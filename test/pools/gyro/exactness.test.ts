import { vi } from "vitest";
import { testGyro } from "../../support/suites/gyro.ts";
import { deployGyro } from "../../venues/worlds/gyro.ts";

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

for (const [index, kind] of (["2clp", "3clp", "eclp"] as const).entries())
  testGyro({
    ...{ what: "swaps", seed: 690 + index, kind, rated: kind !== "3clp" },
    deploy: async (anvil, world) => (await deployGyro(anvil, world)).make,
  });
