import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeChainFile } from "../../fixtures/chain/chain-file.ts";
import { createFakeChain } from "../../fixtures/chain/fake-chain.ts";
import { type Chain, startChain } from "../../src/chain/chain.ts";
import { readChainRecord } from "../../src/chain/chains/known-chains.ts";
import { systemClock } from "../../src/chain/rpc/clock.ts";
import { RpcError } from "../../src/chain/rpc/provider-errors.ts";
import { createStateKeeper } from "../../src/chain/state/state-keeper.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { openCatalog } from "../../src/stores/open-stores.ts";
import { createSources, VENUES } from "../../src/venues/index.ts";
import { until } from "../chain/blocks/following.ts";
import { cli } from "./cli.ts";

const PAIRS = 300;
const folder = mkdtempSync(join(tmpdir(), "tributary-bootstrap-"));
const fake = createFakeChain({ seed: 41, pairs: PAIRS, dust: true });
for (let block = 0; block < 40; block++) fake.mine();
writeChainFile(join(folder, "chain.json"), fake.record);
/** As the program reads it. */
const record = readChainRecord({ name: undefined, file: join(folder, "chain.json") }, VENUES);
const tokens = [...fake.head.pairs.values()].slice(0, 2).flatMap(({ tokens: held }) => held);
const logger = createLogger("silent");
let server: Server;
let environment: (dataDir: string) => Record<string, string>;

/** Follows the fake chain, whose time stands still, on what a folder has. */
async function follow(dataDir: string, listed = tokens): Promise<Chain> {
  const chain = await startChain({
    ...{ record, rpcUrls: [], providers: [fake.provider], sources: createSources(record), logger },
    freshness: { confirmedWithinMs: 10_000, blockAgeMs: Number.MAX_SAFE_INTEGER },
    tokens: listed.map((address) => ({ address, symbol: "T", name: "T", decimals: 18 })),
    ...{ explainRevert: (data) => data, searchAtOnce: 10n, pollIntervalMs: 20, auditedPerBlock: 0 },
    keeper: createStateKeeper({ folder: dataDir, record, clock: systemClock, logger }),
    catalog: openCatalog(dataDir, record.chainId, () => {}),
  });
  await chain.firstSnapshot;
  return chain;
}

function graphOf(chain: Chain) {
  const current = chain.market.current();
  if (!("snapshot" in current)) throw new Error(current.unavailable);
  return current.snapshot.graph;
}

const awakeIn = (chain: Chain) =>
  graphOf(chain)
    .all()
    .map(({ id }) => id);

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { id, method, params } = JSON.parse(String(Buffer.concat(parts)));
    const answer = await fake.provider.request(method, params ?? []).then(
      (result) => ({ result }),
      (error: unknown) => ({
        error: { code: error instanceof RpcError ? error.code : -32_000, message: String(error) },
      }),
    );
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  environment = (dataDir) => ({ DATA_DIR: dataDir, CHAIN_FILE: join(folder, "chain.json"), RPC_URL: url });
  const chain = await follow(join(folder, "first"));
  await until(() => chain.status().discovery === undefined);
  await chain.stop();
  const exported = await cli(["bootstrap", "export", join(folder, "bootstrap.gz")], environment(join(folder, "first")));
  expect(exported, exported.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(`${PAIRS} pools up to`) });
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const linesOf = (file: string) =>
  gunzipSync(readFileSync(join(folder, file)))
    .toString()
    .trim()
    .split("\n");
function writeLines(file: string, lines: readonly string[]): string {
  writeFileSync(join(folder, file), gzipSync(`${lines.join("\n")}\n`));
  return join(folder, file);
}

it("has one operator's discovery be another's: what is awake is served at once, and the rest sleeps", async () => {
  const imported = await cli(
    ["bootstrap", "import", join(folder, "bootstrap.gz")],
    environment(join(folder, "second")),
  );
  expect(imported, imported.stderr).toMatchObject({ code: 0 });
  expect(imported.stdout).toContain(`Fake_V2: ${PAIRS} pools`);
  expect(imported.stdout).toContain("left out: 0 pools that the chain does not confirm");
  // Nobody lists a token: what the first snapshot has is what was imported.
  const [first, second] = [await follow(join(folder, "first")), await follow(join(folder, "second"), [])];
  expect(awakeIn(second).length).toBeGreaterThan(50);
  expect(new Set(awakeIn(second))).toEqual(new Set(awakeIn(first)));
  expect(second.status().asleep).toBe(first.status().asleep);
  expect(second.status().asleep).toBeGreaterThan(50);
  await Promise.all([first.stop(), second.stop()]);
  const again = await cli(["bootstrap", "import", join(folder, "bootstrap.gz")], environment(join(folder, "second")));
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("import into a new DATA_DIR") });
});

it("leaves out and counts what the chain does not confirm, and finds by its own search what a file leaves out", async () => {
  const [head, ...pools] = linesOf("bootstrap.gz");
  const [one, two, three] = pools.map((line) => JSON.parse(line));
  const reversed = [...one.slice(0, 3), [...one[3]].reverse(), ...one.slice(4)];
  const foreign = [two[0], `0x${"ab".repeat(20)}`, `0x${"ab".repeat(20)}`, two[3], two[4], 1];
  const termed = [...three.slice(0, 4), { fee: "1" }, 1];
  const lies = [reversed, foreign, termed, ["Nobody", ...two.slice(1)], { pool: 1 }, [1, 2, 3]].map((lie) =>
    JSON.stringify(lie),
  );
  const kept = pools.slice(10, 110);
  const file = writeLines("lies.gz", [head!, ...lies, "not JSON", ...kept]);
  const imported = await cli(["bootstrap", "import", file], environment(join(folder, "third")));
  expect(imported, imported.stderr).toMatchObject({ code: 0 });
  expect(imported.stdout).toContain("Fake_V2: 100 pools");
  expect(imported.stdout).toContain(
    "left out: 1 pools that the chain does not confirm or that cannot be read, 6 of an unknown",
  );
  const chain = await follow(join(folder, "third"));
  await until(() => chain.status().discovery === undefined);
  expect(chain.status().pools - 1).toBe(PAIRS);
  for (const id of awakeIn(chain)) {
    const pool = graphOf(chain).pool(id);
    const truth = fake.head.pairs.get(id as `0x${string}` & { readonly __brand: "Address" });
    if (truth !== undefined) expect(pool).toMatchObject({ tokens: truth.tokens, state: { reserves: truth.reserves } });
  }
  await chain.stop();
});

it.each([
  ["of another chain", ['{"form":"tributary bootstrap 1","chainId":5,"block":"1"}'], "of chain 5, not of 99"],
  ["of another form", ['{"form":"other"}'], "none of a bootstrap export"],
  ["without an end of its line", [`"${"x".repeat(300_000)}`], "has no end"],
])("refuses a file %s", async (name, lines, said) => {
  const file = writeLines(`${name.replaceAll(" ", "-")}.gz`, lines);
  const refused = await cli(["bootstrap", "import", file], environment(join(folder, name)));
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
});

it("refuses what is no file of gzip, and one that was cut off", async () => {
  const whole = readFileSync(join(folder, "bootstrap.gz"));
  for (const [index, bytes] of [Buffer.from("no gzip"), whole.subarray(0, whole.length - 50)].entries()) {
    const file = join(folder, `broken-${index}.gz`);
    writeFileSync(file, bytes);
    const refused = await cli(["bootstrap", "import", file], environment(join(folder, `broken-${index}`)));
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be unpacked") });
  }
});
