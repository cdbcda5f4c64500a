import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { USDC } from "../../../fixtures/door/fake-quoting.ts";
import { refuse } from "../../../src/domain/errors/swap-error.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { type Program, startProgram } from "../../support/process/program.ts";

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

const template = (language: string) => readFileSync(join(root, `examples/grpc/buf.gen.${language}.yaml`), "utf8");

/** Writes a template into the folder, and runs the command at its top there. */
async function runTemplate(language: string, text: string, path: string): Promise<void> {
  writeFileSync(join(folder, `buf.gen.${language}.yaml`), text.replaceAll("../..", root));
  const [, command = ""] = /^# (buf .*)$/m.exec(text) ?? [];
  const env = { PATH: `${join(root, "node_modules/.bin")}:${path}`, HOME: folder };
  await shell("sh", ["-ec", command], { cwd: folder, env });
}

/** Plugins of this machine in the place of those that buf.gen.python.yaml takes from buf's own server. */
const PYTHON_PLUGINS = {
  "remote: buf.build/protocolbuffers/python": "protoc_builtin: python",
  "remote: buf.build/protocolbuffers/pyi": "protoc_builtin: pyi",
  "remote: buf.build/grpc/python": "local: grpc_python_plugin",
};
const succeeds = (file: string, ...words: string[]) => spawnSync(file, words, { stdio: "ignore" }).status === 0;
/** A Python of this machine that has gRPC: Debian's stands behind others on some PATHs. */
const python = ["python3", "/usr/bin/python3"].find((file) => succeeds(file, "-c", "import grpc"));
const hasPlugins = succeeds("sh", "-c", "command -v protoc && command -v grpc_python_plugin");

describe.skipIf(python === undefined || !hasPlugins)("price.py (needs python3-grpcio, protobuf-compiler-grpc)", () => {
  let door: Door;
  /** Stands between the two, so that the address outlives the service. */
  let address: Server;
  let program: Program;
  let url: string;

  beforeAll(async () => {
    let text = template("python");
    for (const [remote, local] of Object.entries(PYTHON_PLUGINS)) text = text.replace(remote, local);
    await runTemplate("python", text, process.env.PATH ?? "");
    door = await openDoor();
    address = createServer((socket) => {
      const inner = connect(door.port, "127.0.0.1");
      for (const [one, other] of [
        [socket, inner],
        [inner, socket],
      ] as const) {
        one.pipe(other);
        one.on("error", () => other.destroy());
        one.on("close", () => other.destroy());
      }
    });
    await new Promise<void>((resolve) => address.listen(0, "127.0.0.1", resolve));
    const { port } = address.address() as AddressInfo;
    const settings = { PYTHONPATH: join(folder, "gen"), TRIBUTARY_API_KEY: KEY, BUY_TOKEN: USDC.address };
    const command = [python ?? "", join(root, "examples/grpc/price.py"), "0"] as const;
    program = startProgram({ ...settings, TRIBUTARY_URL: `127.0.0.1:${port}` }, command);
    [, url = ""] = await program.prints(/^listening on (\S+)$/m);
  });
  afterAll(async () => {
    await program?.end("SIGTERM");
    await door?.server.drain(1_000);
    await new Promise((resolve) => (address === undefined ? resolve(0) : address.close(resolve)));
  });

  const get = async (path: string) => {
    const response = await fetch(url + path);
    return { status: response.status, body: await response.json() };
  };
  const price = { status: 200, body: { blockNumber: "100", sellAmount: "5", buyAmount: "10" } };

  it("prices, and says what was wrong with a request", async () => {
    expect(await get("/price?sellAmount=5")).toEqual(price);
    expect(await get("/price?sellAmount=0")).toMatchObject({ status: 400, body: { code: "INVALID_ARGUMENT" } });
  });

  it("tries again what may pass, and gives up at its deadline", async () => {
    const asked = () =>
      door.quoting.asked.filter(({ request: { amount } }) => Object.values(amount).includes(5n)).length;
    const before = asked();
    door.quoting.before = async () => {
      door.quoting.before = async () => {};
      throw refuse("SHUTTING_DOWN", "not now");
    };
    expect(await get("/price?sellAmount=5")).toEqual(price);
    expect(asked() - before).toBe(2);

    door.quoting.before = (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    expect(await get("/price?sellAmount=5")).toMatchObject({ status: 503, body: { code: "DEADLINE_EXCEEDED" } });
    door.quoting.before = async () => {};
  });

  it("follows a price through a restart of the service", async () => {
    const watched = { status: 200, body: { buyAmount: "2000000000000000000" } };
    await expect.poll(() => get("/watched")).toMatchObject(watched);
    await door.server.drain(100);
    await expect.poll(() => get("/watched")).toMatchObject({ status: 503 });
    door = await openDoor();
    await expect.poll(() => get("/watched")).toMatchObject(watched);
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
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "stands-for-plugin"), PLUGIN, { mode: 0o755 });
  const local = text.replaceAll(/remote: .*/g, "local: stands-for-plugin");
  await runTemplate(language, local, `${folder}:${process.env.PATH}`);
  const lines = readFileSync(join(folder, "given"), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Given);
}

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
