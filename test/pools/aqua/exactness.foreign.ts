import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Abi, Hex } from "viem";
import { describe, vi } from "vitest";
import { testAqua } from "../../support/suites/aqua.ts";
import { deployAquaOfMakers } from "../../venues/worlds/singletons/aqua.ts";

/**
 * Strategies over contracts of 1inch's own sources (1inch/swap-vm at v1.0.1 with the fee of v1.0.2, 1inch/aqua). Their ABI and bytecode are no part of the project: the folder of another team's
 * data has them in `contracts/aqua`, or the test is left out.
 */
const folder = join(process.env.FOREIGN_DATA ?? "", "contracts/aqua");
const contract = (name: string) =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as { readonly abi: Abi; readonly bytecode: Hex };

vi.setConfig({ testTimeout: 3_600_000 });

describe.skipIf(!existsSync(folder))("with the contracts of its makers", () => {
  testAqua({ what: "makers", seed: 612, deploy: (anvil) => deployAquaOfMakers(anvil, contract) });
});
