import type { Hex } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Header } from "../rpc/codec.ts";
import type { Refused } from "./found-pools.ts";
import type { PoolState } from "./read-pools.ts";

/** Changes that one block made to the pools, so that they can be undone. */
export interface BlockUndo {
  /** The states before it of the pools that it changed, in the order of their last change. */
  readonly before: Map<PoolId, PoolState | undefined>;
  /** Pools that it changed from states that nobody has read: it lies below the block that they were read at. */
  readonly unread: ReadonlySet<PoolId>;
  /** Pools that it announced. */
  readonly added: readonly PoolId[];
  /** Pools that it announced and that are not served. */
  readonly refused: readonly Refused[];
}

interface Applied extends BlockUndo {
  readonly header: Header;
  /** Whether what moves without a log was read at this block too. */
  fresh: boolean;
}

/** The newest blocks that were applied, linked by their hashes, and the changes to undo down to the oldest of them. */
export interface UndoRing {
  /** The newest block. */
  readonly tip: Applied;
  readonly oldest: Header;
  /** Blocks that can still be added before the oldest gives way. */
  readonly capacityLeft: number;
  has(hash: Hex): boolean;
  at(blockNumber: bigint): Header | undefined;
  /** Adds the next block. Answers the pools of which this has made sure that they were announced. */
  push(header: Header, changes: BlockUndo): readonly PoolId[];
  /** Takes the newest block away; it is not the oldest. */
  pop(): Applied;
  /** Extends the history by one block: `changes` are what the oldest block so far did to its parent. */
  reachBack(parent: Header, changes: BlockUndo): void;
  /** The blocks above a height, the newest first. */
  above(blockNumber: bigint): readonly Applied[];
}

const NOTHING: Readonly<Pick<BlockUndo, "unread" | "added" | "refused">> = {
  unread: new Set(),
  added: [],
  refused: [],
};

/** A ring that holds `base`, and from which `size` blocks can be taken back. */
export function createUndoRing(base: Header, baseIsFresh: boolean, size: number): UndoRing {
  /** Applied blocks, oldest first. The oldest one's changes are unknown. */
  const blocks: [Applied, ...Applied[]] = [{ ...NOTHING, before: new Map(), header: base, fresh: baseIsFresh }];
  const hashes = new Set<Hex>([base.hash]);

  const place = (blockNumber: bigint) => Number(blockNumber - blocks[0].header.number);

  return {
    get tip() {
      return blocks.at(-1)!;
    },
    get oldest() {
      return blocks[0].header;
    },
    get capacityLeft() {
      return size + 1 - blocks.length;
    },
    has: (hash) => hashes.has(hash),
    at: (blockNumber) => blocks[place(blockNumber)]?.header,
    push(header, changes) {
      blocks.push({ ...changes, header, fresh: false });
      hashes.add(header.hash);
      if (blocks.length <= size + 1) return [];
      hashes.delete(blocks.shift()!.header.hash);
      return blocks[0].added;
    },
    pop() {
      const block = blocks.pop()!;
      hashes.delete(block.header.hash);
      return block;
    },
    reachBack(parent, changes) {
      const [oldest] = blocks;
      if (parent.hash !== oldest.header.parentHash) throw new RangeError("not the parent of the oldest block");
      blocks[0] = { ...oldest, ...changes };
      blocks.unshift({ ...NOTHING, before: new Map(), header: parent, fresh: false });
      hashes.add(parent.hash);
    },
    above: (blockNumber) => blocks.slice(place(blockNumber) + 1).reverse(),
  };
}
