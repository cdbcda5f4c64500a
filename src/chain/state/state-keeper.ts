import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../domain/message-of.ts";
import type { Logger } from "../../ops/logger.ts";
import type { KeptState, StateIdentity } from "../../snapshot/kept-state.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { Clock } from "../rpc/clock.ts";
import { readStateFile, writeStateFile } from "./state-file.ts";

/** Keeps the state of the pools on the disk, so that the next start need not read it all. */
export interface StateKeeper {
  /** @throws Error when there is a file that is unusable. */
  load(): Promise<KeptState | undefined>;
  /** Keeps a state now. What goes wrong is logged: the service does without. */
  keep(state: KeptState): Promise<void>;
  /** Keeps the state that `take` gives, when the last one is old enough. */
  offer(take: () => KeptState | undefined): void;
  /** Takes away what is kept: it may not be so. */
  forget(): void;
  /** Settles when nothing is being written. */
  settled(): Promise<void>;
}

const KEEP_EVERY_MS = 60_000;
/** A large state is kept more seldom: what is written stays below 22 GB a day, which a disk takes for years. */
const BYTES_PER_MS = 250;
/** But not so seldom that blocks would be many that a start has to bring it forward by. */
const MAX_BLOCKS_APART = 1_000;

/** One file per chain in `folder`. */
export function createStateKeeper(options: {
  readonly folder: string;
  readonly record: ChainRecord;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether nothing is written or taken away: another process keeps the state. Not by default. */
  readonly readOnly?: boolean;
}): StateKeeper {
  const { record, clock, logger } = options;
  const path = join(options.folder, `pools-${record.chainId}.state`);
  const identity: StateIdentity = { chainId: record.chainId, terms: termsOf(record) };
  let writing: Promise<void> = Promise.resolve();
  let busy = false;
  let keptAt = clock.elapsed();
  let pauseMs = KEEP_EVERY_MS;

  async function write(state: KeptState): Promise<void> {
    if (options.readOnly) return;
    const start = clock.elapsed();
    busy = true;
    try {
      const bytes = await writeStateFile(path, identity, state);
      const seldom = Math.min(bytes / BYTES_PER_MS, MAX_BLOCKS_APART * record.blockTimeMs);
      pauseMs = Math.max(KEEP_EVERY_MS, seldom);
      const tookMs = Math.round(clock.elapsed() - start);
      logger.debug({ block: Number(state.block.number), pools: state.pools.length, tookMs }, "state kept");
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, "the state could not be kept");
    } finally {
      busy = false;
      keptAt = clock.elapsed();
    }
  }

  function keep(state: KeptState): Promise<void> {
    writing = writing.then(() => write(state));
    return writing;
  }

  return {
    async load() {
      const state = await readStateFile(path, identity);
      // The catalog on disk belongs to the process that keeps the state.
      return state && options.readOnly === true ? { ...state, catalog: undefined } : state;
    },
    keep,
    offer(take) {
      if (options.readOnly || busy || clock.elapsed() - keptAt < pauseMs) return;
      const state = take();
      if (state !== undefined) void keep(state);
    },
    forget() {
      if (!options.readOnly) writing = writing.then(() => rm(path, { force: true }).catch(() => {}));
    },
    settled: () => writing,
  };
}

/** Tells what the pools of a source are read by: its venue in the record, or what all venues have. */
export function termsOf({ venues, wrappedNative }: ChainRecord): StateIdentity["terms"] {
  return (source) => {
    const venue = venues.find((listed) => listed.source === source);
    const text = JSON.stringify([wrappedNative, venue ?? null], (_, value) =>
      typeof value === "bigint" ? `${value}` : value,
    );
    return createHash("sha256").update(text).digest("hex");
  };
}
