import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  DATABASES,
  DRAFT_FOLDER,
  FORMER_FOLDER,
  openPrivateFile,
  openPrivateFolder,
  PEPPER_FILE,
} from "../../ops/data-folder.ts";
import { type Backup, checkDatabase, readBackup } from "./backup.ts";

/** SQLite's result code if another process has the file open. */
const SQLITE_BUSY = 5;

/** Result of a restore. */
export interface Restored {
  readonly backup: Backup;
  /** Folder with the previous files; undefined if there were none. */
  readonly former: string | undefined;
}

/**
 * Puts a backup in the place of a data folder's databases and pepper, all of them or none, and keeps the former ones in a
 * folder beside them. `check` is shown the folder with what is to be restored, and may refuse by throwing.
 * @throws Error when the backup is damaged, or a process has the databases open
 */
export async function restoreBackup(
  folder: string,
  dataDir: string,
  check: (draft: string) => void,
): Promise<Restored> {
  const backup = await readBackup(folder);
  openPrivateFolder(dataDir);
  const draft = mkdtempSync(join(dataDir, DRAFT_FOLDER));
  try {
    for (const { name } of backup.files) {
      copyFileSync(join(folder, name), join(draft, name));
      openPrivateFile(join(draft, name));
      if (name !== PEPPER_FILE) checkDatabase(join(draft, name));
    }
    check(draft);
    return { backup, former: exchange(dataDir, draft) };
  } finally {
    rmSync(draft, { recursive: true });
  }
}

/** Moves what is there away and the draft's files in, while nobody has the databases open. Answers where the former are. */
function exchange(dataDir: string, draft: string): string | undefined {
  const locked = lockAll(dataDir);
  const moved: [from: string, to: string][] = [];
  const move = (from: string, to: string) => {
    renameSync(from, to);
    moved.push([from, to]);
  };
  try {
    const former = readdirSync(dataDir).filter(isExchanged);
    const kept = former.length === 0 ? undefined : join(dataDir, `${FORMER_FOLDER}${stamp()}`);
    if (kept !== undefined) {
      mkdirSync(kept, { mode: 0o700 });
      for (const name of former) move(join(dataDir, name), join(kept, name));
    }
    for (const name of readdirSync(draft)) move(join(draft, name), join(dataDir, name));
    return kept;
  } catch (error) {
    for (const [from, to] of moved.reverse()) renameSync(to, from);
    throw error;
  } finally {
    for (const database of locked) database.close();
  }
}

/** @throws Error when a process has one of a data folder's databases open */
export function checkUnused(dataDir: string): void {
  for (const database of lockAll(dataDir)) database.close();
}

/**
 * Takes every database for itself, with what its log holds. A damaged one cannot be taken, nor can a service run on it.
 * @throws Error when another process has one open
 */
function lockAll(dataDir: string): readonly DatabaseSync[] {
  const locked: DatabaseSync[] = [];
  for (const name of Object.values(DATABASES)) {
    const file = join(dataDir, name);
    if (!existsSync(file)) continue;
    const database = new DatabaseSync(file, { timeout: 0 });
    try {
      // Leaving the write-ahead log needs the file for oneself alone, and keeping it needs a transaction.
      database.exec("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
      locked.push(database);
    } catch (error) {
      database.close();
      if ((error as { readonly errcode?: number }).errcode !== SQLITE_BUSY) continue;
      for (const other of locked) other.close();
      throw new Error(`${file} is in use: stop the service and all commands on this DATA_DIR first`);
    }
  }
  return locked;
}

function isExchanged(name: string): boolean {
  return name === PEPPER_FILE || Object.values(DATABASES).some((file) => name === file || name.startsWith(`${file}-`));
}

/** A moment as a part of a file's name, to the millisecond. */
function stamp(): string {
  return new Date().toISOString().replaceAll(/[:.]/g, "-");
}
