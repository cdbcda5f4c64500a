import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Door, KEY, openDoor } from "../support/door/http.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const shell = promisify(execFile);

/** Program of a user who has installed the package. */
const PROGRAM = `
import { createSwapClient, NATIVE_TOKEN, type Price, type SwapRequest } from "tributary-client";
import { createGrpcTransport } from "tributary-client/node";

const [url = "", apiKey = ""] = process.argv.slice(2);
const client = createSwapClient({ transport: createGrpcTransport(url), apiKey });
const request: SwapRequest = { sellToken: NATIVE_TOKEN, buyToken: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", sellAmount: 5n };
const price: Price = await client.price(request);
console.log(price.buyAmount);
process.exit(0);
`;

/** Commands of docs/quickstart.md that make the package. */
const [, COMMANDS = ""] =
  /<!-- run: package -->\n```sh\n([\s\S]*?)```/.exec(readFileSync(join(root, "docs/quickstart.md"), "utf8")) ?? [];

describe("the client as a package", () => {
  let door: Door;
  let folder: string;

  beforeAll(async () => {
    door = await openDoor();
    mkdirSync(join(root, ".cache"), { recursive: true });
    folder = mkdtempSync(join(root, ".cache", "consumer-"));
    const place = join(folder, "node_modules", "tributary-client");
    mkdirSync(place, { recursive: true });
    await shell("sh", ["-ec", COMMANDS.replace("npm exec -- node ", `node ${root}`)], { cwd: folder });
    const [tarball = ""] = readdirSync(folder).filter((file) => /^tributary-client-.*\.tgz$/.test(file));
    await shell("tar", ["-xzf", join(folder, tarball), "-C", place, "--strip-components=1"]);
    for (const scope of ["@bufbuild", "@connectrpc", "@types"]) {
      symlinkSync(join(root, "node_modules", scope), join(folder, "node_modules", scope));
    }
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "program.ts"), PROGRAM);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await door.server.drain(1_000);
  });

  /** As a project of its own would have it. */
  const checkTypes = (files: readonly string[]) => {
    const options = "--ignoreConfig --noEmit --strict --module nodenext --target es2024 --types node --skipLibCheck";
    return shell(join(root, "node_modules", ".bin", "tsc"), [...options.split(" "), ...files], { cwd: folder });
  };

  it("takes the place of its own like only", async () => {
    const make = (place: string) => shell(process.execPath, ["tools/packages/client-package.ts", place], { cwd: root });
    await expect(make(folder)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("deleted") });
    expect(readFileSync(join(folder, "program.ts"), "utf8")).toBe(PROGRAM);
    await make(join(folder, "node_modules", "tributary-client"));
  });

  it("says how it is used", async () => {
    const text = readFileSync(join(folder, "node_modules", "tributary-client", "README.md"), "utf8");
    const examples = [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code as string);
    expect(examples).toHaveLength(2);
    for (const [i, code] of examples.entries()) writeFileSync(join(folder, `example-${i}.ts`), code);
    const files = examples.map((_, i) => `example-${i}.ts`);
    await checkTypes(files);
  });

  it("runs in plain Node out of node_modules", async () => {
    const { stdout } = await shell(process.execPath, ["program.ts", door.origin, KEY], { cwd: folder });
    expect(stdout).toBe("10\n");
  });

  it("has types that hold, without those of the service", async () => {
    await checkTypes(["program.ts"]);
    writeFileSync(join(folder, "wrong.ts"), PROGRAM.replace("sellAmount: 5n", "sellAmount: 5n, buyAmount: 5n"));
    await expect(checkTypes(["wrong.ts"])).rejects.toMatchObject({ stdout: expect.stringContaining("buyAmount") });
  });

  it("leaves out of a bundle what is not used", async () => {
    const size = async (contents: string) => {
      const result = await build({
        stdin: { contents, resolveDir: folder },
        bundle: true,
        minify: true,
        write: false,
        format: "esm",
      });
      return result.outputFiles[0]?.text.length ?? 0;
    };
    const little = await size('import { toDecimal } from "tributary-client"; console.log(toDecimal(15n, 1));');
    const all = await size('import * as client from "tributary-client"; console.log(client);');
    expect(little).toBeLessThan(2_000);
    expect(all).toBeGreaterThan(50_000);
  });
});
