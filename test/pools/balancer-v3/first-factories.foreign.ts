import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Abi, Hex } from "viem";
import { describe } from "vitest";
import { testBalancerV3Exactness } from "../../support/suites/balancer-v3-exactness.ts";

/**
 * Pools of Balancer V3's factories of December 2024 and March 2025, which are traded on. Their ABI and bytecode are no part
 * of the project: the folder of another team's data has them in `contracts/balancer-v3-first`, or the test is left out.
 */
const folder = join(process.env.FOREIGN_DATA ?? "", "contracts/balancer-v3-first");
const contract = (name: string) =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as { readonly abi: Abi; readonly bytecode: Hex };
const ONE = 10n ** 18n;

describe.skipIf(!existsSync(folder))("with the contracts of its makers", () => {
  testBalancerV3Exactness(
    [
      {
        decimals: [18, 6],
        rated: [false, true],
        fee: 10n ** 15n,
        weights: [ONE / 4n, (3n * ONE) / 4n],
        factory: () => contract("WeightedPoolFactory2024"),
      },
      {
        decimals: [6, 18],
        rated: [true, false],
        fee: 10n ** 14n,
        amplification: 700n,
        factory: () => contract("StablePoolFactory2024"),
      },
      {
        decimals: [18, 6, 18],
        rated: [false, false, true],
        fee: 10n ** 14n,
        amplification: 90n,
        factory: () => contract("StablePoolFactory2025"),
      },
    ],
    "first factories, ",
  );
});
