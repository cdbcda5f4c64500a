import { ofOption } from "../../ops/config.ts";

/** Works with a database of the data folder, and closes it. @throws ConfigError when it cannot be opened */
export function withDatabase<D extends { close(): void }, T>(open: () => D, work: (database: D) => T): T {
  const database = ofOption("DATA_DIR", open);
  try {
    return work(database);
  } finally {
    database.close();
  }
}
