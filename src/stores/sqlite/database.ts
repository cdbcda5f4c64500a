import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../domain/message-of.ts";
import { openPrivateFile, openPrivateFolder } from "../../ops/data-folder.ts";

/** Milliseconds to wait for another process that is writing. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens a SQLite file, makes it and its folder where they are not there, readable by their owner only, and brings its
 * tables up to date. What is committed is on the disk, whatever happens to the process; several processes may have the file open.
 * `versions` are the steps from an empty file to today's tables; a step that was released never changes.
 * @throws Error that names the file when it cannot be used, or was made by a newer version of the program
 */
export function openDatabase(file: string, versions: readonly string[]): DatabaseSync {
  try {
    openPrivateFolder(dirname(file));
    openPrivateFile(file);
    return upToDate(new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS }), versions);
  } catch (error) {
    // SQLite says what is wrong, and not with which of the files.
    throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** Brings the tables of an open database up to date. */
export function upToDate(database: DatabaseSync, versions: readonly string[]): DatabaseSync {
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    transaction(database, () => {
      const at = Number(database.prepare("PRAGMA user_version").get()?.user_version);
      if (at > versions.length)
        throw new Error(
          "it was made by a newer version of this program: run that version, or restore a backup made by this one",
        );
      for (const step of versions.slice(at)) database.exec(step);
      if (at < versions.length) database.exec(`PRAGMA user_version = ${versions.length}`);
    });
    settle(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Moves what was committed from the write-ahead log into the file itself, so that a copy of the file alone has it. What
 * somebody is still reading stays in the log until the next time.
 */
export function settle(database: DatabaseSync): void {
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Does all of `work` or nothing of it. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
