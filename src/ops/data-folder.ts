import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from "node:fs";

/** The databases in the operator's data folder, by what is in them. */
export const DATABASES = {
  keys: "keys.sqlite",
  usage: "usage.sqlite",
  quotes: "quotes.db",
  switches: "switches.db",
  /** Writes that wait for DATABASE_URL. */
  outbox: "outbox.sqlite",
} as const;

/** File with the pepper of key digests, used unless KEY_PEPPER is set. */
export const PEPPER_FILE = "key-pepper";

/** Folders in which a restored data folder keeps what was there before, and those that a restore is made up in. */
export const FORMER_FOLDER = "before-restore-";
export const DRAFT_FOLDER = ".restore-";

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
const GROUP_AND_OTHERS = 0o077;
const OTHERS = 0o007;

/** Files that SQLite keeps beside a database while it is open. */
const COMPANIONS = ["-wal", "-shm", "-journal"];

const OURS = new RegExp(
  [
    `^(${Object.values(DATABASES).join("|").replaceAll(".", "\\.")})(${COMPANIONS.join("|")})?$`,
    `^${PEPPER_FILE}(\\.|$)`,
    "^pools-\\d+\\.state(\\.|$)",
    `^pools-\\d+\\.sqlite(${COMPANIONS.join("|")}|\\.damaged)?$`,
    `^(${FORMER_FOLDER}|\\${DRAFT_FOLDER})`,
  ].join("|"),
);

/**
 * Makes a folder that only its owner may look into. One that is there is closed to others when it is the process's own and
 * holds nothing but what this program keeps; otherwise it stays as it is, since others may need the rest of it.
 * @throws Error when it cannot be made
 */
export function openPrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  const { mode, uid } = statSync(folder);
  if ((mode & GROUP_AND_OTHERS) === 0 || uid !== process.getuid?.()) return;
  if (readdirSync(folder).every((name) => OURS.test(name))) chmodSync(folder, OWNER_ONLY_FOLDER);
}

/**
 * Makes a database's file before SQLite does, readable by its owner only: SQLite gives what it keeps beside it the same
 * rights. Files that are there are closed to others too.
 * @throws Error when the file can neither be made nor closed to others
 */
export function openPrivateFile(file: string): void {
  if (!existsSync(file)) makeFile(file);
  for (const name of [file, ...COMPANIONS.map((ending) => `${file}${ending}`)])
    if (existsSync(name)) closeToOthers(name);
}

/** Only a new file is ever opened here: closing one that SQLite has open would drop SQLite's locks on it. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, "ax", OWNER_ONLY_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function closeToOthers(file: string): void {
  const { mode, uid } = statSync(file);
  if ((mode & GROUP_AND_OTHERS) === 0 || process.getuid === undefined) return;
  if (uid === process.getuid()) chmodSync(file, OWNER_ONLY_FILE);
  else if ((mode & OTHERS) !== 0) {
    throw new Error("everybody may read it, and it belongs to another user: run chmod o= on it as that user");
  }
}
