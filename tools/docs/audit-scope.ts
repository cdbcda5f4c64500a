import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Hex, keccak256 } from "viem";

const contracts = fileURLToPath(new URL("../../contracts", import.meta.url));

interface Artifact {
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
  readonly sourceName: string;
}

/** Every file of contracts/src: lines of code without blank ones and comments, and what it compiles to by itself. */
export function auditScope(): readonly (readonly string[])[] {
  const files = readdirSync(join(contracts, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".sol"))
    .sort();
  const rows = files.map((file) => {
    const lines = readFileSync(join(contracts, "src", file), "utf8").split("\n");
    const code = lines.filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length;
    return { file, code, artifact: artifactOf(file) };
  });
  return [
    ["file of contracts/src", "lines of code", "bytes", "keccak256 of the creation code"],
    ...rows.map(({ file, code, artifact }) => [
      `\`${file}\``,
      String(code),
      artifact === undefined ? "" : String((artifact.deployedBytecode.length - 2) / 2),
      artifact === undefined ? "" : `\`${keccak256(artifact.bytecode)}\``,
    ]),
    ["", String(rows.reduce((sum, { code }) => sum + code, 0)), "", ""],
  ];
}

/** Artifact of a contract that is deployed by itself: libraries and abstract contracts are a part of others. */
function artifactOf(file: string): Artifact | undefined {
  const name = basename(file, ".sol");
  if (["TokenTransfers", "Pairs"].includes(name)) return undefined;
  try {
    const artifact = JSON.parse(readFileSync(join(contracts, "out", `${name}.json`), "utf8")) as Artifact;
    return artifact.sourceName === `contracts/src/${file}` ? artifact : undefined;
  } catch {
    return undefined;
  }
}
