import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startTcpProxy, type TcpProxy } from "../../../fixtures/tcp-proxy.ts";
import { cli } from "../../cli/cli.ts";
import { PEPPER } from "../../support/databases/replica.ts";
import { testDatabases, WITHOUT_POSTGRES } from "../../support/databases/test-postgres.ts";
import { PRICE } from "../../support/door/price-call.ts";
import { freePort, type Program, startProgram } from "../../support/process/program.ts";

const PASSWORD = "pa55-word-of-the-tests";

interface Replica {
  readonly program: Program;
  /** The status and reason that a call with a key is answered with. */
  call(key: string): Promise<string>;
}

/** Two services and a command line on one database; their node answers nothing: a valid key is a 503, and counted. */
describe.skipIf(WITHOUT_POSTGRES !== undefined)("replicas on one database", () => {
  const databases = testDatabases();
  let folder: string;
  let network: TcpProxy;
  let environment: Record<string, string>;
  let replicas: Replica[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "replicas-"));
    network = await startTcpProxy(await databases.create());
    const url = new URL(network.url);
    // The server trusts everybody here: the password only has to stay out of sight.
    url.password = PASSWORD;
    environment = { DATABASE_URL: url.href, KEY_PEPPER: PEPPER, DATA_DIR: join(folder, "desk") };
    replicas = await Promise.all([start("one"), start("two")]);
  }, 60_000);
  afterAll(async () => {
    for (const { program } of replicas) await program.end("SIGTERM");
    await network.close();
    rmSync(folder, { recursive: true });
  });

  async function start(name: string): Promise<Replica> {
    const port = await freePort();
    const chain = { CHAIN: "ethereum", RPC_URL: "http://127.0.0.1:9", TRIBUTARY_API_KEY: "the-operators-own" };
    const program = startProgram({ ...environment, ...chain, DATA_DIR: join(folder, name), PORT: String(port) });
    const call = async (key: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${PRICE}`, { headers: { "api-key": key } });
      const { reason } = (await response.json()) as { readonly reason: string };
      return `${response.status} ${reason}`;
    };
    await vi.waitFor(async () => expect(await call("no key")).toMatch(/^401/), { timeout: 60_000, interval: 100 });
    return { program, call };
  }

  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await cli(words, environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining(PASSWORD) });
    return stdout;
  };
  const newKey = async (): Promise<{ readonly key: string; readonly id: string }> =>
    JSON.parse(await run("keys", "create", "--label", "wallet", "--json"));
  const usageOf = async (id: string): Promise<number> => {
    const rows: readonly { readonly requests: number }[] = JSON.parse(await run("usage", "--key", id, "--json"));
    return rows.reduce((sum, { requests }) => sum + requests, 0);
  };
  const both = (key: string) => Promise.all(replicas.map(({ call }) => call(key)));

  it("open the door to the same keys, and refuse a revoked one", async () => {
    const { key, id } = await newKey();
    await expect.poll(() => both(key)).toEqual(["503 UNAVAILABLE", "503 UNAVAILABLE"]);
    await run("keys", "revoke", id);
    await expect.poll(() => both(key)).toEqual(["401 API_KEY_REVOKED", "401 API_KEY_REVOKED"]);
  });

  it("have every call on record, over an outage and the end of one by kill -9", async () => {
    const { key, id } = await newKey();
    await expect.poll(() => both(key)).toEqual(["503 UNAVAILABLE", "503 UNAVAILABLE"]);
    const settled = await expect
      .poll(() => usageOf(id))
      .toBeGreaterThan(1)
      .then(() => usageOf(id));
    let calls = 0;
    const callBoth = async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        expect(await both(key)).toEqual(["503 UNAVAILABLE", "503 UNAVAILABLE"]);
        calls += 2;
      }
    };
    network.cut();
    await callBoth(10);
    // It is on disk at the latest when that has been said; the database is still gone.
    await expect
      .poll(() => replicas.map(({ program }) => program.stderr().includes("usage and quotes wait")))
      .toEqual([true, true]);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await replicas[0]!.program.end("SIGKILL")).toBe("SIGKILL");
    network.mend();
    replicas[0] = await start("one");
    await callBoth(5);
    await expect.poll(() => usageOf(id)).toBeGreaterThanOrEqual(settled + calls);
    expect(await replicas[1]!.program.end("SIGTERM")).toBe(0);
    replicas[1] = await start("two");
    expect(await usageOf(id)).toBe(settled + calls);
  }, 60_000);

  it("say nothing of the database's password", async () => {
    const said = replicas.map(({ program }) => program.stdout() + program.stderr()).join("");
    expect(said).not.toContain(PASSWORD);
    const { stdout, stderr } = await cli(["config", "check"], environment);
    expect(stdout).toContain("DATABASE_URL");
    expect(stdout + stderr).not.toContain(PASSWORD);
    const gone = { ...environment, DATABASE_URL: `postgres://user:${PASSWORD}@127.0.0.1:9/none` };
    const refused = await cli(["keys", "list"], gone);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/^DATABASE_URL: .*ECONNREFUSED/) });
    expect(refused.stderr).not.toContain(PASSWORD);
    const wrong = await cli(["keys", "list"], { ...environment, DATABASE_URL: `postgres://user:${PASSWORD}@:x/` });
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^DATABASE_URL must be a URL like postgres:/),
    });
    expect(wrong.stderr).not.toContain(PASSWORD);
  });
});
