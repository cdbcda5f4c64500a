import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { toAddress } from "../../src/domain/address.ts";
import { allContracts, settlementContracts } from "../../src/settlement/contracts.ts";
import { standardInputOf } from "../../tools/contracts/solidity/contract-compiler.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const contracts = new URL("../../contracts/", import.meta.url);
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, contracts), "utf8"));
const addresses = readJson("addresses.json") as {
  readonly everyChain: Readonly<Record<string, string>>;
  readonly Executor: Readonly<Record<string, { readonly wrappedNative: string; readonly address: string }>>;
};

const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string };

/** Compiles the printed input as an explorer does: it has no file but those in it. */
function compiled(path: string, name: string): string {
  const output = JSON.parse(solc.compile(JSON.stringify(standardInputOf(path))));
  return `0x${output.contracts[path][name].evm.bytecode.object}`;
}

describe("what is published of the contracts", () => {
  // A compiler in WebAssembly takes five seconds for each: the one that needs more files stands for both.
  for (const path of [...(LONG ? ["Gateway"] : []), "venues/CurvePools"]) {
    it(`compiles ${path} from its standard JSON alone to the bytecode that is shipped`, () => {
      const name = path.split("/").at(-1) as string;
      const artifact = readJson(`out/${name}.json`);
      expect(compiled(`contracts/src/${path}.sol`, name)).toBe(artifact.bytecode);
    });
  }

  it("has the address of every contract on every chain, from the code alone", () => {
    for (const { wrappedNative, address } of Object.values(addresses.Executor)) {
      for (const contract of allContracts(settlementContracts(toAddress(wrappedNative)))) {
        expect(contract.address).toBe(contract.name === "Executor" ? address : addresses.everyChain[contract.name]);
      }
    }
  });
});
