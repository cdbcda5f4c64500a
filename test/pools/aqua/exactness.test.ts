import { vi } from "vitest";
import { testAqua } from "../../support/suites/aqua.ts";
import { deployAqua } from "../../venues/worlds/singletons/aqua.ts";

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

testAqua({ what: "swaps", seed: 611, deploy: deployAqua });
