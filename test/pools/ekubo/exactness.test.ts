import { vi } from "vitest";
import { testEkubo } from "../../support/suites/ekubo.ts";

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

testEkubo("swaps", 601);
