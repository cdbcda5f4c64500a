import { randomUUID } from "node:crypto";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Address } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import { CatalogFault, type CatalogMark, type KnownPool, type PoolCatalog } from "../../market/pool-catalog.ts";
import { addressesOf, bytesOf, idOf, keyOf, nextWriter, poolOf, type Row, VERSIONS } from "./catalog-rows.ts";
import { isDamage } from "./damage.ts";
import { transaction, upToDate } from "./database.ts";

/** Pages of the file that are held in memory, KiB: what the indexes of a million pools are looked up and filled by. */
const CACHE_KIB = 16_384;
/** Rows before other work has its turn. */
const AT_ONCE = 500;

/** Pools that sleep in the tables of a database. Nothing of theirs is in memory but how many there are. */
export class SqlitePoolCatalog implements PoolCatalog {
  readonly #database: DatabaseSync;
  readonly #onDamage: () => void;
  readonly #statements = new Map<string, StatementSync>();
  #id: string;
  /** Sources by their names, with their numbers and how many of their pools sleep. */
  readonly #sources = new Map<SourceId, { readonly number: number; asleep: number }>();
  readonly #names = new Map<number, SourceId>();
  #size = 0;
  /** The pool whose turn was last. */
  #turn = 0;

  /** @param onDamage is told each time that damage of the file shows */
  constructor(database: DatabaseSync, onDamage: () => void) {
    this.#database = database;
    this.#onDamage = onDamage;
    database.exec(`PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -${CACHE_KIB}`);
    this.#run("INSERT INTO catalog SELECT ? WHERE NOT EXISTS (SELECT 1 FROM catalog)", randomUUID());
    this.#id = String(this.#first("SELECT id FROM catalog")?.id);
    this.#loadSources();
  }

  get size(): number {
    return this.#size;
  }

  count(source: SourceId): number {
    return this.#sources.get(source)?.asleep ?? 0;
  }

  has(id: PoolId): boolean {
    return this.#asleep(id) !== undefined;
  }

  get(id: PoolId): KnownPool | undefined {
    const row = this.#asleep(id);
    return row && this.#poolOf(row);
  }

  with(token: Address, most: number): readonly PoolId[] {
    const text = "SELECT id FROM holdings JOIN pools ON number = pool WHERE token = ? ORDER BY pool LIMIT ?";
    return this.#all(text, bytesOf(token), most).map(({ id }) => idOf(id));
  }

  next(most: number): ReturnType<PoolCatalog["next"]> {
    const text = "SELECT number, id, tokens, awake FROM pools WHERE number > ? ORDER BY number LIMIT ?";
    const rows = this.#all(text, this.#turn, most);
    this.#turn = rows.length < most ? 0 : Number(rows.at(-1)!.number);
    return rows.flatMap(({ id, tokens, awake }) =>
      awake === 0 ? [{ id: idOf(id), tokens: addressesOf(tokens) }] : [],
    );
  }

  *all(): Generator<KnownPool> {
    for (let after = 0; ; ) {
      const rows = this.#page(after, AT_ONCE);
      for (const row of rows) if (row.awake === 0) yield this.#poolOf(row);
      if (rows.length < AT_ONCE) return;
      after = Number(rows.at(-1)!.number);
    }
  }

  add(pools: readonly KnownPool[]): void {
    this.#change(() => {
      const added = new Map<number, number>();
      for (const { source, ref } of pools) {
        const { number } = this.#sourceOf(source);
        const pool = this.#insert(number, ref) ?? this.#putBack(ref.id);
        if (pool === undefined) continue;
        for (const token of new Set(ref.tokens)) this.#run("INSERT INTO holdings VALUES (?, ?)", bytesOf(token), pool);
        added.set(number, (added.get(number) ?? 0) + 1);
      }
      for (const [source, count] of added) this.#counted(source, count);
    });
  }

  wake(ids: readonly PoolId[]): void {
    this.#change(() => {
      for (const id of ids) this.#takeOut(id, "UPDATE pools SET awake = 1 WHERE number = ?");
    });
  }

  remove(ids: readonly PoolId[]): void {
    this.#change(() => {
      for (const id of ids) this.#takeOut(id, "DELETE FROM pools WHERE number = ?");
    });
  }

  async begin(terms: ReadonlyMap<SourceId, string>, awake: (id: PoolId) => boolean): Promise<void> {
    await this.#dropOthers(terms);
    this.#change(() => {
      if (terms.size === 0) this.#renew();
      for (const [name, text] of terms)
        this.#run("INSERT INTO sources (name, terms) VALUES (?, ?) ON CONFLICT DO NOTHING", name, text);
    });
    this.#loadSources();
    for (let after = 0; ; ) {
      const text = "SELECT * FROM pools WHERE awake = 1 AND number > ? ORDER BY number LIMIT ?";
      const rows = this.#all(text, after, AT_ONCE);
      this.add(rows.flatMap((row) => (awake(idOf(row.id)) ? [] : [this.#poolOf(row)])));
      if (rows.length < AT_ONCE) return;
      after = Number(rows.at(-1)!.number);
      await nextWriter();
    }
  }

  mark(): CatalogMark {
    const text = "SELECT seq FROM sqlite_sequence WHERE name = 'pools'";
    return { id: this.#id, entries: Number(this.#first(text)?.seq ?? 0) };
  }

  holds({ id, entries }: CatalogMark): boolean {
    return id === this.#id && id === this.#first("SELECT id FROM catalog")?.id && entries <= this.mark().entries;
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #asleep(id: PoolId): Row | undefined {
    return this.#first("SELECT * FROM pools WHERE id = ? AND awake = 0", keyOf(id));
  }

  /** It is another catalog once it was emptied: what other processes keep that have it open counts on the old one. */
  #renew(): void {
    this.#id = randomUUID();
    this.#run("UPDATE catalog SET id = ?", this.#id);
  }

  #page(after: number, most: number): readonly Row[] {
    return this.#all("SELECT * FROM pools WHERE number > ? ORDER BY number LIMIT ?", after, most);
  }

  async #dropOthers(terms: ReadonlyMap<SourceId, string>): Promise<void> {
    for (const row of this.#all("SELECT number, name, terms FROM sources")) {
      if (terms.get(String(row.name)) === row.terms) continue;
      const number = Number(row.number);
      while (this.#dropSome(number) > 0) await nextWriter();
      this.#change(() => this.#run("DELETE FROM sources WHERE number = ?", number));
    }
  }

  /** Drops some pools of a source; how many. */
  #dropSome(source: number): number {
    return this.#change(() => {
      const rows = this.#all("SELECT number, id, tokens, awake FROM pools WHERE source = ? LIMIT ?", source, AT_ONCE);
      for (const { number, tokens, awake } of rows) {
        if (awake === 0) {
          this.#release(Number(number), addressesOf(tokens));
          this.#counted(source, -1);
        }
        this.#run("DELETE FROM pools WHERE number = ?", number as number);
      }
      return rows.length;
    });
  }

  /** The number of a pool that was not there; undefined where it was. */
  #insert(source: number, { id, address, tokens, terms }: KnownPool["ref"]): number | undefined {
    const text = `INSERT INTO pools (id, source, address, tokens, terms) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING RETURNING number`;
    const packed = Buffer.concat(tokens.map(bytesOf));
    const row = this.#first(text, keyOf(id), source, bytesOf(address), packed, JSON.stringify(terms));
    return row && Number(row.number);
  }

  /** The number of a pool that was awake and sleeps again; undefined where it was not. */
  #putBack(id: PoolId): number | undefined {
    const row = this.#first("UPDATE pools SET awake = 0 WHERE id = ? AND awake = 1 RETURNING number", keyOf(id));
    return row && Number(row.number);
  }

  /** Takes a pool that sleeps out of what is looked up, and does `then` with its line. */
  #takeOut(id: PoolId, then: string): void {
    const row = this.#first("SELECT number, source, tokens, awake FROM pools WHERE id = ?", keyOf(id));
    if (row === undefined) return;
    if (row.awake === 0) {
      this.#release(Number(row.number), addressesOf(row.tokens));
      this.#counted(Number(row.source), -1);
    }
    this.#run(then, Number(row.number));
  }

  #release(pool: number, tokens: readonly Address[]): void {
    for (const token of new Set(tokens))
      this.#run("DELETE FROM holdings WHERE token = ? AND pool = ?", bytesOf(token), pool);
  }

  #sourceOf(name: SourceId): { readonly number: number; asleep: number } {
    const known = this.#sources.get(name);
    if (known !== undefined) return known;
    throw new RangeError(`${name} is no source that the catalog began with`);
  }

  #counted(source: number, by: number): void {
    this.#run("UPDATE sources SET asleep = asleep + ? WHERE number = ?", by, source);
    this.#size += by;
    const counted = this.#sources.get(this.#names.get(source) ?? "");
    if (counted !== undefined) counted.asleep += by;
  }

  #loadSources(): void {
    this.#sources.clear();
    this.#names.clear();
    this.#size = 0;
    for (const row of this.#all("SELECT number, name, asleep FROM sources")) {
      const [number, name, asleep] = [Number(row.number), String(row.name), Number(row.asleep)];
      this.#sources.set(name, { number, asleep });
      this.#names.set(number, name);
      this.#size += asleep;
    }
  }

  #poolOf(row: Row): KnownPool {
    return this.#guard(() => poolOf(row, this.#names.get(Number(row.source)) ?? ""));
  }

  /** All of it or nothing. What was counted in memory is counted anew where nothing came of it. */
  #change<T>(work: () => T): T {
    try {
      return transaction(this.#database, work);
    } catch (error) {
      this.#loadSources();
      throw this.#faultOf(error);
    }
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#faultOf(error);
    }
  }

  #faultOf(error: unknown): CatalogFault {
    if (isDamage(error)) this.#onDamage();
    return error instanceof CatalogFault ? error : new CatalogFault(error);
  }

  #run(text: string, ...values: SQLInputValue[]): void {
    this.#statement(text).run(...values);
  }

  #first(text: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#guard(() => this.#statement(text).get(...values));
  }

  #all(text: string, ...values: SQLInputValue[]): readonly Row[] {
    return this.#guard(() => this.#statement(text).all(...values));
  }

  #statement(text: string): StatementSync {
    const prepared = this.#statements.get(text) ?? this.#database.prepare(text);
    this.#statements.set(text, prepared);
    return prepared;
  }
}

/** A catalog on the disk that ends with the process. */
export function openPassingPoolCatalog(): PoolCatalog {
  return new SqlitePoolCatalog(upToDate(new DatabaseSync(""), VERSIONS), () => {});
}
