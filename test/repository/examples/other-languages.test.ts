import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const page = readFileSync(join(root, "docs", "quickstart.md"), "utf8");
const shell = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "other-languages-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The code under a mark of docs/quickstart.md. */
function block(mark: string): string {
  const [, text] = page.match(new RegExp(`<!-- ${mark} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``)) ?? [];
  if (text === undefined) throw new Error(`there is no block marked ${mark}`);
  return text;
}

/** Files of this project that swap.proto needs: itself, and its imports except Google's. */
function ownFiles(): readonly string[] {
  const swap = "swap/v1/swap.proto";
  const text = readFileSync(join(root, "proto", swap), "utf8");
  const imported = [...text.matchAll(/^import "(.+)";$/gm)].map(([, name]) => name as string);
  return [swap, ...imported.filter((name) => !name.startsWith("google/"))].sort();
}

/** Stands for Go's plugins, which this machine need not have: writes down which files it is given, with their packages. */
const PLUGIN = `#!${process.execPath}
import { appendFileSync, readFileSync } from "node:fs";
import { create, fromBinary, toBinary } from ${JSON.stringify(import.meta.resolve("@bufbuild/protobuf"))};
import * as wkt from ${JSON.stringify(import.meta.resolve("@bufbuild/protobuf/wkt"))};

const { fileToGenerate, protoFile } = fromBinary(wkt.CodeGeneratorRequestSchema, readFileSync(0));
const packages = protoFile.map(({ name, options }) => [name, options.goPackage]);
appendFileSync(${JSON.stringify(join(folder, "given"))}, JSON.stringify({ fileToGenerate, packages }) + "\\n");
const answer = create(wkt.CodeGeneratorResponseSchema, { supportedFeatures: 1n });
process.stdout.write(toBinary(wkt.CodeGeneratorResponseSchema, answer));
`;

interface Given {
  readonly fileToGenerate: readonly string[];
  readonly packages: readonly (readonly [file: string, goPackage: string])[];
}

it("Python's client is generated from every file of ours", () => {
  expect(
    block("protoc")
      .match(/(?<= )\S+\.proto$|(?<= )\S+\.proto(?= )/gm)
      ?.toSorted(),
  ).toEqual(ownFiles());
});

it("Go's client has a package for every file of ours, and Google's own packages", async () => {
  writeFileSync(join(folder, "buf.gen.yaml"), block("file: buf.gen.yaml"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const name of ["protoc-gen-go", "protoc-gen-go-grpc"]) {
    writeFileSync(join(folder, name), PLUGIN, { mode: 0o755 });
  }
  const env = { PATH: `${folder}:${join(root, "node_modules/.bin")}:${process.env.PATH}`, HOME: folder };
  await shell("sh", ["-ec", block("buf").replaceAll("../tributary", root)], { cwd: folder, env });

  const lines = readFileSync(join(folder, "given"), "utf8").trim().split("\n");
  const given = lines.map((line) => JSON.parse(line) as Given);
  expect([...new Set(given.flatMap(({ fileToGenerate }) => fileToGenerate))].sort()).toEqual(ownFiles());
  const packages = new Map(given.flatMap((run) => run.packages));
  expect(packages.get("swap/v1/swap.proto")).toBe("example.com/you/gen/swap/v1;swapv1");
  for (const [file, goPackage] of packages) {
    const whose = file.startsWith("google/") ? /^google\.golang\.org\// : /^example\.com\/you\/gen\//;
    expect(goPackage, file).toMatch(whose);
  }
});
