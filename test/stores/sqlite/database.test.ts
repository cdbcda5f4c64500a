import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../../src/stores/sqlite/database.ts";

const FIRST = "CREATE TABLE notes (text TEXT NOT NULL) STRICT";
const SECOND = "ALTER TABLE notes ADD COLUMN at INTEGER NOT NULL DEFAULT 7";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "database-"));
  file = join(folder, "deeper", "notes.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

it("a newer program brings a database up to date, and keeps what is in it", () => {
  const old = openDatabase(file, [FIRST]);
  old.exec("INSERT INTO notes VALUES ('kept')");
  old.close();
  for (let start = 0; start < 2; start++) {
    const database = openDatabase(file, [FIRST, SECOND]);
    expect(database.prepare("SELECT text, at FROM notes").all()).toEqual([{ text: "kept", at: 7 }]);
    database.close();
  }
});

it("an older program refuses it, and changes nothing", () => {
  openDatabase(file, [FIRST, SECOND]).close();
  expect(() => openDatabase(file, [FIRST])).toThrow(`${file}: it was made by a newer version of this program`);
  openDatabase(file, [FIRST, SECOND]).close();
});

it("a file that is none of SQLite's is named", () => {
  mkdirSync(dirname(file));
  writeFileSync(file, "no database ".repeat(100));
  expect(() => openDatabase(file, [FIRST])).toThrow(`${file}: file is not a database`);
  expect(() => openDatabase(join(file, "below.db"), [FIRST])).toThrow(join(file, "below.db"));
});

it("a step that fails leaves the database as it was", () => {
  openDatabase(file, [FIRST]).close();
  expect(() => openDatabase(file, [FIRST, SECOND, "no such statement"])).toThrow(/syntax/);
  const database = openDatabase(file, [FIRST]);
  expect(database.prepare("SELECT count(*) AS columns FROM pragma_table_info('notes')").get()).toEqual({ columns: 1 });
  database.close();
});
