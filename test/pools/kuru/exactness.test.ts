import { vi } from "vitest";
import { testKuru } from "../../support/suites/kuru.ts";
import { deployKuru } from "../../venues/worlds/singletons/kuru.ts";

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

testKuru({ what: "trades", seed: 711, deploy: deployKuru });
