import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createCatalogInMemory } from "../../../src/chain/pools/catalog-in-memory.ts";
import { CatalogFault } from "../../../src/market/pool-catalog.ts";
import { openCatalog } from "../../../src/stores/open-stores.ts";
import { openPassingPoolCatalog, openPoolCatalog } from "../../../src/stores/sqlite/pool-catalog.ts";
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
