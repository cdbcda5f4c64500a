import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { USDC } from "../../../fixtures/door/fake-quoting.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";

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

/** The files with the rules of requests, which templates leave out. */
const RULES = /^(rules|buf)\//;

/** Files that swap.proto needs beside Google's: itself, and its imports. */
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

const python = spawnSync("python3", ["-c", "import grpc, grpc_tools"], { stdio: "ignore" });

describe.skipIf(python.status !== 0)("Python's client (needs grpcio and grpcio-tools)", () => {
  let door: Door;
  beforeAll(async () => {
    door = await openDoor();
  });
  afterAll(() => door.server.drain(1_000));

  it("is generated from the contract, prices, follows and is refused", async () => {
    await shell("sh", ["-ec", block("protoc").replace("../tributary", root)], { cwd: folder });
    const env = { PATH: process.env.PATH, PYTHONPATH: folder, TRIBUTARY_API_KEY: KEY, BUY_TOKEN: USDC.address };
    const program = join(root, "examples/grpc/price.py");
    const options = { cwd: folder, env: { ...env, TRIBUTARY_URL: `127.0.0.1:${door.port}` } };
    const { stdout } = await shell("python3", [program], options);
    expect(stdout).toMatch(
      /^price \d+ 2000000000000000000\nupdate \d+ 2000000000000000000\nrefused INVALID_ARGUMENT .*\n$/,
    );
  });
});

it("Python's client is generated from every file of ours, and of Google's what pip has not brought", () => {
  const named = [...block("protoc").matchAll(/(?<= )\S+\.proto(?=\s)/g)].map(([name]) => name);
  expect(named.filter((name) => !name.startsWith("google/")).sort()).toEqual(ownFiles());
  expect(readFileSync(join(root, "examples/grpc/price.py"), "utf8")).toContain(named[0]);
});

/** Code that a template of ours has generated, with a plugin of this machine in the place of one that cannot be reached from here. */
async function generated(language: string, text: string): Promise<readonly Given[]> {
  rmSync(join(folder, "given"), { force: true });
  const local = text.replaceAll(/remote: .*/g, "local: stands-for-plugin").replaceAll("../..", root);
  writeFileSync(join(folder, `buf.gen.${language}.yaml`), local);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "stands-for-plugin"), PLUGIN, { mode: 0o755 });
  const env = { PATH: `${folder}:${join(root, "node_modules/.bin")}:${process.env.PATH}`, HOME: folder };
  const [, command = ""] = /^# (buf .*)$/m.exec(text) ?? [];
  await shell("sh", ["-ec", command], { cwd: folder, env });
  const lines = readFileSync(join(folder, "given"), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Given);
}
const template = (language: string) => readFileSync(join(root, `examples/grpc/buf.gen.${language}.yaml`), "utf8");

const withoutRules = () => ownFiles().filter((name) => !RULES.test(name));

it("Go's client has a package for every file of ours, and Google's own packages", async () => {
  const given = await generated("go", template("go"));
  expect([...new Set(given.flatMap(({ fileToGenerate }) => fileToGenerate))].sort()).toEqual(withoutRules());
  expect(given.flatMap((run) => run.packages).filter(([file]) => RULES.test(file))).toEqual([]);
  const packages = new Map(given.flatMap((run) => run.packages));
  expect(packages.get("swap/v1/swap.proto")).toBe("example.com/you/gen/swap/v1;swapv1");
  for (const [file, goPackage] of packages) {
    const whose = file.startsWith("google/") ? /^google\.golang\.org\// : /^example\.com\/you\/gen\//;
    expect(goPackage, file).toMatch(whose);
  }
});

it("the templates for Java, Python and Rust name their plugins", async () => {
  // One run for all of them, since each takes buf a second.
  const [first = "", ...others] = ["java", "python", "rust"].map(template);
  const plugins = others.map((text) => text.slice(text.indexOf("plugins:\n") + "plugins:\n".length));
  const given = await generated("java", first + plugins.join(""));
  // buf runs a plugin once for each folder.
  for (const file of withoutRules()) {
    expect(
      given.filter(({ fileToGenerate }) => fileToGenerate.includes(file)),
      file,
    ).toHaveLength(7);
  }
});
