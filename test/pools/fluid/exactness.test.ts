import { vi } from "vitest";
import { testFluid } from "../../support/suites/fluid.ts";
import { deployFluid } from "../../venues/worlds/singletons/fluid.ts";

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

testFluid({ what: "swaps", seed: 401, deploy: deployFluid });
