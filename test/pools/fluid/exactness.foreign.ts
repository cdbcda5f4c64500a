import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Abi, Hex } from "viem";
import { describe, vi } from "vitest";
import { testFluid } from "../../support/suites/fluid.ts";
import { deployFluidOfMakers } from "../../venues/worlds/singletons/fluid.ts";

/**
 * Pools and the Liquidity layer of Fluid itself. Their ABI and bytecode are no part of the project: the folder of another team's
 * data has them in `contracts/fluid-dex-t1`, or the test is left out.
 */
const folder = join(process.env.FOREIGN_DATA ?? "", "contracts/fluid-dex-t1");
const contract = (name: string) =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as { readonly abi: Abi; readonly bytecode: Hex };

vi.setConfig({ testTimeout: 3_600_000 });

describe.skipIf(!existsSync(folder))("with the contracts of its makers", () => {
  testFluid({ what: "makers", seed: 402, deploy: (anvil) => deployFluidOfMakers(anvil, contract) });
});
