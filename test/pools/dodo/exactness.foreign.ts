import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Abi, Hex } from "viem";
import { describe, vi } from "vitest";
import { testDodo } from "../../support/suites/dodo.ts";
import { deployDodoOfMakers } from "../../venues/worlds/singletons/dodo.ts";

/**
 * Pools of DODO's own sources (DODOEX/contractV2). Their ABI and bytecode are no part of the project: the folder of another team's
 * data has them in `contracts/dodo`, or the test is left out.
 */
const folder = join(process.env.FOREIGN_DATA ?? "", "contracts/dodo");
const contract = (name: string) =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as { readonly abi: Abi; readonly bytecode: Hex };

vi.setConfig({ testTimeout: 3_600_000 });

describe.skipIf(!existsSync(folder))("with the contracts of its makers", () => {
  testDodo({ what: "makers", seed: 602, deploy: (anvil) => deployDodoOfMakers(anvil, contract) });
});
