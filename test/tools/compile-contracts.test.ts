import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const project = fileURLToPath(new URL("../..", import.meta.url));
let root: string;

/** A project of one small contract of its own, with our compiler script. */
beforeAll(() => {
  mkdirSync(join(project, ".cache"), { recursive: true });
  root = mkdtempSync(join(project, ".cache", "compile-"));
  cpSync(join(project, "tools", "compile-contracts.ts"), join(root, "tools", "compile-contracts.ts"));
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
  promisify(execFile)(process.execPath, ["tools/compile-contracts.ts", ...words], { cwd: root });

test("what was compiled is compared with its source: a difference in either is refused, and named", async () => {
  await compile();
  await compile("--check", "src");

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
}, 120_000);
