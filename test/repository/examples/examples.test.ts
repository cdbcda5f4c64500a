import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort, type Program, startProgram } from "../../support/process/program.ts";
import { browserPath } from "../clients/clients.ts";

const KEY = "key-of-the-examples";
const root = fileURLToPath(new URL("../../..", import.meta.url));
const shell = promisify(execFile);

describe("examples", () => {
  let program: Program;
  let pagePort: number;
  let env: Record<string, string>;

  beforeAll(async () => {
    const [port, devnet] = [await freePort(), await freePort()];
    pagePort = await freePort();
    program = startProgram({
      PORT: String(port),
      DEVNET_PORT: String(devnet),
      TRIBUTARY_API_KEY: KEY,
      CORS_ORIGINS: `http://127.0.0.1:${pagePort}`,
    });
    await program.prints(/^curl /m);
    env = {
      PATH: process.env.PATH ?? "",
      TRIBUTARY_URL: `http://127.0.0.1:${port}`,
      TRIBUTARY_API_KEY: KEY,
      RPC_URL: `http://127.0.0.1:${devnet}`,
    };
  });
  afterAll(() => program?.end("SIGTERM"));

  const runExample = async (name: string, ...words: string[]) =>
    (await shell(process.execPath, [join("examples", name), ...words], { cwd: root, env })).stdout;

  it("swap-with-viem.ts swaps there and back and receives what was quoted", async () => {
    const says = await runExample("swap-with-viem.ts");
    const [, quoted, received] = says.match(/^quoted (\d+), received (\d+)$/m) ?? [];
    expect(received).toBe(quoted);
    expect(says).toMatch(new RegExp(`^sold ${received} back for \\d{18,19} wei$`, "m"));
  });

  it("price-table.ts lists every token", async () => {
    const rows = (await runExample("price-table.ts")).trim().split("\n");
    expect(rows.length).toBeGreaterThan(10);
    expect(rows).toContainEqual(expect.stringMatching(/^USDH +2\d{3}\.\d+ {2}block \d+$/));
    expect(rows).toContainEqual(expect.stringMatching(/^WETH +1 {2}block \d+$/));
  });

  it("price-alarm.ts ends when the price is good", async () => {
    expect(await runExample("price-alarm.ts", "1000")).toMatch(/^block \d+: 2\d{3}\.\d+ USDH, sell!\n$/);
  });

  it.skipIf(browserPath === undefined)(
    "wallet-preview shows a quote in a page of another origin (needs a browser)",
    async () => {
      const folder = join(root, "examples", "wallet-preview");
      const script = await build({
        entryPoints: [join(folder, "preview.ts")],
        bundle: true,
        write: false,
        format: "esm",
      });
      const files: Readonly<Record<string, readonly [string, string]>> = {
        "/": ["text/html", readFileSync(join(folder, "index.html"), "utf8")],
        "/preview.js": ["text/javascript", script.outputFiles[0]?.text ?? ""],
      };
      const server = createServer(({ url = "/" }, response) => {
        const [type, body] = files[url] ?? ["text/plain", ""];
        response.setHeader("content-type", type).end(body);
      });
      await new Promise<void>((resolve) => server.listen(pagePort, "127.0.0.1", resolve));
      const chrome = await chromium.launch({ executablePath: browserPath ?? "", args: ["--no-sandbox"] });
      try {
        const page = await chrome.newPage();
        await page.goto(`http://127.0.0.1:${pagePort}/#url=${env.TRIBUTARY_URL}&key=${KEY}`);
        const preview = () => page.innerText("#preview");
        await expect.poll(preview).toMatch(/^You receive 2\d{3}\.\d+ USDH, at least .* Nothing to approve\.$/);
        await page.fill("#amount", "2");
        await expect.poll(preview).toMatch(/^You receive 4\d{3}\.\d+ USDH/);
        await page.fill("#amount", "a lot");
        await expect.poll(preview).toBe("Enter an amount.");
      } finally {
        await chrome.close();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  );

  it("have the types that they claim", async () => {
    await shell(join(root, "node_modules", ".bin", "tsc"), ["-p", "examples"], { cwd: root });
  });
});
