import { afterEach, describe, expect, it } from "vitest";
import { startTcpProxy } from "../../../fixtures/tcp-proxy.ts";
import { createKeyCopy } from "../../../src/api/keys/key-copy.ts";
import { createDigest } from "../../../src/api/keys/pepper.ts";
import type { UsageDatabase } from "../../../src/api/usage/usage-database.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { migrateDatabase } from "../../../src/stores/postgres/migrate.ts";
import { openReplica, PEPPER } from "../../support/databases/replica.ts";
import { testDatabases, WITHOUT_POSTGRES } from "../../support/databases/test-postgres.ts";
import { PLAIN } from "../key-database.suite.ts";
import { quoteOf } from "../quote-log.suite.ts";

const ROW = { minute: 600, keyId: "k", method: "GetPrice", outcome: "ok", requests: 1, units: 2 };
const ALL = { from: 0, until: 2 ** 40 };
const ONE_SUM = "SELECT coalesce(sum(requests), 0)::int AS sum FROM tributary.usage";

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

describe.skipIf(WITHOUT_POSTGRES !== undefined)("with PostgreSQL", () => {
  const databases = testDatabases();
  let url: string;

  /** A replica behind a network that breaks. */
  async function world() {
    url = await databases.create();
    await migrateDatabase(url);
    const network = await startTcpProxy(url);
    ends.push(network.close);
    const outages: (string | undefined)[] = [];
    const replica = await openReplica(network.url, { onOutage: (reason) => outages.push(reason) });
    ends.push(replica.close);
    return { network, replica, outages };
  }
  const counted = async () => Number((await databases.query(url, ONE_SUM))[0]?.sum);
  const kept = async () =>
    Number((await databases.query(url, "SELECT count(*)::int AS n FROM tributary.quotes"))[0]?.n);

  it("gone, usage and quotes wait on disk and are written once when it is back", async () => {
    const { network, replica, outages } = await world();
    const [usage, quotes] = [await replica.usage(), await replica.quotes()];
    usage.add([ROW]);
    await expect.poll(counted).toBe(1);
    network.cut();
    for (let call = 0; call < 50; call += 1) {
      usage.add([{ ...ROW, keyId: `k${call % 3}` }]);
      quotes.record(quoteOf(`q${call}`));
    }
    await expect.poll(() => outages.length).toBe(1);
    expect(outages[0]).not.toContain("postgres@");
    expect(replica.waiting()).toMatchObject({ quotes: 50, isReached: false });
    expect([await counted(), await kept()]).toEqual([1, 0]);
    network.mend();
    await expect.poll(() => outages).toEqual([outages[0], undefined]);
    expect([await counted(), await kept()]).toEqual([51, 50]);
    expect(replica.waiting()).toEqual({ rows: 0, quotes: 0, isReached: true });
    expect((await quotes.find("q7")).map(({ requestId }) => requestId)).toEqual(["q7"]);
  });

  it.each([
    ["the commit", /COMMIT/],
    ["the addition of usage", /INSERT INTO tributary\.usage/],
    ["the recording of quotes", /INSERT INTO tributary\.quotes/],
  ])("cut off after %s has arrived, nothing is counted twice and nothing lost", async (_, answer) => {
    const { network, replica } = await world();
    const [usage, quotes] = [await replica.usage(), await replica.quotes()];
    for (let round = 1; round <= 2; round += 1) {
      network.cutAnswerTo(answer);
      usage.add([ROW, { ...ROW, minute: 660 }]);
      quotes.record(quoteOf(`q${round}`));
      await expect.poll(replica.waiting).toMatchObject({ rows: 0, quotes: 0 });
      await expect.poll(counted).toBe(2 * round);
      await expect.poll(kept).toBe(round);
    }
    expect(await usage.read(ALL)).toMatchObject([
      { requests: 2, units: 4 },
      { requests: 2, units: 4 },
    ]);
  });

  it("silent, calls on it end in time, and what waits is written when it speaks again", async () => {
    const { network, replica } = await world();
    const usage = await replica.usage();
    const { database: keys } = await replica.keys();
    network.stall();
    usage.add([ROW]);
    await expect(keys.list()).rejects.toThrow();
    expect(await counted()).toBe(0);
    network.mend();
    await expect.poll(counted).toBe(1);
    expect(await keys.list()).toEqual([]);
  });

  it("slow, all is as exact", async () => {
    const { network, replica } = await world();
    network.slow(60);
    const [usage, { database: keys }] = [await replica.usage(), await replica.keys()];
    const { record } = await keys.create(PLAIN);
    for (let call = 0; call < 20; call += 1) usage.add([ROW]);
    expect(await usage.read(ALL)).toMatchObject([{ requests: 20, units: 40 }]);
    expect(await keys.revoke(record.id)).toBe(true);
    expect(await keys.list()).toMatchObject([{ id: record.id }]);
  });

  it("gone, known keys open the door for as long as they are kept, and revoked ones do not after it is back", async () => {
    const { network, replica } = await world();
    const clock = { now: 1_000_000 };
    const { database: keys } = await replica.keys();
    const { key, record } = await keys.create(PLAIN);
    const copy = await createKeyCopy(keys, createDigest(PEPPER), {
      logger: createLogger("silent"),
      cacheSeconds: 300,
      now: () => clock.now,
    });
    ends.push(copy.stop);
    expect(copy.verify(key)).toMatchObject({ keyId: record.id });
    network.cut();
    clock.now += 300_000;
    await copy.refresh();
    expect(copy.verify(key)).toMatchObject({ keyId: record.id });
    clock.now += 1_000;
    await copy.refresh();
    expect(() => copy.verify(key)).toThrow(expect.objectContaining({ reason: "KEYS_UNREADABLE" }));
    const other = await openReplica(url);
    ends.push(other.close);
    await (await other.keys()).database.revoke(record.id);
    network.mend();
    await expect.poll(() => copy.refresh().then(() => copy.verify(key))).toBe("REVOKED");
  });

  it("tells of changes again after its connections were cut", async () => {
    const { network, replica } = await world();
    const { database: keys } = await replica.keys();
    let told = 0;
    const onChange = () => {
      told += 1;
    };
    ends.push(keys.onChange(onChange));
    await expect.poll(() => told).toBe(1);
    network.cut();
    network.mend();
    await expect.poll(() => told).toBe(2);
    const other = await openReplica(url);
    ends.push(other.close);
    await (await other.keys()).database.create(PLAIN);
    await expect.poll(() => told).toBeGreaterThan(2);
  });

  it("counts what several replicas add to the same rows at once, exactly", async () => {
    url = await databases.create();
    const replicas = await Promise.all(Array.from({ length: 4 }, () => openReplica(url)));
    for (const { close } of replicas) ends.push(close);
    const usages = await Promise.all(replicas.map((replica) => replica.usage()));
    const rows = Array.from({ length: 30 }, (_, n) => ({ ...ROW, keyId: `k${n % 10}`, minute: 60 * (n % 3) }));
    const adding = async (usage: UsageDatabase, seed: number) => {
      for (let round = 0; round < 15; round += 1) {
        usage.add(rows.toSorted((a, b) => ((a.minute * 7 + round * seed) % 11) - ((b.minute * 3 + seed) % 5)));
        await usage.lastUsed();
      }
    };
    await Promise.all(usages.map(adding));
    expect(await counted()).toBe(4 * 15 * rows.length);
  });
});
