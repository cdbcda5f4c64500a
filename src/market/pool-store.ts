import type { Address } from "../domain/address.ts";
import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import type { Pool } from "../pools/pool.ts";
import type { PoolGraph } from "../routing/router.ts";
import { PoolSlots } from "./pool-slots.ts";

/** The pools of a snapshot, with what it takes to value tokens. */
export interface MarketGraph extends PoolGraph {
  /** Pools that hold both tokens, the oldest first. */
  poolsBetween(first: Address, second: Address): readonly Pool[];
  /** The listed tokens that most pools ever held, most first; a few of them. */
  hubs(): readonly Address[];
  /** All pools, the oldest first. */
  all(): readonly Pool[];
}

/**
 * The pools of the market as they are being changed. `freeze` gives what a snapshot keeps: it shares all that did not
 * change with the one before, so that a block costs what changed and not what there is.
 */
export interface PoolStore {
  get(id: PoolId): Pool | undefined;
  /** Slot of a pool among all that snapshots ever held; undefined if they never held it. */
  slotOf(id: PoolId): number | undefined;
  /** Whether a pool ever had a state here. */
  had(id: PoolId): boolean;
  /** Puts a pool in its new state; undefined takes it away. */
  set(id: PoolId, pool: Pool | undefined): void;
  /** Pools with a state that snapshots hold, by source. */
  count(source: SourceId): number;
  /** Pools with a state that no snapshot holds, since their controllers are not allowed. */
  countWithheld(source: SourceId): number;
  /** Tokens of the pools that were set since the last call. */
  takeChanged(): ReadonlySet<Address>;
  /** Tokens of all pools that ever had a state here. */
  tokens(): ReadonlySet<Address>;
  /** The pools as they are now, for ever. */
  freeze(time: bigint): MarketGraph;
}

const HUBS = 9;

/** Filters for the pools that snapshots hold and the tokens that may become hubs. By default all. */
interface StoreOptions {
  /** Whether pools that this account controls are held by snapshots. */
  readonly allows?: (controller: Address) => boolean;
  readonly isListed?: (token: Address) => boolean;
}

/** Every pool has a slot for good: the oldest the first. */
export function createPoolStore(options: StoreOptions = {}): PoolStore {
  const { allows = () => true, isListed = () => true } = options;
  /** The pools whose controllers are not allowed, and all that ever were among them. */
  const withheld = new Map<PoolId, Pool>();
  const everWithheld = new Set<PoolId>();
  const withheldCounts = new Map<SourceId, number>();
  const slots = new PoolSlots();
  const counts = new Map<SourceId, number>();
  let changed = new Set<Address>();
  let hubs: readonly Address[] = [];
  let tokens: ReadonlySet<Address> = new Set();

  function read(id: PoolId): Pool | undefined {
    const slot = slots.slotOf(id);
    return slot === undefined ? undefined : slots.at(slot);
  }

  /** Puts a pool in its slot, where snapshots find it. */
  function setVisible(id: PoolId, pool: Pool | undefined): void {
    const before = read(id);
    if (before === pool) return;
    const known = slots.slotOf(id);
    slots.put(known ?? slots.size, pool);
    if (known === undefined) hubs = rankedHubs(slots, [...new Set([...hubs, ...pool!.tokens.filter(isListed)])]);
    for (const token of (pool ?? before)!.tokens) changed.add(token);
    if (before !== undefined) add(counts, before.source, -1);
    if (pool !== undefined) add(counts, pool.source, 1);
  }

  /** Keeps a pool where no snapshot finds it. */
  function setWithheld(id: PoolId, pool: Pool | undefined): void {
    const before = withheld.get(id);
    if (before !== undefined) add(withheldCounts, before.source, -1);
    if (pool === undefined) withheld.delete(id);
    else {
      withheld.set(id, pool);
      everWithheld.add(id);
      add(withheldCounts, pool.source, 1);
    }
  }

  return {
    get: (id) => withheld.get(id) ?? read(id),
    slotOf: (id) => slots.slotOf(id),
    had: (id) => slots.slotOf(id) !== undefined || everWithheld.has(id),
    set(id, pool) {
      const isAllowed = pool?.controllers?.every(allows) ?? true;
      setVisible(id, isAllowed ? pool : undefined);
      setWithheld(id, isAllowed ? undefined : pool);
    },
    count: (source) => counts.get(source) ?? 0,
    countWithheld: (source) => withheldCounts.get(source) ?? 0,
    takeChanged() {
      const taken = changed;
      changed = new Set();
      return taken;
    },
    tokens() {
      if (tokens.size !== slots.tokenCount) tokens = new Set(slots.tokens());
      return tokens;
    },
    freeze: (time) => slots.freeze(time, hubs),
  };
}

/** The tokens that most pools ever held, most first; at most `HUBS`. */
function rankedHubs(slots: PoolSlots, tokens: readonly Address[]): readonly Address[] {
  const ranked = tokens.toSorted((a, b) => slots.holdersOf(b) - slots.holdersOf(a) || (a < b ? -1 : 1));
  return ranked.slice(0, HUBS);
}

function add<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
