import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { createMemoryKeyDatabase } from "../../src/stores/memory/key-database.ts";
import { createMemoryLimiter } from "../../src/stores/memory/limiter.ts";
import { createMemoryQuoteLog } from "../../src/stores/memory/quote-log.ts";
import { createMemorySwitchRecord } from "../../src/stores/memory/switch-record.ts";
import { createMemoryUsageDatabase } from "../../src/stores/memory/usage-database.ts";
import { openKeyDatabase } from "../../src/stores/sqlite/key-database.ts";
import { openQuoteLog } from "../../src/stores/sqlite/quote-log.ts";
import { openSwitchRecord } from "../../src/stores/sqlite/switch-record.ts";
import { openUsageDatabase } from "../../src/stores/sqlite/usage-database.ts";
import { describeKeyDatabase } from "./key-database.suite.ts";
import { describeLimiter } from "./limiter.suite.ts";
import { describeQuoteLog } from "./quote-log.suite.ts";
import { describeSwitchRecord } from "./switch-record.suite.ts";
import { describeUsageDatabase } from "./usage-database.suite.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stores-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const fileOfItsOwn = () => join(mkdtempSync(join(folder, "store-")), "store.sqlite");
/** Openings of what is in one file. */
const inFile = <S>(open: (file: string) => S) => {
  const file = fileOfItsOwn();
  return () => open(file);
};
/** Holders of one object. */
const shared = <S>(store: S) => {
  return () => store;
};

describeKeyDatabase("in SQLite", (digest, now) => inFile((file) => openKeyDatabase(file, digest, now)));
describeKeyDatabase("in memory", (digest, now) => shared(createMemoryKeyDatabase(digest, now)));

describeUsageDatabase("in SQLite", () => inFile(openUsageDatabase));
describeUsageDatabase("in memory", () => shared(createMemoryUsageDatabase()));

describeQuoteLog("in SQLite", (most) => inFile((file) => openQuoteLog(file, most)));
describeQuoteLog("in memory", (most) => shared(createMemoryQuoteLog(most)));

describeSwitchRecord("in SQLite", (now) => inFile((file) => openSwitchRecord(file, { now })));
describeSwitchRecord("in memory", (now) => shared(createMemorySwitchRecord(now)));

describeLimiter("in memory", createMemoryLimiter);
describeLimiter("behind promises, as by another process", (now) => {
  const limiter = createMemoryLimiter(now);
  return {
    take: async (account, limit, cost) => limiter.take(account, limit, cost),
    debit: async (account, limit, cost) => limiter.debit(account, limit, cost),
  };
});
