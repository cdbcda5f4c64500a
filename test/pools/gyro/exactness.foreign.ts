import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "viem";
import { describe, vi } from "vitest";
import { testGyro } from "../../support/suites/gyro.ts";
import type { Anvil } from "../../venues/worlds/anvil.ts";
import { makersOfGyro, type UnlinkedContract } from "../../venues/worlds/gyro.ts";

/**
 * Gyroscope's own bytecode as it was deployed (gyrostable/gyro-pools, build/deployments), each distinct build of its pools. It is no
 * part of the project: the folder of another team's data has it in `contracts/gyroscope`, or the test is left out.
 */
const folder = join(process.env.FOREIGN_DATA ?? "", "contracts/gyroscope");
const isThere = existsSync(folder);
const contract = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as UnlinkedContract;
const KINDS = { Gyro2CLPPool: "2clp", Gyro3CLPPool: "3clp", GyroECLPPool: "eclp" } as const;
const QUERY_PROCESSOR = "QueryProcessor-42-0D4FBbd3";
/** The E-CLP's library, and the one that its first build was linked with. */
const [MATH, FIRST_MATH] = ["GyroECLPMath-1-F89A1713", "GyroECLPMath-137-10ABA87F"];
const FIRST_ECLP = "GyroECLPPool-137-3F6110B9";
/** A build of August 2022: it took and paid no more than a part of a balance at once. The source leaves such pools out. */
const WITH_RATIOS = "Gyro2CLPPool-137-EA68E7C8";

vi.setConfig({ testTimeout: 3_600_000 });

async function deployLibraries(anvil: Anvil, math: string) {
  const deploy = (name: string) => anvil.deploy(contract(name).abi, contract(name).bytecode as Hex);
  return { GyroECLPMath: await deploy(math), QueryProcessor: await deploy(QUERY_PROCESSOR) };
}

describe.skipIf(!isThere)("with the contracts of its makers", () => {
  const builds = isThere ? readdirSync(folder).map((file) => file.replace(/\.json$/, "")) : [];
  for (const [index, build] of builds.entries()) {
    const kind = KINDS[build.split("-")[0] as keyof typeof KINDS];
    if (kind === undefined || build === WITH_RATIOS) continue;
    const pool = contract(build);
    const math = build === FIRST_ECLP ? FIRST_MATH : MATH;
    testGyro({
      ...{ what: build, seed: 700 + index, kind },
      rated: pool.abi.some((item) => item.type === "function" && item.name === "rateProvider0"),
      deploy: async (anvil, world) => makersOfGyro(anvil, world, pool, await deployLibraries(anvil, math)),
    });
  }
});
