import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { ChangeListener } from "../../../src/stores/postgres/change-listener.ts";
import { Database } from "../../../src/stores/postgres/database.ts";
import { Delivery } from "../../../src/stores/postgres/delivery.ts";
import { openKeyDatabase } from "../../../src/stores/postgres/key-database.ts";
import { migrateDatabase } from "../../../src/stores/postgres/migrate.ts";
import { openQuoteLog } from "../../../src/stores/postgres/quote-log.ts";
import { openSwitchRecord } from "../../../src/stores/postgres/switch-record.ts";
import { openUsageDatabase } from "../../../src/stores/postgres/usage-database.ts";
import { Outbox } from "../../../src/stores/sqlite/outbox.ts";
import { testDatabases, WITHOUT_POSTGRES } from "../../support/databases/test-postgres.ts";
import { describeKeyDatabase } from "../key-database.suite.ts";
import { describeQuoteLog } from "../quote-log.suite.ts";
import { describeSwitchRecord } from "../switch-record.suite.ts";
import { describeUsageDatabase } from "../usage-database.suite.ts";

describe.skipIf(WITHOUT_POSTGRES !== undefined)("stores in PostgreSQL", () => {
  const databases = testDatabases();
  const ends: (() => Promise<void>)[] = [];
  let folder: string;
  let url: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "postgres-"));
    url = await databases.create();
    await migrateDatabase(url);
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Openings of one state, each as a replica has it; the tables are emptied with the first. */
  function replicas<S>(
    open: (database: Database, changes: ChangeListener, delivery: Delivery, outbox: Outbox) => S | Promise<S>,
  ) {
    let emptied: Promise<unknown> | undefined;
    return async (mostQuotes = 100_000): Promise<S> => {
      emptied ??= databases.query(
        url,
        "TRUNCATE tributary.keys, tributary.secrets, tributary.pepper, tributary.usage, tributary.quotes, tributary.switches",
      );
      await emptied;
      const [database, changes] = [new Database({ url, connections: 2 }), new ChangeListener(url)];
      const outbox = new Outbox(join(mkdtempSync(join(folder, "replica-")), "outbox.sqlite"), { mostQuotes });
      const delivery = new Delivery(outbox, database, { mostQuotes, everyMs: 20 });
      delivery.start();
      ends.push(async () => {
        await delivery.stop();
        await changes.close();
        outbox.close();
        await database.close();
      });
      return open(database, changes, delivery, outbox);
    };
  }

  describeKeyDatabase("in PostgreSQL", (digest, now) =>
    replicas((database, changes) => openKeyDatabase({ database, changes, digest, now })),
  );
  describeUsageDatabase("in PostgreSQL", () =>
    replicas((database, _, delivery, outbox) => openUsageDatabase(database, outbox, delivery)),
  );
  describeQuoteLog("in PostgreSQL", (most) => {
    const open = replicas((database, _, delivery, outbox) => openQuoteLog(database, outbox, delivery));
    return () => open(most);
  });
  describeSwitchRecord("in PostgreSQL", (now) =>
    replicas((database, changes) => openSwitchRecord(database, changes, { now })),
  );
});
