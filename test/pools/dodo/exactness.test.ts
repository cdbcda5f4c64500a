import { vi } from "vitest";
import { testDodo } from "../../support/suites/dodo.ts";
import { deployDodo } from "../../venues/worlds/singletons/dodo.ts";

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

testDodo({ what: "sales", seed: 601, deploy: deployDodo });
