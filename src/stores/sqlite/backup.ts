import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { messageOf } from "../../domain/message-of.ts";
import { DATABASES, openPrivateFolder, PEPPER_FILE } from "../../ops/data-folder.ts";
import { VERSION } from "../../ops/version.ts";

/** Says what a backup holds. It is written last: a folder without it is no whole backup. */
const MANIFEST = "backup.json";
const FORM = 1;

/** Milliseconds to wait for a service that is writing. */
const BUSY_TIMEOUT_MS = 30_000;

const FILE = z.object({
  name: z.enum([...Object.values(DATABASES), PEPPER_FILE]),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const BACKUP = z.object({
  form: z.literal(FORM),
  program: z.string(),
  at: z.iso.datetime(),
  files: z.array(FILE).min(1),
});

/** Manifest of a backup: its files with their sizes and hashes. */
export type Backup = z.output<typeof BACKUP>;

/**
 * Writes all databases of a data folder into a new or empty folder, while services work with them, and the pepper with
 * them. Each database is as it was at one moment. States of pools are left out: they are read from the chain again.
 * @throws Error that says what cannot be read or written
 */
export async function writeBackup(dataDir: string, folder: string): Promise<Backup> {
  const names = Object.values(DATABASES).filter((name) => existsSync(join(dataDir, name)));
  if (names.length === 0) throw new Error(`${dataDir} holds no databases: is it the DATA_DIR of a service?`);
  openPrivateFolder(folder);
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty: name a folder that is not there yet`);
  for (const name of names) copyDatabase(join(dataDir, name), join(folder, name));
  const pepper = join(dataDir, PEPPER_FILE);
  if (existsSync(pepper)) copyFileSync(pepper, join(folder, PEPPER_FILE));
  const copied = readdirSync(folder).sort() as Backup["files"][number]["name"][];
  const files = [];
  for (const name of copied) {
    chmodSync(join(folder, name), 0o600);
    files.push({ name, ...(await fingerprint(join(folder, name))) });
  }
  const backup: Backup = { form: FORM, program: VERSION, at: new Date().toISOString(), files };
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(backup, null, 2)}\n`, { mode: 0o600, flush: true });
  return backup;
}

/** Reads a folder's backup and checks every file. @throws Error if it is no backup, or differs from what was written */
export async function readBackup(folder: string): Promise<Backup> {
  const backup = readManifest(folder);
  for (const { name, bytes, sha256 } of backup.files) {
    const file = join(folder, name);
    if (!existsSync(file)) throw new Error(`${file} is missing: the backup is not whole`);
    const found = await fingerprint(file);
    if (found.bytes !== bytes || found.sha256 !== sha256) throw new Error(`${file} is not what was backed up`);
  }
  return backup;
}

/** @throws Error when SQLite finds a fault in a database */
export function checkDatabase(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const found = database.prepare("PRAGMA integrity_check(1)").get()?.integrity_check;
    if (found !== "ok") throw new Error(`${file} is damaged: ${String(found)}`);
  } finally {
    database.close();
  }
}

/** In one step, so that a service that writes all the time does not hold it up. */
function copyDatabase(from: string, to: string): void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(from, { timeout: BUSY_TIMEOUT_MS });
    database.prepare("VACUUM INTO ?").run(to);
  } catch (error) {
    throw new Error(`${from}: ${messageOf(error)}`, { cause: error });
  } finally {
    database?.close();
  }
}

function readManifest(folder: string): Backup {
  const file = join(folder, MANIFEST);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${folder} is no backup: ${messageOf(error)}`, { cause: error });
  }
  const read = BACKUP.safeParse(jsonOf(text));
  if (!read.success) throw new Error(`${file} is not of this program: ${z.prettifyError(read.error)}`);
  return read.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function fingerprint(file: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return { bytes: statSync(file).size, sha256: hash.digest("hex") };
}
