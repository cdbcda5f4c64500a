import { vi } from "vitest";
import { testEkubo } from "../../support/suites/ekubo.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const SEEDS = LONG ? [601, 602, 603, 604, 605, 606, 607, 608, 609] : [601];

vi.setConfig({ testTimeout: LONG ? 3_600_000 : 180_000 });

for (const seed of SEEDS) testEkubo("swaps", seed);
