import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Abi, Hex } from "viem";
import { describe, vi } from "vitest";
import { testAlgebraV1 } from "../support/suites/algebra-v1.ts";
import { deployAlgebraV1 } from "./worlds/algebra/v1.ts";

/**
 * Pools of Algebra's directional version (v1.9), which Camelot V3's are. Their ABI and bytecode are no part of the project:
 * the folder of another team's data has them in `contracts/algebra-v1-directional`, or the test is left out.
 */
const folder = join(process.env.FOREIGN_DATA ?? "", "contracts/algebra-v1-directional");
const contract = (name: string) =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as { readonly abi: Abi; readonly bytecode: Hex };

vi.setConfig({ testTimeout: 3_600_000 });

describe.skipIf(!existsSync(folder))("with the contracts of its makers", () => {
  // A swap over a table of all ticks takes many steps: fewer are crossed.
  testAlgebraV1((anvil) => deployAlgebraV1(anvil, { isDirectional: true, of: contract }), {
    ...{ seed: 311, rounds: 6, blocks: 6, least: { twoTicks: 0.06, gap: -1 } },
  });
});
