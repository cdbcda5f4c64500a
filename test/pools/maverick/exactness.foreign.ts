import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, vi } from "vitest";
import { testMaverick } from "../../support/suites/maverick.ts";
import { deployMaverickOfMakers, type MakersPool } from "../../venues/worlds/singletons/maverick.ts";

/**
 * Pools with the code that Maverick V2 has on chains; its source is not public. The code is no part of the project: the folder of
 * another team's data has it in `contracts/maverick`, or the test is left out.
 */
const file = join(process.env.FOREIGN_DATA ?? "", "contracts/maverick/pool.json");

vi.setConfig({ testTimeout: 3_600_000 });

describe.skipIf(!existsSync(file))("with the code of its makers", () => {
  testMaverick({
    ...{ what: "makers", seed: 612 },
    deploy: (anvil) => deployMaverickOfMakers(anvil, JSON.parse(readFileSync(file, "utf8")) as MakersPool),
  });
});
