import type { Address } from "../domain/address.ts";
import { makerPairId } from "../domain/maker-order.ts";
import { messageOf } from "../domain/message-of.ts";
import type { SourceId } from "../domain/source.ts";
import type { SourceState } from "../market/snapshot.ts";
import type { Logger } from "../ops/logger.ts";
import type { Pool } from "../pools/pool.ts";
import { createLevelsFeed } from "./levels-feed.ts";
import { type PairLevels, readLevels } from "./levels-message.ts";
import type { MakerRecord } from "./maker-record.ts";
import { foreignProtocol } from "./protocols/index.ts";
import { createScore, type Score } from "./score.ts";

/** One maker: its levels as it last told them, and its record. */
export interface Maker {
  readonly record: MakerRecord;
  readonly score: Score;
  /** Its levels, while they are fresh and it is trusted; the same array as long as they are the same. */
  levels(): readonly Pool[];
  state(): Pick<SourceState, "pools" | "status">;
  /** Resolves with its first levels; at once for a maker that shows none. */
  readonly firstLevels: Promise<void>;
  stop(): void;
}

const NONE: readonly Pool[] = [];
/** Most bytes of a message of all pairs that a venue trades: the limit in the example of Bebop's documentation. */
const FOREIGN_BYTES = 2 ** 21;

/** Dependencies and limits of a maker. */
interface MakerOptions {
  readonly record: MakerRecord;
  readonly chainId: number;
  /** Decimals of a token, for levels that are told as prices; undefined for one that is not known. Absent: none is. */
  readonly decimalsOf?: (token: Address) => number | undefined;
  /** Milliseconds after which levels that were not told again are no longer quoted. */
  readonly levelsMaxAgeMs: number;
  /** Milliseconds, of a clock that never goes back. */
  readonly elapsed: () => number;
  readonly logger: Logger;
}

export function createMaker(options: MakerOptions): Maker {
  const { record, chainId, decimalsOf = () => undefined, levelsMaxAgeMs, elapsed, logger } = options;
  const { name } = record;
  const score = createScore(elapsed);
  let levels = NONE;
  let text: string | undefined;
  let receivedAt = Number.NEGATIVE_INFINITY;
  let lastFault: string | undefined;
  let first = () => {};
  const firstLevels = new Promise<void>((resolve) => {
    first = resolve;
  });

  function fault(reason: string): void {
    // A repeated fault is logged once.
    if (reason !== lastFault) logger.warn({ maker: name, reason }, "a maker's levels do not come");
    lastFault = reason;
  }

  function take(json: unknown): void {
    try {
      if (json === undefined) throw new Error("a message that is no JSON");
      const now = JSON.stringify(json);
      if (now !== text) levels = read(json).map((pair) => poolOf(name, pair));
      text = now;
      receivedAt = elapsed();
      lastFault = undefined;
      first();
    } catch (error) {
      fault(messageOf(error));
    }
  }

  const foreign = record.settles && foreignProtocol(record.settles.protocol);
  const read = (json: unknown) => foreign?.readLevels?.(json, { decimalsOf }) ?? readLevels(json, chainId);
  const isFresh = () => elapsed() - receivedAt <= levelsMaxAgeMs;
  const feed = createLevelsFeed({
    maker: record,
    silentMs: 2 * levelsMaxAgeMs,
    events: { message: take, fault },
    elapsed,
    ...(foreign && { parse: foreign.parse, maxBytes: FOREIGN_BYTES }),
  });
  if (feed === undefined) first();

  return {
    record,
    score,
    levels: () => (score.open && isFresh() ? levels : NONE),
    state() {
      if (feed === undefined) return { pools: record.pairs.length, status: score.open ? "live" : "stale" };
      if (text === undefined) return { pools: 0, status: "syncing" };
      const live = score.open && isFresh();
      return { pools: live ? levels.length : 0, status: live ? "live" : "stale" };
    },
    firstLevels,
    stop: () => feed?.stop(),
  };
}

function poolOf(source: SourceId, { base, quote, state }: PairLevels): Pool {
  return { id: makerPairId(source, base, quote), source, tokens: [base, quote], curve: "levels", state };
}
