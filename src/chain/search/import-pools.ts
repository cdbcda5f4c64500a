import type { BlockRef } from "../../domain/block.ts";
import type { SourceId } from "../../domain/source.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { PoolCatalog } from "../../market/pool-catalog.ts";
import type { BootstrapPool } from "../../snapshot/bootstrap-file.ts";
import type { KeptPool } from "../../snapshot/kept-state.ts";
import { readPools } from "../pools/read-pools.ts";

/** Result of importing a bootstrap file. */
export interface Imported {
  /** Pools that the chain confirms, by source. */
  readonly confirmed: ReadonlyMap<SourceId, number>;
  /** Those of them that are followed from the start, with their states at `block`. */
  readonly awake: readonly KeptPool[];
  readonly block: BlockRef;
  /** Lines that are no pool of a venue that can be asked for it. */
  readonly unsound: number;
  /** Pools that the chain does not confirm, or that cannot be read. */
  readonly unconfirmed: number;
}

interface ImportOptions {
  readonly reader: ChainReader;
  readonly sources: readonly LiquiditySource[];
  readonly catalog: PoolCatalog;
  /** A block that is not expected to go: asked for again and again, since nodes forget the states of old ones. */
  readonly base: () => Promise<BlockRef>;
  /** Told how many lines are done with. */
  readonly onProgress: (done: number) => void;
}

/** Pools that are read at a time. */
const AT_ONCE = 500;
/** Pools that are followed from the start: who wrote the file says which. */
const MAX_AWAKE = 30_000;

/**
 * Takes pools that somebody else has discovered. Each has to have the form that its venue announces, and is read from the chain,
 * where the venue's own contracts confirm it: what they do not is left out and counted. The others sleep in the catalog.
 * @throws what the node or the catalog failed with
 */
export async function importPools(
  pools: AsyncIterable<BootstrapPool | undefined>,
  options: ImportOptions,
): Promise<Imported> {
  const importing = new Importing(options);
  for await (const pool of pools) await importing.take(pool);
  return importing.finish();
}

class Importing {
  readonly #options: ImportOptions;
  readonly #byId: ReadonlyMap<SourceId, LiquiditySource>;
  readonly #waiting = new Map<LiquiditySource, PoolRef[]>();
  readonly #awake = new Map<LiquiditySource, PoolRef[]>();
  readonly #confirmed = new Map<SourceId, number>();
  #awakeCount = 0;
  #done = 0;
  #unsound = 0;
  #unconfirmed = 0;

  constructor(options: ImportOptions) {
    this.#options = options;
    this.#byId = new Map(options.sources.map((source) => [source.id, source]));
  }

  async take(pool: BootstrapPool | undefined): Promise<void> {
    this.#done += 1;
    const source = pool && this.#byId.get(pool.source);
    if (pool === undefined || source === undefined || !isSound(source, pool.ref)) {
      this.#unsound += 1;
      return;
    }
    const isAwake = pool.isAwake && this.#awakeCount < MAX_AWAKE;
    if (isAwake) this.#awakeCount += 1;
    const list = isAwake ? this.#awake : this.#waiting;
    const refs = list.get(source) ?? [];
    list.set(source, refs);
    refs.push(pool.ref);
    if (!isAwake && refs.length >= AT_ONCE) await this.#settle(source, refs.splice(0));
  }

  async finish(): Promise<Imported> {
    for (const [source, refs] of this.#waiting) await this.#settle(source, refs);
    const block = await this.#options.base();
    const awake: KeptPool[] = [];
    for (const [source, refs] of this.#awake) {
      const states = await readPools({ reader: this.#options.reader }, source, refs, block);
      this.#count(source, refs.length, states.size);
      for (const ref of refs) {
        const pool = states.get(ref.id);
        if (pool !== undefined) awake.push({ source: source.id, ref, pool });
      }
      this.#options.onProgress(this.#done);
    }
    return { confirmed: this.#confirmed, awake, block, unsound: this.#unsound, unconfirmed: this.#unconfirmed };
  }

  async #settle(source: LiquiditySource, refs: readonly PoolRef[]): Promise<void> {
    const states = await readPools({ reader: this.#options.reader }, source, refs, await this.#options.base());
    const confirmed = refs.filter(({ id }) => states.has(id));
    this.#count(source, refs.length, confirmed.length);
    this.#options.catalog.add(confirmed.map((ref) => ({ source: source.id, ref })));
    this.#options.onProgress(this.#done);
  }

  #count({ id }: LiquiditySource, asked: number, confirmed: number): void {
    this.#confirmed.set(id, (this.#confirmed.get(id) ?? 0) + confirmed);
    this.#unconfirmed += asked - confirmed;
  }
}

/** A source may meet terms here that no contract has ever announced. */
function isSound(source: LiquiditySource, ref: PoolRef): boolean {
  try {
    return source.isSound?.(ref) === true;
  } catch {
    return false;
  }
}
