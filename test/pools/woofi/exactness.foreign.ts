import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Abi, Hex } from "viem";
import { describe, vi } from "vitest";
import { testWoofi } from "../../support/suites/woofi.ts";
import { deployWoofiOfMakers } from "../../venues/worlds/singletons/woofi.ts";

/**
 * WOOFi's own pool and oracle (woonetwork/WooPoolV2). Their ABI and bytecode are no part of the project: the folder of another
 * team's data has them in `contracts/woofi`, or the test is left out.
 */
const folder = join(process.env.FOREIGN_DATA ?? "", "contracts/woofi");
const contract = (name: string) =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as { readonly abi: Abi; readonly bytecode: Hex };

vi.setConfig({ testTimeout: 3_600_000 });

describe.skipIf(!existsSync(folder))("with the contracts of its makers", () => {
  for (const [seed, version] of ["WooPPV2", "WooPPV2_FS"].entries() as ArrayIterator<
    [number, "WooPPV2" | "WooPPV2_FS"]
  >) {
    testWoofi({
      ...{ what: version, seed: 503 + seed },
      deploy: (anvil, decimals) => deployWoofiOfMakers(anvil, contract, { decimals, version }),
    });
  }
});
