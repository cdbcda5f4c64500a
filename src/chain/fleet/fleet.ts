import type { BlockRef } from "../../domain/block.ts";
import type { Feed } from "../../market/feed/feed.ts";
import type { SharedFeed } from "../../market/feed/shared-feed.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Freshness, Market } from "../../market/market.ts";
import type { Logger } from "../../ops/logger.ts";
import type { KeptState } from "../../snapshot/kept-state.ts";
import type { Follower } from "../blocks/follower.ts";
import type { BlockMemory } from "../rpc/block-memory.ts";
import type { Clock } from "../rpc/clock.ts";
import type { TokenTests } from "../tokens/token-verdicts.ts";
import { FeedWriter } from "./feed-writer.ts";
import { type FleetFigures, FleetFollower } from "./fleet-follower.ts";
import { FleetVerdicts } from "./fleet-verdicts.ts";
import { type Answering, answer, Questions } from "./questions.ts";
import { Standby, type StandbyFigures } from "./standby.ts";

/** The fleet that a process is of. */
export interface FleetOptions {
  readonly shared: SharedFeed;
  /** The feed that this process publishes its snapshots to. */
  readonly feed: Pick<Feed, "follow">;
  /** Publishes the market to it where it is shown otherwise than it was published last, if only by what is switched off. */
  readonly renew: () => void;
  /** Whether it may follow the chain at all. */
  readonly mayLead: boolean;
}

/** The parts by which a process takes its turn at following the chain. */
export interface Fleet {
  readonly follower: FleetFollower;
  readonly standby: Standby;
  /** Questions to the process that follows the chain; undefined if this process does. */
  asked(): Questions | undefined;
  /** The fleet's verdicts on tokens by way of this process's tests. */
  verdicts(tests: TokenTests): TokenTests;
  figures(): FleetFigures & StandbyFigures;
}

export function createFleet(
  { shared, feed, renew, mayLead }: FleetOptions,
  options: {
    readonly market: Market;
    readonly memory: BlockMemory;
    readonly sources: readonly LiquiditySource[];
    readonly isOff: (source: string) => boolean;
    readonly freshness: Freshness;
    readonly create: (loadState: () => Promise<KeptState | undefined>) => Follower;
    readonly loadKept: (() => Promise<KeptState | undefined>) | undefined;
    readonly isCanonical: (block: BlockRef) => Promise<boolean>;
    /** Handles other processes' questions while this process follows the chain. */
    readonly answering: Answering;
    readonly clock: Clock;
    readonly logger: Logger;
  },
): Fleet {
  const { market, sources, isOff, clock, logger } = options;
  const standby = new Standby({
    ...{ sources, freshness: options.freshness, memory: options.memory, clock, logger },
    tell: (snapshot) => follower.told(snapshot),
    onCaughtUp: () => follower.caughtUp(),
  });
  const follower: FleetFollower = new FleetFollower({
    ...{ shared, standby, market, mayLead, logger },
    ...{ create: options.create, loadKept: options.loadKept, isCanonical: options.isCanonical },
    writer: (token) => new FeedWriter(token, { shared, feed, renew, follower, market, sources, isOff, clock, logger }),
  });
  const questions = new Questions(shared, clock);
  shared.onQuestion((question) => {
    if (follower.isLeading) answer(question, options.answering);
  });
  return {
    ...{ follower, standby },
    asked: () => (follower.isLeading ? undefined : questions),
    verdicts(tests) {
      const isLeading = () => follower.isLeading;
      const verdicts = new FleetVerdicts({ tests, questions, told: () => standby.keptOut, isLeading });
      follower.market.onSnapshot((snapshot) => {
        if (!isLeading()) verdicts.told(snapshot);
      });
      return verdicts;
    },
    figures: () => ({ ...follower.figures(), ...standby.figures() }),
  };
}
