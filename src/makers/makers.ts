import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import type { SourceState } from "../market/snapshot.ts";
import type { Logger } from "../ops/logger.ts";
import type { Pool } from "../pools/pool.ts";
import type { QuotedSource } from "../quoting/answer/route-view.ts";
import type { FirmAsk, FirmOccasion, MakerDesk } from "../quoting/ports.ts";
import { askMaker, type OrderCheck } from "./firm-orders.ts";
import { heldTo } from "./held-to.ts";
import { createMaker, type Maker } from "./maker.ts";
import type { MakerRecord } from "./maker-record.ts";
import { makerSource } from "./maker-source.ts";
import type { AskOutcome, ScoreFigures } from "./score.ts";

/** How one maker does, for the metrics. */
export interface MakerFigures extends ScoreFigures {
  readonly name: SourceId;
  readonly open: boolean;
  readonly status: SourceState["status"];
  readonly pairs: number;
  readonly totals: ReadonlyMap<AskOutcome | "filled" | "failed", number>;
}

/** All makers of a chain. */
export interface Makers extends MakerDesk {
  readonly sources: readonly QuotedSource[];
  /** What they would trade now; the same array as long as that is the same. */
  levels(): readonly Pool[];
  states(): ReadonlyMap<SourceId, Pick<SourceState, "pools" | "status">>;
  figures(): readonly MakerFigures[];
  /** Resolves when every maker has told its levels once. */
  readonly firstLevels: Promise<void>;
  stop(): void;
}

/** Nonces that are remembered of each maker: an order that was given out before is no new one. */
const NONCES = 10_000;

export function createMakers(options: {
  readonly records: readonly MakerRecord[];
  readonly check: OrderCheck;
  /** Milliseconds that makers have for a firm order. */
  readonly deadlineMs: number;
  readonly levelsMaxAgeMs: number;
  /** Milliseconds, of a clock that never goes back. */
  readonly elapsed: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
  /** Told how long each question took, in seconds. */
  readonly onAnswer?: (maker: SourceId, outcome: AskOutcome, seconds: number) => void;
}): Makers {
  const { records, check, levelsMaxAgeMs, elapsed, now, logger } = options;
  const { chainId } = check;
  const makers = new Map<SourceId, Maker>(
    records.map((record) => [record.name, createMaker({ record, chainId, levelsMaxAgeMs, elapsed, logger })]),
  );
  const nonces = new Map<SourceId, Set<string>>(records.map(({ name }) => [name, new Set()]));
  const ownerOf = new Map<PoolId, Maker>();
  let parts: readonly (readonly Pool[])[] = [];
  let levels: readonly Pool[] = [];

  /** Whether an order's nonce is new; from now on it is not. */
  function isFresh(name: SourceId, account: string, nonce: bigint): boolean {
    const seen = nonces.get(name) as Set<string>;
    const key = `${account} ${nonce}`;
    if (seen.has(key)) return false;
    seen.add(key);
    const [oldest] = seen;
    if (seen.size > NONCES && oldest !== undefined) seen.delete(oldest);
    return true;
  }

  /** `fair`: the maker has all the time that it was promised. */
  async function ask(
    question: FirmAsk,
    occasion: FirmOccasion,
    signal: AbortSignal,
    fair: boolean,
  ): Promise<Pool | undefined> {
    const maker = makers.get(question.source);
    if (maker === undefined || !maker.score.open) return undefined;
    const { name, accounts } = maker.record;
    // What it pays itself is no trade, and says nothing of its orders.
    if (accounts.includes(occasion.taker)) return undefined;
    const start = elapsed();
    const level = heldTo(question, maker.levels(), occasion.at.timestamp);
    const result = await askMaker(maker, { ...question, level }, occasion, check, signal);
    // A caller that is gone or in a hurry says nothing of the maker, nor does a node that does not answer.
    if (occasion.signal.aborted || result.outcome === "unchecked") return undefined;
    if (result.outcome === "silent" && !fair) return undefined;
    let { outcome, pool, reason } = result;
    if (pool?.curve === "signed-order" && !isFresh(name, pool.state.order.maker, pool.state.order.nonce)) {
      [outcome, pool, reason] = ["invalid", undefined, "its nonce was used in another order"];
    }
    // Who shows no levels has promised nothing.
    if (outcome === "refused" && level === undefined) outcome = "good";
    const before = maker.score.open;
    maker.score.asked(outcome);
    options.onAnswer?.(name, outcome, (elapsed() - start) / 1_000);
    if (outcome !== "good") logger.info({ maker: name, outcome, reason }, "a maker's order is of no use");
    if (before && !maker.score.open) logger.warn({ maker: name }, "a maker is left alone for a while");
    if (pool !== undefined) ownerOf.set(pool.id, maker);
    return pool;
  }

  return {
    sources: records.map(makerSource),
    levels() {
      const current = [...makers.values()].map((maker) => maker.levels());
      if (current.length !== parts.length || current.some((part, i) => part !== parts[i])) {
        parts = current;
        levels = current.flat();
      }
      return levels;
    },
    states: () => new Map([...makers].map(([name, maker]) => [name, maker.state()])),
    figures: () =>
      [...makers].map(([name, { score, state }]) => {
        const { status, pools } = state();
        return { name, open: score.open, status, pairs: pools, totals: score.totals, ...score.figures() };
      }),
    quotersOf: (takerToken, makerToken) =>
      records.flatMap(({ name, pairs, levels: shown }) => {
        const deals = pairs.some(
          ([a, b]) => (a === takerToken && b === makerToken) || (b === takerToken && a === makerToken),
        );
        return shown === undefined && deals && makers.get(name)?.score.open ? [name] : [];
      }),
    async firmOrders(asks, occasion) {
      const timeoutMs = Math.min(options.deadlineMs, occasion.deadlineMs - now());
      if (timeoutMs <= 0) return [];
      const signal = AbortSignal.any([AbortSignal.timeout(Math.ceil(timeoutMs)), occasion.signal]);
      const fair = timeoutMs >= options.deadlineMs;
      const pools = await Promise.all(asks.map((question) => ask(question, occasion, signal, fair)));
      return pools.filter((pool) => pool !== undefined);
    },
    settled(orders, outcome) {
      for (const id of orders) ownerOf.get(id)?.score.simulated(outcome);
    },
    firstLevels: Promise.all([...makers.values()].map((maker) => maker.firstLevels)).then(() => undefined),
    stop() {
      for (const maker of makers.values()) maker.stop();
    },
  };
}
