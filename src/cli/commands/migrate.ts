import { createDigest } from "../../api/keys/pepper.ts";
import { resolvedOfOption } from "../../ops/config.ts";
import { copyFromFiles } from "../../stores/postgres/copy-from-files.ts";
import { Database } from "../../stores/postgres/database.ts";
import { migrateDatabase } from "../../stores/postgres/migrate.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { configurationOf } from "../connection/configuration.ts";
import { withProgress } from "../connection/progress.ts";

export async function migrate(given: Invocation): Promise<ExitCode> {
  const { DATABASE_URL: url, KEY_PEPPER: pepper, DATA_DIR: dataDir } = configurationOf(given);
  if (url === undefined || pepper === undefined) {
    throw new UsageError(
      "DATABASE_URL is not set: set it, or do nothing, since files in DATA_DIR migrate when they are opened",
    );
  }
  const bringing = resolvedOfOption("DATABASE_URL", () => migrateDatabase(url));
  const { made, at } = await withProgress("bringing the tables up to date", given.note, bringing);
  for (const name of made) given.print(`made ${name}`);
  given.print(`the tables are at ${at}`);
  if (!given.has("from-sqlite")) return EXIT.ok;
  const database = new Database({ url, connections: 1 });
  try {
    const copying = copyFromFiles(database, dataDir, createDigest(pepper));
    const { keys, usage, quotes, switches } = await withProgress("copying the files", given.note, copying);
    given.print(
      `copied from ${dataDir}: ${keys} keys, ${usage} rows of usage, ${quotes} quotes, ${switches} changes of switches`,
    );
    given.note("The files stay as they were. With DATABASE_URL the service does not use them.");
    return EXIT.ok;
  } finally {
    await database.close();
  }
}
