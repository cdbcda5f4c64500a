import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../ops/config.ts";
import { DATABASES, PEPPER_FILE } from "../../ops/data-folder.ts";
import { openKeys, openQuotes, openSwitches, openUsage } from "../../stores/open-stores.ts";
import { type Backup, writeBackup } from "../../stores/sqlite/backup.ts";
import { restoreBackup } from "../../stores/sqlite/restore.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { configurationOf } from "../connection/configuration.ts";
import { withProgress } from "../connection/progress.ts";
import { columns } from "../view/table.ts";

export async function backup(given: Invocation): Promise<ExitCode> {
  const folder = folderOf(given, "name a new folder to write, on another disk if you can");
  const config = configurationOf(given);
  const { DATA_DIR: dataDir } = config;
  if (config.DATABASE_URL !== undefined) {
    throw new UsageError(
      [
        "DATABASE_URL holds the keys, usage, quotes and switches: PostgreSQL's own program backs them up,",
        `  pg_dump --format=custom --schema=tributary --file=${folder}.dump "$DATABASE_URL"`,
        "and KEY_PEPPER has to be kept elsewhere. See docs/database.md",
      ].join("\n"),
    );
  }
  const written = await withProgress("copying the databases", given.note, writeBackup(dataDir, folder));
  show(given, written);
  given.print(`${dataDir} is backed up in ${folder}`);
  if (!holds(written, PEPPER_FILE)) {
    given.note("KEY_PEPPER is not in the backup: keep it elsewhere, or no key will open anything after a restore.");
  }
  return EXIT.ok;
}

export async function restore(given: Invocation): Promise<ExitCode> {
  const folder = folderOf(given, "name the folder of a backup, as `tributary backup` wrote it");
  const config = configurationOf(given);
  if (config.DATABASE_URL !== undefined) {
    throw new UsageError(
      [
        "DATABASE_URL holds the keys, usage, quotes and switches: stop all replicas, and PostgreSQL's own program restores them,",
        `  pg_restore --clean --if-exists --single-transaction --dbname="$DATABASE_URL" ${folder}`,
        "with the KEY_PEPPER of that time. See docs/database.md",
      ].join("\n"),
    );
  }
  const restoring = restoreBackup(folder, config.DATA_DIR, (draft) => openAll(draft, config));
  const { backup: read, former } = await withProgress("checking and copying the backup", given.note, restoring);
  show(given, read);
  given.print(`${config.DATA_DIR} is what ${folder} holds, of ${read.at}`);
  if (former !== undefined) given.print(`what was there before is in ${former}: delete it once all is well`);
  return EXIT.ok;
}

/** Opens every database once, which brings those of an older program up to date. @throws Error when one cannot be used */
function openAll(dataDir: string, { KEY_PEPPER: pepper }: Config): void {
  const has = (name: string) => existsSync(join(dataDir, name));
  if (has(DATABASES.keys)) {
    if (pepper === undefined && !has(PEPPER_FILE)) {
      throw new UsageError("the backup holds no key-pepper: set KEY_PEPPER to what it was when the backup was made");
    }
    openKeys({ dataDir, pepper }).database.close();
  }
  if (has(DATABASES.usage)) openUsage(dataDir).close();
  if (has(DATABASES.quotes)) openQuotes(dataDir).close();
  if (has(DATABASES.switches)) openSwitches(dataDir).close();
}

function folderOf({ positionals }: Invocation, otherwise: string): string {
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new UsageError(otherwise);
  return folder;
}

function holds({ files }: Backup, file: string): boolean {
  return files.some(({ name }) => name === file);
}

function show(given: Invocation, { files }: Backup): void {
  given.print(
    columns(
      files.map(({ name, bytes, sha256 }) => [name, `${bytes} bytes`, sha256]),
      [1],
    ).join("\n"),
  );
}
