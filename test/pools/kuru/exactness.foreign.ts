import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, vi } from "vitest";
import { testKuru } from "../../support/suites/kuru.ts";
import { deployKuruOfMakers, type MakersCodes } from "../../venues/worlds/singletons/kuru.ts";

/**
 * Markets with the code of Kuru's makers (Kuru-Labs/Kuru-contracts-dex-public 2060bb27, BUSL-1.1). It is no part of the project: the
 * folder of another team's data has it in `contracts/kuru`, or the test is left out.
 */
const file = join(process.env.FOREIGN_DATA ?? "", "contracts/kuru/contracts.json");

vi.setConfig({ testTimeout: 3_600_000 });

describe.skipIf(!existsSync(file))("with the code of its makers", () => {
  testKuru({
    ...{ what: "makers", seed: 712, flips: true },
    deploy: (anvil) => deployKuruOfMakers(anvil, JSON.parse(readFileSync(file, "utf8")) as MakersCodes),
  });
});
