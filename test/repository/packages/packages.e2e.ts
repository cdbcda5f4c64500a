import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PACKAGES } from "../../../tools/packages/names.ts";
import { OLDEST_NODE } from "../../../tools/packages/package-folder.ts";
import { freePort, type Program, startProgram } from "../../support/process/program.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const shell = promisify(execFile);
const MINUTES = 60_000;
const KIB = 1_024;
const KINDS = ["service", "client", "proto"] as const;
/** Packages that users of the client bring themselves, and those that tools need. */
const BROUGHT = ["viem", "@wagmi/core", "@types/node"];

const COMMAND = ".bin/tributary";
/** The machine's own Node, where npm has not put another one before it. */
const ownPath = (process.env.PATH ?? "").split(delimiter).filter((part) => !part.includes("node_modules"));

/** The Node that a user has: the machine's own where the packages run on it, else the one that runs this test. */
async function userNode(): Promise<string> {
  const env = { PATH: ownPath.join(delimiter) };
  const own = await shell("node", ["-p", "process.version + ' ' + process.execPath"], { env }).catch(() => undefined);
  const [, major, minor, path] = /^v(\d+)\.(\d+)\S* (.+)$/m.exec(own?.stdout ?? "") ?? [];
  if (path === undefined) return process.execPath;
  const [oldest = 0, least = 0] = OLDEST_NODE.split(".").map(Number);
  return Number(major) > oldest || (Number(major) === oldest && Number(minor) >= least) ? path : process.execPath;
}

/** Everything below a folder that is a file. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}

/** Whether the registry answered; says nothing of the packages when not. */
function isUnreachable(error: unknown): boolean {
  return /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b/.test(String(error));
}

describe("the packages, installed in an empty folder", () => {
  let folder: string;
  let modules: string;
  let isOffline = false;
  let installedBytes = 0;
  const made = (kind: (typeof KINDS)[number]) => join(folder, "dist", kind);
  const tarballs = () => readdirSync(folder).filter((file) => file.endsWith(".tgz"));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "packages-"));
    modules = join(folder, "node_modules");
    await shell(process.execPath, [join(root, "tools/packages/build-packages.ts"), join(folder, "dist")]);
    await shell("npm", ["pack", "--silent", ...KINDS.map((kind) => `./dist/${kind}`)], { cwd: folder });
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const options = [
      "--omit=optional",
      "--omit=peer",
      "--prefer-offline",
      "--no-audit",
      "--no-fund",
      "--fetch-retries=1",
    ];
    await shell("npm", ["install", ...options, ...tarballs().map((file) => `./${file}`)], { cwd: folder }).catch(
      (error) => {
        if (!isUnreachable(error)) throw error;
        isOffline = true;
      },
    );
    if (isOffline) return;
    const own = filesIn(join(modules, PACKAGES.service));
    installedBytes = own.reduce((sum, file) => sum + statSync(file).size, 0);
    for (const name of BROUGHT) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(root, "node_modules", name), join(modules, name));
    }
    // Its optional part: 43 MiB that need not be copied.
    symlinkSync(join(root, "node_modules/@foundry-rs"), join(modules, "@foundry-rs"));
  }, 5 * MINUTES);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** As a project of its own would have it. */
  const checkTypes = (files: readonly string[]) => {
    const options = "--ignoreConfig --noEmit --strict --module nodenext --target es2024 --types node --skipLibCheck";
    return shell(join(root, "node_modules/.bin/tsc"), [...options.split(" "), ...files], { cwd: folder });
  };
  /** Bundle that a page with this import has to load. */
  const bundle = async (contents: string, platform: "browser" | "node" = "browser") => {
    const entry = { contents, resolveDir: folder };
    const options = { bundle: true, minify: true, write: false, format: "esm", platform } as const;
    return (await build({ stdin: entry, ...options })).outputFiles[0]?.text ?? "";
  };

  it.each(KINDS)("%s is as publint and are-the-types-wrong want it", async (kind) => {
    const { messages } = await publint({ pkgDir: made(kind), strict: true });
    expect(messages.filter(({ code }) => code !== ("USE_REPOSITORY" as never))).toEqual([]);
    // The service has no entry to import. For the others it takes six seconds of a processor.
    if (kind === "service" || process.env.TRIBUTARY_LONG === undefined) return;
    const [tarball = ""] = tarballs().filter((file) => file.includes(kind));
    const attw = createRequire(import.meta.url).resolve("@arethetypeswrong/cli/package.json");
    const words = ["dist/index.js", "--profile", "esm-only", "--format", "ascii", join(folder, tarball)];
    await shell(process.execPath, words, { cwd: dirname(attw) });
  });

  it("the client names ranges and the others' versions in one place", () => {
    const { dependencies } = JSON.parse(readFileSync(join(made("client"), "package.json"), "utf8"));
    expect(Object.keys(dependencies)).toContain(PACKAGES.proto);
    for (const range of Object.values(dependencies)) expect(range).toMatch(/^\^\d/);
  });

  it("takes the place of its own like only", async () => {
    const place = mkdtempSync(join(folder, "full-"));
    mkdirSync(join(place, "proto"));
    writeFileSync(join(place, "proto", "mine"), "");
    const make = shell(process.execPath, [join(root, "tools/packages/build-packages.ts"), place, "proto"]);
    await expect(make).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("would be deleted") });
    expect(readdirSync(join(place, "proto"))).toEqual(["mine"]);
  });

  it("the service is small, and has no TypeScript", ({ skip }) => {
    skip(isOffline, "the registry cannot be reached");
    expect(installedBytes).toBeLessThan(20 * KIB * KIB);
    const { dependencies } = JSON.parse(readFileSync(join(modules, PACKAGES.service, "package.json"), "utf8"));
    expect(dependencies).toBeUndefined();
    expect(filesIn(join(modules, PACKAGES.service)).filter((file) => file.endsWith(".ts"))).toEqual([]);
  });

  it("the client has types that hold, without those of the service", async ({ skip }) => {
    skip(isOffline, "the registry cannot be reached");
    const program = `import { createRestClient, type Price } from "${PACKAGES.client}/rest";
import { callsOf } from "${PACKAGES.client}/viem";
import { sendQuoteWithWagmi } from "${PACKAGES.client}/wagmi";
const client = createRestClient({ baseUrl: "", apiKey: "" });
const price: Price = await client.price({ sellToken: "", buyToken: "", sellAmount: 5n });
console.log(price.route?.fills[0]?.pool, callsOf(await client.quote({ sellToken: "", buyToken: "", sellAmount: 5n })));
// @ts-expect-error: one of the amounts is enough
console.log(sendQuoteWithWagmi, await client.price({ sellToken: "", buyToken: "", sellAmount: 5n, buyAmount: 5n }));
`;
    writeFileSync(join(folder, "program.ts"), program);
    await checkTypes(["program.ts"]);
  });

  it("a browser loads what it uses, and nothing of Node", async ({ skip }) => {
    skip(isOffline, "the registry cannot be reached");
    const all = (entry: string) => bundle(`import * as all from "${PACKAGES.client}${entry}"; console.log(all);`);
    const rest = await all("/rest");
    expect(gzipSync(rest, { level: 9 }).length).toBeLessThanOrEqual(6 * KIB);
    expect(rest).not.toContain("fileDesc");
    const little = await bundle(`import { toDecimal } from "${PACKAGES.client}"; console.log(toDecimal(15n, 1));`);
    expect(little.length).toBeLessThan(2_000);
    expect((await all("")).length).toBeGreaterThan(50_000);
    for (const entry of ["/viem", "/wagmi"]) expect(await all(entry)).toContain("eip712");
  });

  describe("on a devnet that the service starts", () => {
    let program: Program;
    let port: number;
    let node: number;

    beforeAll(async () => {
      if (isOffline) return;
      [port, node] = [await freePort(), await freePort()];
      const environment = { PORT: String(port), DEVNET_PORT: String(node), TRIBUTARY_API_KEY: "my-devnet-key" };
      const options = { METRICS_PORT: "0", SEARCH_THREADS: "1", REQUEST_TIMEOUT_MS: "30000" };
      const readme = readFileSync(join(root, "README.md"), "utf8");
      const [, line = ""] = /<!-- run: npx -->\n```sh\n(.*)\n```/.exec(readme) ?? [];
      expect(line).toContain(`npx ${PACKAGES.service}`);
      const PATH = [dirname(await userNode()), ...ownPath].join(delimiter);
      program = startProgram({ ...environment, ...options, PATH }, ["sh", "-c", `exec env ${line}`], folder);
      await program.prints(/^curl /m);
    }, 2 * MINUTES);
    // npx passes no signal on: a terminal sends Ctrl-C to both.
    afterAll(async () => {
      const [, service] = /"pid":(\d+)/.exec(program?.stderr() ?? "") ?? [];
      if (service !== undefined) process.kill(Number(service), "SIGTERM");
      await program?.end();
    });

    /** The programs that a README shows, for the ports of this run. */
    const examples = (name: string) =>
      [...readFileSync(join(modules, name, "README.md"), "utf8").matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) =>
        (code as string)
          .replaceAll("127.0.0.1:8080", `127.0.0.1:${port}`)
          .replaceAll("127.0.0.1:8545", `127.0.0.1:${node}`),
      );

    it("serves answers, makers' prices, the console and the API's document", async () => {
      const get = async (path: string) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { "api-key": "my-devnet-key" } });
        expect(answer.status, path).toBe(200);
        return answer.text();
      };
      const { sources } = JSON.parse(await get("/swap/v1/sources"));
      expect(sources).toContainEqual(expect.objectContaining({ kind: "rfq", status: "live" }));
      expect(await get("/")).toContain("<html");
      expect((await get("/console.js")).length).toBeGreaterThan(10_000);
      expect(JSON.parse(await get("/openapi.json")).openapi).toMatch(/^3/);
      expect(program.stderr()).not.toContain('"level":50');
    });

    it("has the chains' records, and says what only a clone can do", async () => {
      const runsOn = await userNode();
      const run = (words: readonly string[], env: Readonly<Record<string, string>>) =>
        shell(runsOn, [join(modules, COMMAND), ...words], { env: { PATH: process.env.PATH, ...env } });
      const settings = { RPC_URL: `http://127.0.0.1:${node}`, CHAIN: "nowhere", DATA_DIR: join(folder, "data") };
      await expect(run(["serve"], settings)).rejects.toMatchObject({ stderr: expect.stringContaining("ethereum, ") });
      const verify = run(["verify", "--from-source"], { ...settings, CHAIN: "ethereum" });
      await expect(verify).rejects.toMatchObject({ stderr: expect.stringContaining("clone") });
    });

    it("the client works in Node as its README says", async () => {
      const programs = examples(PACKAGES.client);
      expect(programs).toHaveLength(4);
      const files = programs.map((code, at) => {
        writeFileSync(join(folder, `example-${at}.ts`), code);
        return `example-${at}.ts`;
      });
      await checkTypes(files);
      const says: string[] = [];
      for (const file of files) says.push((await shell(process.execPath, [file], { cwd: folder })).stdout);
      expect(says[0]).toMatch(/^\d{10} \d{10}\n$/);
      expect(says[1]).toContain("value: 1000000000000000000n");
      expect(says[2]).toMatch(/^\d{10}\n\d+ \d{10}\n$/);
      expect(says[3]).toMatch(/^sent 0x[0-9a-f]{64}\n$/);
    });

    it("the contract and the client work out of a browser's bundle", async () => {
      const [rest = ""] = examples(PACKAGES.client);
      const [contract = ""] = examples(PACKAGES.proto);
      for (const [at, code] of [rest, contract].entries()) {
        writeFileSync(join(folder, `page-${at}.js`), await bundle(code));
        const { stdout } = await shell(process.execPath, [`page-${at}.js`], { cwd: folder });
        expect(stdout).toMatch(/^\d{10}/);
      }
    });
  });
});
