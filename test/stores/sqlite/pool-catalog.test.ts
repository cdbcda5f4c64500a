import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, it } from "vitest";
import { createCatalogInMemory } from "../../../src/chain/pools/catalog-in-memory.ts";
import { CatalogFault } from "../../../src/market/pool-catalog.ts";
import { openCatalog } from "../../../src/stores/open-stores.ts";
import { openPoolCatalog } from "../../../src/stores/sqlite/open-pool-catalog.ts";
import { openPassingPoolCatalog } from "../../../src/stores/sqlite/pool-catalog.ts";
import { addressOf, describePoolCatalog, poolOf, TERMS } from "../pool-catalog.suite.ts";

const folder = mkdtempSync(join(tmpdir(), "tributary-catalog-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const newFile = () => join(folder, `${files++}`, "pools.sqlite");

describePoolCatalog("a catalog in a file", () => openPoolCatalog(newFile()));
describePoolCatalog("a catalog in a file that ends with the process", openPassingPoolCatalog);
describePoolCatalog("a catalog in memory", createCatalogInMemory);

it("has what it had after it was closed, but pools of a source whose terms were edited", async () => {
  const file = newFile();
  const first = openPoolCatalog(file);
  await first.begin(TERMS, () => false);
  first.add([poolOf(1, [1, 2]), poolOf(2, [2, 3], "Second"), poolOf(3, [2, 3], "Second")]);
  first.wake([poolOf(2, []).ref.id]);
  const mark = first.mark();
  first.close();

  const again = openPoolCatalog(file);
  expect([again.holds(mark), again.size]).toEqual([true, 2]);
  await again.begin(TERMS, () => false);
  expect([...again.all()]).toEqual([poolOf(1, [1, 2]), poolOf(2, [2, 3], "Second"), poolOf(3, [2, 3], "Second")]);
  again.close();

  const edited = openPoolCatalog(file);
  await edited.begin(new Map([...TERMS, ["Second", "6/1000"]]), () => false);
  expect([...edited.all()]).toEqual([poolOf(1, [1, 2])]);
  expect(edited.with(addressOf(3), 9)).toEqual([]);
  edited.close();
});

it("knows that an older copy of it lacks pools", async () => {
  const file = newFile();
  const catalog = openPoolCatalog(file);
  await catalog.begin(TERMS, () => false);
  catalog.add([poolOf(1, [1, 2])]);
  catalog.close();
  const copy = newFile();
  openPoolCatalog(copy).close();
  copyFileSync(file, copy);
  const newer = openPoolCatalog(file);
  await newer.begin(TERMS, () => false);
  newer.add([poolOf(2, [1, 2])]);
  const older = openPoolCatalog(copy);
  expect([newer.holds(newer.mark()), older.holds(newer.mark())]).toEqual([true, false]);
  newer.close();
  older.close();
});

it("is begun anew where its file is no database, and says why", () => {
  openCatalog(folder, 1, () => {}).close();
  writeFileSync(join(folder, "pools-1.sqlite"), "no database at all".repeat(1_000));
  const lost: unknown[] = [];
  const catalog = openCatalog(folder, 1, (error) => lost.push(error));
  expect(String(lost)).toContain("pools-1.sqlite");
  expect(catalog.size).toBe(0);
  catalog.close();
  expect(readdirSync(folder)).toContain("pools-1.sqlite");
});

const PAGE = 4_096;
const MANY = Array.from({ length: 120 }, (_, index) => poolOf(index, [index % 5, 100 + index]));

/** A file of some pools, and its mark. */
async function fileOfMany() {
  const file = newFile();
  const catalog = openPoolCatalog(file);
  await catalog.begin(TERMS, () => false);
  catalog.add(MANY);
  const mark = catalog.mark();
  catalog.close();
  return { file, mark };
}

it("is begun anew whichever page of its file is damaged, and says why", async () => {
  const { file, mark } = await fileOfMany();
  const whole = readFileSync(file);
  expect(whole.length / PAGE).toBeGreaterThan(12);
  for (let page = 0; page < whole.length / PAGE; page++) {
    const damaged = newFile();
    mkdirSync(dirname(damaged));
    writeFileSync(damaged, Buffer.from(whole).fill(0xa5, page * PAGE, (page + 1) * PAGE));
    const lost: unknown[] = [];
    const catalog = openPoolCatalog(damaged, (error) => lost.push(error));
    expect([lost.length, catalog.size, catalog.holds(mark)], `page ${page}`).toEqual([1, 0, false]);
    await catalog.begin(TERMS, () => false);
    catalog.add(MANY);
    const again = openPoolCatalog(damaged, (error) => lost.push(error));
    expect([lost.length, [...again.all()]]).toEqual([1, MANY]);
    again.close();
    catalog.close();
  }
});

it("is begun anew once its file was found damaged while it was in use, though it looks sound", async () => {
  const { file, mark } = await fileOfMany();
  const whole = readFileSync(file);
  const catalog = openPoolCatalog(file);
  expect(catalog.holds(mark)).toBe(true);
  const other = new DatabaseSync(file);
  other.exec("BEGIN; UPDATE sources SET asleep = asleep + 1");
  writeFileSync(file, Buffer.from(whole).fill(0xa5, 2 * PAGE), { flag: "r+" });
  // A commit of another connection has the catalog read its file again.
  other.exec("COMMIT");
  expect(() => [...catalog.all()]).toThrow(CatalogFault);
  other.close();
  catalog.close();
  for (const ending of ["-wal", "-shm"]) rmSync(file + ending, { force: true });
  writeFileSync(file, whole);
  const lost: unknown[] = [];
  const next = openPoolCatalog(file, (error) => lost.push(error));
  expect([String(lost), next.size]).toEqual([expect.stringContaining("while it was in use"), 0]);
  next.close();
  openPoolCatalog(file, (error) => lost.push(error)).close();
  expect(lost.length).toBe(1);
});

it("fails as a catalog where a line is not as it was written, and is begun anew by the next", async () => {
  const { file } = await fileOfMany();
  const catalog = openPoolCatalog(file);
  const other = new DatabaseSync(file);
  other.exec("UPDATE pools SET terms = '{' WHERE number = 1");
  other.close();
  expect(() => catalog.get(MANY[0]!.ref.id)).toThrow(CatalogFault);
  expect(catalog.get(MANY[1]!.ref.id)).toEqual(MANY[1]);
  catalog.close();
  const next = openPoolCatalog(file);
  expect(next.size).toBe(0);
  next.close();
});

it("fails as a catalog, and counts no pools that it did not take", async () => {
  const catalog = openPoolCatalog(newFile());
  await catalog.begin(TERMS, () => false);
  expect(() => catalog.add([poolOf(1, [1, 2]), poolOf(2, [1, 2], "Unknown")])).toThrow(CatalogFault);
  expect([catalog.size, catalog.has(poolOf(1, []).ref.id)]).toEqual([0, false]);
  catalog.close();
  expect(() => catalog.with(addressOf(1), 9)).toThrow(CatalogFault);
});

it("is another one once it was emptied, also for a process that has it open beside", async () => {
  const file = newFile();
  const [one, other] = [openPoolCatalog(file), openPoolCatalog(file)];
  await one.begin(TERMS, () => false);
  one.add([poolOf(1, [1, 2])]);
  const mark = one.mark();
  expect(one.holds(mark)).toBe(true);
  await other.begin(new Map(), () => false);
  expect([one.holds(mark), one.holds(one.mark()), other.holds(other.mark())]).toEqual([false, false, true]);
  one.close();
  other.close();
});
