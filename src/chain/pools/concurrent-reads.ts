import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { PoolId } from "../../domain/route.ts";
import type { ChainReader, Log } from "../../market/chain-reader.ts";
import type { UnservedReason } from "../../market/eligibility.ts";
import type { Logger } from "../../ops/logger.ts";
import type { Header } from "../rpc/codec.ts";
import type { Found } from "./found-pools.ts";
import { type PoolState, readFound } from "./read-pools.ts";

/** A block that was applied while pools were read beside, with its logs. */
export interface PassedBlock {
  readonly header: Header;
  readonly logs: readonly Log[];
}

/** Pools that were read at a block, and the blocks that have passed since. */
export interface ReadPools {
  readonly found: readonly Found[];
  /** Undefined for those that cannot be read, or are not worth it; without those that were held already. */
  readonly states: ReadonlyMap<PoolId, PoolState | undefined>;
  /** Why some of those cannot. */
  readonly told: ReadonlyMap<PoolId, UnservedReason>;
  /** From the child of the block that they were read at to the tip. */
  readonly since: readonly PassedBlock[];
}

/** Blocks that may pass while pools are read: after more they are read again. */
const MAX_PASSED = 64;
/** Failed reads in a row after which an operator is told, each time. */
const FAILURES_TOLD = 5;

interface Reading {
  readonly found: readonly Found[];
  readonly at: BlockRef;
  readonly told: Map<PoolId, UnservedReason>;
  readonly since: PassedBlock[];
  states: ReadonlyMap<PoolId, PoolState | undefined> | undefined;
  failed: boolean;
}

/**
 * Reads pools beside the following of the chain: no step to the head waits for them. The logs of the blocks that pass
 * meanwhile are kept, so that the pools can be brought to the tip without reading them there.
 */
export class ReadBeside {
  readonly #reader: ChainReader;
  readonly #logger: Logger;
  readonly #onRead: () => void;
  readonly #isWorthReading: ((near: PoolState) => boolean) | undefined;
  #reading: Reading | undefined;
  /** Reads in a row that failed. */
  #failures = 0;

  /**
   * @param onRead is told when pools were read: they can be taken with the next step
   * @param isWorthReading whether a pool is to be read whole, by what is near its price; all are by default
   */
  constructor(
    reader: ChainReader,
    logger: Logger,
    { onRead = () => {}, isWorthReading }: { onRead?: () => void; isWorthReading?: (near: PoolState) => boolean } = {},
  ) {
    this.#reader = reader;
    this.#logger = logger;
    this.#onRead = onRead;
    this.#isWorthReading = isWorthReading;
  }

  get isBusy(): boolean {
    return this.#reading !== undefined;
  }

  /** Begins to read pools at a block, but for those that are held already. Nothing else is being read. */
  begin(found: readonly Found[], at: BlockRef, isHeld: (id: PoolId) => boolean): void {
    const reading: Reading = { found, at, told: new Map(), since: [], states: undefined, failed: false };
    this.#reading = reading;
    const unknown = found.filter(({ ref }) => !isHeld(ref.id));
    const isWorthReading = this.#isWorthReading;
    readFound({ reader: this.#reader, told: reading.told, isWorthReading }, unknown, at).then(
      (states) => {
        reading.states = states;
        this.#failures = 0;
        if (this.#reading === reading) this.#onRead();
      },
      (error: unknown) => {
        reading.failed = true;
        this.#failures += 1;
        const told = { reason: messageOf(error), pools: found.length, times: this.#failures };
        // A node may fail for a while; what fails on and on holds up the search for pools.
        if (this.#failures % FAILURES_TOLD === 0) this.#logger.warn(told, "found pools cannot be read");
        else this.#logger.debug(told, "found pools could not be read yet");
      },
    );
  }

  /** A block was applied. */
  passed(header: Header, logs: readonly Log[]): void {
    // One more than may pass shows that they are too many.
    if (this.#reading !== undefined && this.#reading.since.length <= MAX_PASSED)
      this.#reading.since.push({ header, logs });
  }

  /**
   * The pools that were read, if that has come to an end and they can be brought to the tip; else they are to be read again.
   * Undefined while they are being read, and where there are none.
   */
  take(tip: Hex): ReadPools | "again" | undefined {
    const reading = this.#reading;
    if (reading === undefined || (reading.states === undefined && !reading.failed)) return undefined;
    this.#reading = undefined;
    const { found, at, told, since, states } = reading;
    const path = pathTo(tip, at.hash, since);
    return states === undefined || path === undefined ? "again" : { found, states, told, since: path };
  }

  /** Drops the read that is under way. */
  forget(): void {
    this.#reading = undefined;
  }
}

/** Those of the passed blocks that lead from a block to the tip; undefined where they do not, after a reorganization say. */
function pathTo(tip: Hex, base: Hex, passed: readonly PassedBlock[]): readonly PassedBlock[] | undefined {
  const byHash = new Map(passed.map((block) => [block.header.hash, block]));
  const path: PassedBlock[] = [];
  for (let hash = tip; hash !== base; ) {
    const block = byHash.get(hash);
    if (block === undefined || path.length >= MAX_PASSED) return undefined;
    path.push(block);
    hash = block.header.parentHash;
  }
  return path.reverse();
}
