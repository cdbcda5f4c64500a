import { existsSync } from "node:fs";
import { describe, vi } from "vitest";
import { testEkubo } from "../../support/suites/ekubo.ts";
import { ekuboOfMakers } from "./makers.ts";

vi.setConfig({ testTimeout: 3_600_000 });

describe.skipIf(!existsSync(ekuboOfMakers.file))("with the contract of its makers", () => {
  testEkubo("makers", 701, ({ deploy }) => deploy(...ekuboOfMakers.read()));
});
