import { vi } from "vitest";
import { testMaverick } from "../../support/suites/maverick.ts";
import { deployMaverick } from "../../venues/worlds/singletons/maverick.ts";

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

testMaverick({ what: "swaps", seed: 611, deploy: deployMaverick });
