import type { Address } from "../domain/address.ts";
import type { SourceId } from "../domain/source.ts";
import type { SourceState } from "../market/snapshot.ts";
import type { Pool } from "../pools/pool.ts";
import type { QuotedSource } from "../quoting/answer/route-view.ts";
import type { MakerDesk } from "../quoting/maker-ports.ts";
import { createMaker, type Maker } from "./maker.ts";
import type { MakerRecord } from "./maker-record.ts";
import { makerSource } from "./maker-source.ts";
import { type DeskOptions, OrderDesk } from "./order-desk.ts";
import type { AskOutcome, ScoreFigures } from "./score.ts";

/** Score and levels of one maker, for the metrics. */
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
  /** Current levels as pools; one array until they change. */
  levels(): readonly Pool[];
  states(): ReadonlyMap<SourceId, Pick<SourceState, "pools" | "status">>;
  figures(): readonly MakerFigures[];
  /** Resolves when every maker has told its levels once. */
  readonly firstLevels: Promise<void>;
  stop(): void;
}

interface MakersOptions extends DeskOptions {
  readonly records: readonly MakerRecord[];
  readonly levelsMaxAgeMs: number;
  /** Decimals of a token; undefined for one that is not known. Absent: none is. */
  readonly decimalsOf?: (token: Address) => number | undefined;
}

export function createMakers(options: MakersOptions): Makers {
  const { records, levelsMaxAgeMs, decimalsOf, elapsed, logger } = options;
  const { chainId } = options.check;
  const makers = new Map<SourceId, Maker>(
    records.map((record) => [
      record.name,
      createMaker({ record, chainId, levelsMaxAgeMs, elapsed, logger, ...(decimalsOf && { decimalsOf }) }),
    ]),
  );
  const desk = new OrderDesk(makers, options);
  let parts: readonly (readonly Pool[])[] = [];
  let levels: readonly Pool[] = [];

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
    firmOrders: (asks, occasion) => desk.ask(asks, occasion),
    settled: (orders, outcome) => desk.settled(orders, outcome),
    firstLevels: Promise.all([...makers.values()].map((maker) => maker.firstLevels)).then(() => undefined),
    stop() {
      for (const maker of makers.values()) maker.stop();
    },
  };
}
