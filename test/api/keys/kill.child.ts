/** Makes keys and counts usage until it is killed, and says what is committed: for kill.test.ts. */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { createDigest, pepperFromFile } from "../../../src/api/keys/pepper.ts";
import { openKeyDatabase } from "../../../src/stores/sqlite/key-database.ts";
import { openUsageDatabase } from "../../../src/stores/sqlite/usage-database.ts";

const folder = process.argv[2]!;
const keys = openKeyDatabase(join(folder, "keys.sqlite"), createDigest(pepperFromFile(join(folder, "key-pepper"))));
const usage = openUsageDatabase(join(folder, "usage.sqlite"));
const terms = {
  label: "",
  expiresAt: null,
  methods: null,
  origins: null,
  integrator: null,
  surplus: null,
  limit: null,
};
const row = { minute: 60, method: "GetPrice", outcome: "ok", requests: 3, units: 3 };

for (let i = 0; ; i++) {
  const { key, record } = await keys.create({ ...terms, account: `account ${i}` });
  writeSync(1, `key ${key}\n`);
  if (i % 3 === 1) {
    await keys.revoke(record.id);
    writeSync(1, `revoked ${record.id}\n`);
  }
  if (i % 3 === 2) writeSync(1, `key ${(await keys.rotate(record.id, 1e9)).key}\n`);
  usage.add([
    { ...row, keyId: "a" },
    { ...row, keyId: "b" },
  ]);
  writeSync(1, "usage\n");
}
