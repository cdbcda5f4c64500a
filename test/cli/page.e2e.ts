import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { type ServedDevnet, startServedDevnet } from "../support/worlds/served-devnet.ts";
import { cli } from "./cli.ts";

const KEY = "key-of-the-page";
const REQUEST_ID = "7f1c2a52-5a3e-4d1b-9d3a-0f6f6a1e2b11";
/** Commands that run until they are stopped; test/cli/main.e2e.ts and the makers' tests run them. */
const ENDLESS = ["mcp", "serve", "maker"];
/** Needs the service stopped: backup.test.ts runs it. */
const RESTORE = "restore";
/** Needs a database: migrate.test.ts runs it. */
const MIGRATE = "migrate";
/** Needs what a service has kept after a minute: bootstrap.test.ts runs both. */
const BOOTSTRAP = "bootstrap";
/** Compiles all contracts: done by a long run alone, and for what is committed by `npm run check`. */
const FROM_SOURCE = "--from-source";
/** Quotes of the page's audit: all by a long run alone, a tenth of them otherwise. */
const AUDITED = "500";
const LONG = process.env.TRIBUTARY_LONG === "1";

const page = readFileSync(fileURLToPath(new URL("../../docs/cli.md", import.meta.url)), "utf8");
const examples = [...page.matchAll(/For example:\n\n```sh\ntributary (.*)\n```/g)].map(([, line]) => line as string);

let folder: string;
let served: ServedDevnet;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cli-page-"));
  const layout = devnetLayout(devnetAccounts().whale);
  const [sellToken, buyToken] = ["WETH", "USDH"].map((symbol) => layout.token(symbol).address);
  writeFileSync(join(folder, "requests.json"), JSON.stringify([{ sellToken, buyToken, sellAmount: "1000000" }]));
  for (const name of ["tributary.env", "mainnet.env"]) writeFileSync(join(folder, name), "MAX_HOPS=4\n");
  served = await startServedDevnet({ TRIBUTARY_API_KEY: KEY, DATA_DIR: join(folder, "data") });
  environment = {
    ...served.place,
    DATA_DIR: join(folder, "data"),
    TRIBUTARY_URL: `http://127.0.0.1:${served.port}`,
    TRIBUTARY_API_KEY: KEY,
  };
  const [line] = await served.program.prints(/^curl .*$/m);
  const url = (line.match(/'(http[^']+)'/)?.[1] ?? "").replace("/price?", "/quote?");
  const quoted = await fetch(url, { headers: { "api-key": KEY, "x-request-id": REQUEST_ID } });
  expect(quoted.status, await quoted.text()).toBe(200);
});
afterAll(async () => {
  await served?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** A line of the page as words, with its files where this test has them and the key that was made before. */
function wordsOf(line: string, keyId: string): readonly string[] {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
  return words.flatMap((word) => {
    if (word === FROM_SOURCE && !LONG) return [];
    if (word === AUDITED && !LONG) return String(Number(AUDITED) / 10);
    if (/\.(env|json)$|^backups\//.test(word)) return join(folder, word);
    return word === "0aB1cD2eF3" ? keyId : word;
  });
}

describe("docs/cli.md", () => {
  it("has an example of every command, and every one runs as it stands", async () => {
    expect(examples.length).toBeGreaterThan(15);
    let keyId = "";
    for (const line of examples) {
      if ([...ENDLESS, RESTORE, MIGRATE, BOOTSTRAP].some((name) => line.startsWith(name))) continue;
      const { code, stdout, stderr } = await cli(wordsOf(line, keyId), environment);
      expect(code, `${line}\n${stdout}\n${stderr}`).toBe(0);
      expect(stdout, line).not.toBe("");
      if (line.startsWith("keys create")) keyId = stdout.match(/trb_(\w{10})/)?.[1] ?? "";
    }
  }, 600_000);

  it("says the exit codes that there are", () => {
    expect(page.match(/^\| \d \| .* \|$/gm)).toHaveLength(6);
  });
});
