import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Abi, Hex } from "viem";

/**
 * Ekubo's own Core. Its ABI and bytecode are no part of the project: the folder of another team's data has them in
 * `contracts/ekubo-core`, or what needs them is left out.
 */
const file = join(process.env.FOREIGN_DATA ?? "", "contracts/ekubo-core/Core.json");

export const ekuboOfMakers = {
  file,
  read(): readonly [Abi, Hex] {
    const { abi, bytecode } = JSON.parse(readFileSync(file, "utf8")) as { readonly abi: Abi; readonly bytecode: Hex };
    return [abi, bytecode];
  },
};
