import type { BlockRef } from "../../domain/block.ts";

/**
 * Facts of one kind that were read of contracts. A fact belongs to the block that it was read in: it goes when that block
 * leaves the chain. Blocks that are too old to be taken back keep theirs.
 */
export interface BlockMemo<K, V> {
  /** Value known as of block `at`: a lasting fact, or one read in that very block. */
  get(key: K, at: BlockRef | undefined): V | undefined;
  /** Keeps what was read in block `at`. It holds for that block alone where it does not last or `at` is not on the chain. */
  set(key: K, value: V, at: BlockRef): void;
  delete(key: K): void;
  /** Everything that is kept, the oldest first. */
  entries(): Iterable<readonly [K, V]>;
  readonly size: number;
}

/** Facts read from contracts that outlive their block. The follower reports blocks that leave the chain. */
export interface BlockMemory {
  /** Facts of another kind. */
  memo<K, V>(options: MemoOptions<K, V>): BlockMemo<K, V>;
  /** The blocks above a height have left the chain. */
  rewind(height: bigint): void;
  /** Nothing that was read so far can be told to be of this chain. */
  clear(): void;
}

interface MemoOptions<K, V> {
  /** Facts that are kept; the oldest gives way. */
  readonly most: number;
  /** Whether a fact holds for later blocks too; all do by default. A negative answer does not: it is asked for again. */
  readonly lasts?: (value: V) => boolean;
  /** Told of each fact that went, for its age or with its block. */
  readonly onForgotten?: (key: K, value: V) => void;
}

interface Fact<V> {
  readonly value: V;
  readonly at: BlockRef;
  readonly lasts: boolean;
}

/** @param isCanonical whether a block is on the chain that is followed; for a single run that follows none, each is */
export function createBlockMemory(isCanonical: (block: BlockRef) => boolean = () => true): BlockMemory {
  const memos: { forget(isGone: (at: BlockRef) => boolean): void }[] = [];

  function forgetAll(isGone: (at: BlockRef) => boolean): void {
    for (const memo of memos) memo.forget(isGone);
  }

  return {
    memo(options) {
      const memo = createMemo(options, isCanonical);
      memos.push(memo);
      return memo;
    },
    rewind: (height) => forgetAll(({ number }) => number > height),
    clear: () => forgetAll(() => true),
  };
}

function createMemo<K, V>(
  { most, lasts = () => true, onForgotten }: MemoOptions<K, V>,
  isCanonical: (block: BlockRef) => boolean,
) {
  const facts = new Map<K, Fact<V>>();

  function forget(key: K, { value }: Fact<V>): void {
    facts.delete(key);
    onForgotten?.(key, value);
  }

  return {
    get(key: K, at: BlockRef | undefined): V | undefined {
      const fact = facts.get(key);
      return fact !== undefined && (fact.lasts || fact.at.hash === at?.hash) ? fact.value : undefined;
    },
    set(key: K, value: V, at: BlockRef): void {
      facts.delete(key);
      const [oldest] = facts;
      if (oldest !== undefined && facts.size >= most) forget(...oldest);
      facts.set(key, { value, at, lasts: lasts(value) && isCanonical(at) });
    },
    delete: (key: K) => void facts.delete(key),
    *entries(): Iterable<readonly [K, V]> {
      for (const [key, { value }] of facts) yield [key, value];
    },
    get size() {
      return facts.size;
    },
    forget(isGone: (at: BlockRef) => boolean): void {
      for (const [key, fact] of facts) if (isGone(fact.at)) forget(key, fact);
    },
  };
}
