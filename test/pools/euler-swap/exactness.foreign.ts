import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Abi, Hex } from "viem";
import { describe, vi } from "vitest";
import { testEulerSwap } from "../../support/suites/euler-swap.ts";
import { deployEuler } from "../../venues/worlds/singletons/euler-swap.ts";

/**
 * Pools of the devnet's interface around EulerSwap's own curve, `CurveLib.sol` of both versions (euler-xyz/euler-swap). They are no
 * part of the project: the folder of another team's data has them compiled in `contracts/euler-swap`, or the test is left out.
 */
const folder = join(process.env.FOREIGN_DATA ?? "", "contracts/euler-swap");
const contract = (name: string) =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as { readonly abi: Abi; readonly bytecode: Hex };

vi.setConfig({ testTimeout: 3_600_000 });

describe.skipIf(!existsSync(folder))("with the curve of its makers", () => {
  testEulerSwap({ what: "makers", seed: 312, deploy: (anvil) => deployEuler(anvil, contract) });
});
