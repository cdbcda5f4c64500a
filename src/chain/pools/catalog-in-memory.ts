import { randomUUID } from "node:crypto";
import type { Address } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { CatalogMark, KnownPool, PoolCatalog } from "../../market/pool-catalog.ts";

interface Line extends KnownPool {
  isAwake: boolean;
}

/** A catalog that ends with the process: for pools whose announcements may be taken back, and where there is no disk. */
export function createCatalogInMemory(): PoolCatalog {
  return new CatalogInMemory();
}

class CatalogInMemory implements PoolCatalog {
  readonly #id = randomUUID();
  readonly #lines = new Map<PoolId, Line>();
  readonly #byToken = new Map<Address, Set<PoolId>>();
  readonly #counts = new Map<SourceId, number>();
  #size = 0;
  #added = 0;
  /** It goes on over those that come meanwhile, and passes over those that go. */
  #turns = this.#lines.entries();

  get size(): number {
    return this.#size;
  }

  count(source: SourceId): number {
    return this.#counts.get(source) ?? 0;
  }

  has(id: PoolId): boolean {
    return this.#lines.get(id)?.isAwake === false;
  }

  get(id: PoolId): KnownPool | undefined {
    return this.has(id) ? this.#lines.get(id) : undefined;
  }

  with(token: Address, most: number): readonly PoolId[] {
    return [...(this.#byToken.get(token) ?? [])].slice(0, most);
  }

  next(most: number): ReturnType<PoolCatalog["next"]> {
    const chosen: { readonly id: PoolId; readonly tokens: readonly Address[] }[] = [];
    while (chosen.length < most) {
      const { done, value } = this.#turns.next();
      if (done === true) {
        this.#turns = this.#lines.entries();
        break;
      }
      const [id, { ref, isAwake }] = value;
      if (!isAwake) chosen.push({ id, tokens: ref.tokens });
    }
    return chosen;
  }

  *all(): Generator<KnownPool> {
    for (const line of this.#lines.values()) if (!line.isAwake) yield line;
  }

  add(pools: readonly KnownPool[]): void {
    for (const { source, ref } of pools) {
      if (this.has(ref.id)) continue;
      this.#lines.set(ref.id, { source, ref, isAwake: false });
      this.#added += 1;
      this.#counted(source, 1);
      for (const token of ref.tokens) {
        const holders = this.#byToken.get(token) ?? new Set<PoolId>();
        this.#byToken.set(token, holders.add(ref.id));
      }
    }
  }

  wake(ids: readonly PoolId[]): void {
    for (const id of ids) {
      this.#release(id);
      const line = this.#lines.get(id);
      if (line !== undefined) line.isAwake = true;
    }
  }

  remove(ids: readonly PoolId[]): void {
    for (const id of ids) {
      this.#release(id);
      this.#lines.delete(id);
    }
  }

  async begin(terms: ReadonlyMap<SourceId, string>, awake: (id: PoolId) => boolean): Promise<void> {
    const lines = [...this.#lines.values()];
    this.remove(lines.filter(({ source }) => !terms.has(source)).map(({ ref }) => ref.id));
    this.add(lines.filter(({ source, ref, isAwake }) => isAwake && terms.has(source) && !awake(ref.id)));
  }

  mark(): CatalogMark {
    return { id: this.#id, entries: this.#added };
  }

  holds({ id, entries }: CatalogMark): boolean {
    return id === this.#id && entries <= this.#added;
  }

  close(): void {
    this.#lines.clear();
    this.#byToken.clear();
    this.#counts.clear();
    this.#size = 0;
  }

  #release(id: PoolId): void {
    const pool = this.get(id);
    if (pool === undefined) return;
    this.#counted(pool.source, -1);
    for (const token of pool.ref.tokens) {
      const holders = this.#byToken.get(token);
      holders?.delete(id);
      if (holders?.size === 0) this.#byToken.delete(token);
    }
  }

  #counted(source: SourceId, by: number): void {
    this.#counts.set(source, this.count(source) + by);
    this.#size += by;
  }
}
