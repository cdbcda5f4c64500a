import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { getContractAddress, zeroHash } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CREATE2_DEPLOYER } from "../../../src/settlement/create2-deployer.ts";

const project = fileURLToPath(new URL("../../..", import.meta.url));
let root: string;

/** A project of one small contract of its own, with our compiler script. */
beforeAll(() => {
  mkdirSync(join(project, ".cache"), { recursive: true });
  root = mkdtempSync(join(project, ".cache", "compile-"));
  const tools = join("tools", "contracts");
  for (const file of ["compile-contracts.ts", join("solidity", "contract-compiler.ts")]) {
    cpSync(join(project, tools, file), join(root, tools, file));
  }
  symlinkSync(join(project, "node_modules"), join(root, "node_modules"));
  mkdirSync(join(root, "contracts", "src"), { recursive: true });
  source("return 1;");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function source(body: string): void {
  const text = `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

contract Small {
    function answer() external pure returns (uint256) {
        ${body}
    }
}
`;
  writeFileSync(join(root, "contracts", "src", "Small.sol"), text);
}

const compile = (...words: string[]) =>
  promisify(execFile)(process.execPath, ["tools/contracts/compile-contracts.ts", ...words], { cwd: root });

test("what was compiled is compared with its source: a difference in either is refused, and named", async () => {
  await compile();

  source("return 2;");
  await expect(compile("--check", "src")).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("Small") });

  source("return 1;");
  const out = join(root, "contracts", "out", "Small.json");
  const written = readFileSync(out, "utf8");
  const code: string = JSON.parse(written).deployedBytecode;
  const other = code.slice(0, -1) + (code.endsWith("0") ? "1" : "0");
  writeFileSync(out, written.replace(code, other));
  await expect(compile("--check", "src")).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("Small") });

  writeFileSync(out, written);
  await compile("--check", "src");

  // Results of sources that have not changed are kept as they are.
  const aside = join(root, "contracts", "src", "Aside.sol");
  writeFileSync(aside, readFileSync(join(root, "contracts", "src", "Small.sol"), "utf8").replace("Small", "Aside"));
  expect((await compile("src")).stdout).toBe("contracts/src: Aside.json compiled\ncontracts/src: 2 contracts\n");
  expect(readFileSync(out, "utf8")).toBe(written);
  rmSync(aside);
  expect((await compile("src")).stdout).toBe("contracts/src: 1 contracts\n");
});

test("an executor is compiled with the addresses that its parts' code makes, and says where they are stale", async () => {
  const at = (...path: string[]) => join(root, "contracts", ...path);
  mkdirSync(at("src", "venues"));
  writeFileSync(at("venue-codes.json"), JSON.stringify([{ name: "SMALL", part: "SmallPart" }]));
  const head = "// SPDX-License-Identifier: Apache-2.0\npragma solidity 0.8.34;\n";
  writeFileSync(at("src", "VenueCodes.sol"), `${head}uint256 constant SMALL = 3;\n`);
  writeFileSync(at("src", "Payload.sol"), `${head}error InvalidPayload();\n`);
  const part = (answer: number) =>
    writeFileSync(
      at("src", "venues", "SmallPart.sol"),
      `${head}contract SmallPart { function f() external pure returns (uint256) { return ${answer}; } }\n`,
    );
  part(1);
  writeFileSync(
    at("src", "Core.sol"),
    `${head}import {partOf} from "./PartAddresses.sol";
contract Core { function at(uint256 venue) external pure returns (address) { return partOf(venue); } }\n`,
  );
  await compile("src");
  const read = (name: string) => JSON.parse(readFileSync(at("out", `${name}.json`), "utf8"));
  const address = getContractAddress({
    ...{ opcode: "CREATE2", from: CREATE2_DEPLOYER, salt: zeroHash },
    bytecode: read("SmallPart").bytecode,
  });
  expect(read("Core").deployedBytecode).toContain(address.slice(2).toLowerCase());

  part(2);
  await expect(compile("--check", "src")).rejects.toMatchObject({
    stderr: expect.stringContaining("PartAddresses.sol is not what the parts' code makes"),
  });
  await compile("src");
  expect(read("Core").deployedBytecode).not.toContain(address.slice(2).toLowerCase());
});
