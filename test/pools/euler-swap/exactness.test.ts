import { vi } from "vitest";
import { testEulerSwap } from "../../support/suites/euler-swap.ts";
import { deployEuler } from "../../venues/worlds/singletons/euler-swap.ts";

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

testEulerSwap({ what: "quotes", seed: 311, deploy: (anvil) => deployEuler(anvil) });
