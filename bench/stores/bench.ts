/**
 * Size and latency of PostgreSQL, for docs/database.md: bytes per key, row of usage and quote, time for a replica to
 * read all keys, time until it refuses a revoked one, and the usage that it delivers.
 *
 *   node bench/stores/bench.ts [postgres://postgres@127.0.0.1:5432/postgres]
 *
 * It works in a database of its own, which it drops.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createKeyCopy } from "../../src/api/keys/key-copy.ts";
import { createDigest } from "../../src/api/keys/pepper.ts";
import type { LoggedQuote } from "../../src/domain/terms/logged-quote.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { openStores } from "../../src/stores/open-stores.ts";

const KEYS = 10_000;
const ROWS = 100_000;
const QUOTES = 5_000;
const REVOCATIONS = 50;
const PEPPER = "a pepper of the benchmark, long enough";

const server = process.argv[2] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const name = `tributary_bench_${randomBytes(4).toString("hex")}`;
const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
const folder = mkdtempSync(join(tmpdir(), "stores-"));

async function answer(at: string, text: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: at });
  await client.connect();
  try {
    return (await client.query(text)).rows[0] ?? {};
  } finally {
    await client.end();
  }
}

async function bytesOf(...tables: readonly string[]): Promise<number> {
  await answer(url, "VACUUM ANALYZE");
  const sizes = tables.map((table) => `pg_total_relation_size('tributary.${table}')`).join(" + ");
  return Number((await answer(url, `SELECT ${sizes} AS bytes`)).bytes);
}

function open(replica: string, connections = 4) {
  const place = { dataDir: join(folder, replica), pepper: PEPPER };
  return openStores({ ...place, postgres: { settings: { url, connections } } });
}

/** A quote of a route through six pools, with the calldata that such a one has. */
function quoteOf(n: number): LoggedQuote {
  const address = () => `0x${randomBytes(20).toString("hex")}` as LoggedQuote["terms"]["sellToken"];
  const fill = () => ({
    ...{ from: address(), to: address(), source: "Uniswap_V3", pool: address() },
    ...{ sellAmount: 10n ** 18n, buyAmount: 3n * 10n ** 9n },
  });
  return {
    ...{ requestId: `request-${n}`, at: Date.now(), chainId: 1, taker: address() },
    block: { number: BigInt(n), hash: `0x${randomBytes(32).toString("hex")}`, timestamp: 1_800_000_000n },
    transaction: { to: address(), data: `0x${randomBytes(900).toString("hex")}`, value: 0n },
    calldataHash: `0x${randomBytes(32).toString("hex")}`,
    allowanceTarget: address(),
    terms: {
      ...{ sellToken: address(), buyToken: address(), maxSellAmount: 10n ** 18n, minBuyAmount: 10n ** 9n },
      ...{ recipient: address(), deadline: 1_800_000_120n, fee: undefined },
    },
    ...{ sellAmount: 10n ** 18n, buyAmount: 3n * 10n ** 9n, makerOrders: [] },
    route: Array.from({ length: 6 }, fill),
  } as unknown as LoggedQuote;
}

const quantile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))]!.toFixed(0);

/** Milliseconds from a revocation's end to the first refusal by another replica's copy. */
async function revocations(hears: boolean): Promise<readonly number[]> {
  const [desk, replica] = [await open("desk"), await open("replica")];
  const [{ database }, kept] = [await desk.keys(), await replica.keys()];
  const source = hears ? kept.database : { ...kept.database, onChange: () => () => {} };
  const copy = await createKeyCopy(source, kept.digest, { logger: createLogger("silent") });
  const delays: number[] = [];
  for (let n = 0; n < REVOCATIONS; n += 1) {
    const { key, record } = await database.create({ ...PLAIN, account: `revoked ${n}` });
    await copy.refresh();
    await sleep(Math.random() * 300);
    await database.revoke(record.id);
    const from = performance.now();
    while (copy.verify(key) !== "REVOKED") await sleep(1);
    delays.push(performance.now() - from);
  }
  copy.stop();
  await replica.close();
  await desk.close();
  return delays;
}

const PLAIN = {
  label: "wallet",
  expiresAt: null,
  methods: null,
  origins: null,
  integrator: null,
  surplus: null,
  limit: null,
};

await answer(server, `CREATE DATABASE ${name}`);
try {
  const stores = await open("one");
  const [{ database: keys }, usage, quotes] = [await stores.keys(), await stores.usage(), await stores.quotes()];

  for (const hears of [true, false]) {
    const delays = await revocations(hears);
    const [median, worst] = [quantile(delays, 0.5), quantile(delays, 1)];
    console.log(
      `a revoked key is refused ${hears ? "with LISTEN" : "by looking"}: median ${median} ms, worst ${worst} ms`,
    );
  }

  let next = 0;
  const making = async () => {
    while (next < KEYS) await keys.create({ ...PLAIN, account: `account ${next++}` });
  };
  await Promise.all(Array.from({ length: 4 }, making));
  console.log(`${KEYS} keys: ${((await bytesOf("keys", "secrets")) / KEYS).toFixed(0)} bytes each, with indexes`);
  const from = performance.now();
  await createKeyCopy(keys, createDigest(PEPPER), { logger: createLogger("silent") }).then((copy) => copy.stop());
  console.log(
    `a replica reads them in ${(performance.now() - from).toFixed(0)} ms, at its start and after each change`,
  );

  const row = { method: "GetPrice", outcome: "ok", requests: 3, units: 3 };
  usage.add(
    Array.from({ length: ROWS }, (_, n) => ({
      ...row,
      keyId: `key${1_000_000 + (n % 1_000)}`,
      minute: 60 * Math.floor(n / 1_000),
    })),
  );
  const delivering = performance.now();
  await usage.lastUsed();
  const perSecond = ROWS / ((performance.now() - delivering) / 1_000);
  console.log(
    `${ROWS} rows of usage: ${((await bytesOf("usage")) / ROWS).toFixed(0)} bytes each, ${perSecond.toFixed(0)} delivered in a second`,
  );

  for (let n = 0; n < QUOTES; n += 1) quotes.record(quoteOf(n));
  const recording = performance.now();
  await quotes.find("none");
  const quotesPerSecond = QUOTES / ((performance.now() - recording) / 1_000);
  console.log(
    `${QUOTES} quotes: ${((await bytesOf("quotes")) / QUOTES).toFixed(0)} bytes each, ${quotesPerSecond.toFixed(0)} delivered in a second`,
  );
  await stores.close();
} finally {
  await answer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  rmSync(folder, { recursive: true });
}
