import { readFileSync } from "node:fs";
import type { Abi, Hex } from "viem";

/** A contract that we compiled, from contracts/out. */
export function compiled(name: string): { readonly abi: Abi; readonly bytecode: Hex } {
  const file = new URL(`../../../contracts/out/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as { abi: Abi; bytecode: Hex };
}
