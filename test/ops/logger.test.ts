import { execFile, execFileSync, spawn } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLogger } from "../../src/ops/logger.ts";

const LOGGER = new URL("../../src/ops/logger.ts", import.meta.url).href;

/** Runs a program that logs: its lines on standard error, and its exit code. */
function run(program: string): Promise<{ lines: string[]; code: number }> {
  const script = `import { createLogger } from "${LOGGER}"; const logger = createLogger("info"); ${program}`;
  return new Promise((resolve) => {
    execFile(process.execPath, ["--input-type=module", "-e", script], { maxBuffer: 2 ** 26 }, (error, _, stderr) => {
      const lines = stderr.split("\n").filter((line) => line.startsWith("{"));
      const texts = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
      resolve({ lines: texts, code: error === null ? 0 : Number(error.code) });
    });
  });
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`);
const logAll = (count: number) => `for (let i = 0; i < ${count}; i++) logger.info("line " + i);`;

describe("the log on standard error", () => {
  it("is read as docs/operations.md says", () => {
    const page = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
    const [, commands = ""] = /<!-- logs -->\n```sh\n([\s\S]*?)```/.exec(page) ?? [];
    const lines: string[] = [];
    const logger = createLogger("info", { write: (line) => lines.push(line) });
    logger.info({ requestId: "abc" }, "request");
    logger.warn("the node does not answer");
    logger.info({ requestId: "def" }, "request");
    logger.error({ requestId: "abc" }, "call failed");
    const folder = mkdtempSync(join(tmpdir(), "log-"));
    writeFileSync(join(folder, "tributary.log"), lines.join(""));
    const said = execFileSync("sh", ["-ec", commands.replace("REQUEST-ID", "abc")], { cwd: folder, encoding: "utf8" });
    rmSync(folder, { recursive: true });
    const messages = said
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages).toEqual(["the node does not answer", "call failed", "request", "call failed"]);
  });

  it.each([
    ["by itself", "", 0],
    ["by process.exit", "process.exit(3);", 3],
    ["by an exception that nobody catches", "throw new Error('oh');", 1],
  ])("is whole and in order when the process ends %s", async (_, end, code) => {
    for (const count of [1, 1_000])
      expect(await run(`${logAll(count)} ${end}`)).toEqual({ lines: numbered(count), code });
  });

  it("does not keep warnings back, nor what was logged before them", async () => {
    const killed = await run(
      `${logAll(3)} logger.warn("look"); logger.info("lost"); process.kill(process.pid, "SIGKILL");`,
    );
    expect(killed.lines).toEqual([...numbered(3), "look"]);
  });

  it("shows lines soon, however few they are", async () => {
    const killed = await run(`${logAll(3)} setTimeout(() => process.kill(process.pid, "SIGKILL"), 2_000);`);
    expect(killed.lines).toEqual(numbered(3));
  });

  /** Whether a program that logs into a file comes to its end; undefined when it has not after some seconds. */
  function endsLoggingTo(log: number, count: number): Promise<number | undefined> {
    const script = `import { createLogger } from "${LOGGER}"; const logger = createLogger("info"); ${logAll(count)}
      logger.warn("look"); ${logAll(count)} setTimeout(() => process.exit(7), 500);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "ignore", log] });
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve(undefined);
        child.kill("SIGKILL");
      }, 20_000);
      child.on("close", (code) => {
        clearTimeout(timer);
        resolve(code ?? undefined);
      });
    });
  }

  it("holds nothing up, and ends nothing, when its disk is full", async () => {
    const full = openSync("/dev/full", "w");
    expect(await endsLoggingTo(full, 1_000)).toBe(7);
    closeSync(full);
  });

  it("holds nothing up when nobody reads it, and keeps what there is room for", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tributary-log-"));
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    expect(await endsLoggingTo(pipe, 20_000)).toBe(7);
    const held = Buffer.alloc(4_096);
    readSync(pipe, held);
    expect(JSON.parse(held.toString().split("\n")[0]!)).toMatchObject({ msg: "line 0" });
    closeSync(pipe);
    rmSync(folder, { recursive: true });
  });

  it("keeps nothing open when nothing is logged", async () => {
    expect(await run("")).toEqual({ lines: [], code: 0 });
  });
});
