import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawSession, readSession } from "../../../tools/docs/session-svg.ts";
import { freePort, type Program, startProgram } from "../../support/process/program.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const api = readFileSync(join(root, "docs", "api.md"), "utf8");
const run = promisify(execFile);
/** Inside the project, so that what is written there finds its packages. */
const cache = join(root, ".cache");
mkdirSync(cache, { recursive: true });

/** Fields that depend on the answer's block, and not on the request alone. */
const OF_THE_BLOCK = ["blockNumber", "blockHash", "blockTimestamp", "gasPrice", "totalNetworkFee", "optimality"];

/** The code block under a mark like `<!-- run: curl -->`, with the port of this run. */
function block(page: string, mark: string, port?: number): string {
  const match = page.match(new RegExp(`<!-- ${mark} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``));
  if (match?.[1] === undefined) throw new Error(`there is no block marked ${mark}`);
  return port === undefined ? match[1] : match[1].replaceAll("127.0.0.1:8080", `127.0.0.1:${port}`);
}

describe("the README", () => {
  const shown = JSON.parse(block(api, "answer: curl")) as Record<string, unknown>;
  const folder = mkdtempSync(join(cache, "readme-"));
  let port: number;
  let program: Program;

  beforeAll(async () => {
    port = await freePort();
    program = startProgram({ PORT: String(port), DEVNET_PORT: "0", TRIBUTARY_API_KEY: keyOf(readme) });
    await program.prints(/^curl /m);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await program?.end("SIGTERM");
  });

  // The first, since fees fall with every empty block: commands that come much later print another route.
  it("shows a session whose commands print what they did when it was recorded", async () => {
    const session = readSession(readFileSync(join(root, "docs", "session.cast"), "utf8"));
    const text = session.events.map(([, piece]) => piece.replaceAll("\r\n", "\n")).join("");
    const [start = "", ...others] = text.split(/^\$ /m).slice(1);
    expect(readme).toContain(start.match(/^.* npm start/)?.[0]);
    expect(start).toContain(program.stdout().replaceAll(String(port), "8080").trim());
    const env = { PATH: process.env.PATH, TRIBUTARY_URL: `http://127.0.0.1:${port}`, TRIBUTARY_API_KEY: keyOf(readme) };
    expect(others.map((it) => it.split("\n", 1)[0])).toEqual([
      expect.stringMatching(/^npx tributary price /),
      expect.stringMatching(/^npx tributary ladder /),
    ]);
    for (const other of others) {
      const [command = "", ...output] = other.split("\n");
      const words = command.split(" ").slice(2);
      const { stdout } = await run(process.execPath, ["bin/tributary.js", ...words], { cwd: root, env });
      expect(ofEveryBlock(stdout), command).toBe(ofEveryBlock(output.join("\n")));
    }
    expect(readFileSync(join(root, "docs", "session.svg"), "utf8")).toBe(drawSession(session));
  });

  it("shows a part of the answer that docs/api.md shows whole", () => {
    expect(shown).toMatchObject(JSON.parse(block(readme, "answer: curl, in part")) as Record<string, unknown>);
  });

  it("has a curl line that gets the answer of docs/api.md", async () => {
    const { stdout } = await run("sh", ["-c", block(readme, "run: curl", port)]);
    const answer = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(answer).sort()).toEqual(Object.keys(shown).sort());
    expect(steady(answer)).toEqual(steady(shown));
  });

  it("has a line for buf curl that gets the same", async () => {
    const { stdout } = await run("sh", ["-c", block(readme, "run: buf", port)], { cwd: root });
    expect(JSON.parse(stdout)).toMatchObject({ price: shown.price, buyAmount: shown.buyAmount });
  });

  it("has a program for grpc-js that gets the same", async () => {
    const file = join(folder, "client.mjs");
    writeFileSync(file, block(readme, "run: grpc-js", port));
    const { stdout } = await run("node", [file], { cwd: root });
    expect(JSON.parse(stdout)).toMatchObject({ price: shown.price, buyAmount: shown.buyAmount });
  });

  it("has a script for web pages that gets the same", async () => {
    const file = join(folder, "page.mjs");
    const contents = block(readme, "run: browser", port);
    await build({ stdin: { contents, resolveDir: root, loader: "ts" }, bundle: true, format: "esm", outfile: file });
    const { stdout } = await run("node", [file]);
    expect(JSON.parse(stdout)).toEqual({ price: shown.price, buyAmount: shown.buyAmount });
  });
});

function keyOf(page: string): string {
  return page.match(/TRIBUTARY_API_KEY=(\S+) npm start/)?.[1] ?? "";
}

/** Output of the command line without what another block changes: its name, the cost of gas, the gap. */
function ofEveryBlock(text: string): string {
  return text.replaceAll(/^(block|gap|gas) .*$/gm, "$1").replaceAll(/ +[\d.]+$/gm, "");
}

/** An answer without what another block changes. */
function steady(answer: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.fromEntries(Object.entries(answer).filter(([name]) => !OF_THE_BLOCK.includes(name)));
  const text = JSON.stringify(kept).replace(/"adjustedOutput":"\d+"/g, '"adjustedOutput":""');
  return JSON.parse(text) as Record<string, unknown>;
}
