import type { Chain } from "../chain/chain.ts";
import type { ChainRecord } from "../chain/chains/chain-record.ts";
import type { FleetOptions } from "../chain/fleet/fleet.ts";
import { ALL_ON, type SwitchedOff } from "../domain/switches.ts";
import { Feed } from "../market/feed/feed.ts";
import { type MarketRules, marketOf } from "../market/feed/feed-state.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { Config } from "../ops/config.ts";
import type { FleetMetrics } from "../ops/fleet-metrics.ts";
import type { Logger } from "../ops/logger.ts";
import { feedEncoder } from "../snapshot/feed-codec.ts";
import type { RedisOptions } from "../stores/redis/connection.ts";
import { openSharedMemory, type SharedMemory } from "../stores/redis/open-fleet.ts";

/** A lease outlasts its holder's last beat by less than a block: another process goes on within two. */
const LEASE_OF_BLOCK = 0.75;
const MIN_LEASE_MS = 1_500;
const MAX_LEASE_MS = 5_000;

/** Redis connection of a configuration's fleet; undefined without REDIS_URL. */
export function redisOptionsOf(
  { REDIS_URL: url, REDIS_PREFIX: prefix }: Config,
  { chainId }: Pick<ChainRecord, "chainId">,
  logger: Logger,
): RedisOptions | undefined {
  return url === undefined ? undefined : { url, prefix: `${prefix}:${chainId}`, logger };
}

export function openFleet(config: Config, record: ChainRecord, logger: Logger): SharedMemory | undefined {
  const place = redisOptionsOf(config, record, logger);
  return place && openSharedMemory(place, leaseMsOf(record));
}

function leaseMsOf({ blockTimeMs }: Pick<ChainRecord, "blockTimeMs">): number {
  return Math.min(Math.max(LEASE_OF_BLOCK * blockTimeMs, MIN_LEASE_MS), MAX_LEASE_MS);
}

/** The feed of a process's own market: for its search threads, and for its fleet while it leads. */
export function createFeed({ chainId, wrappedNative, referenceTokens: references }: ChainRecord, logger: Logger): Feed {
  return new Feed(feedEncoder, { chainId, wrappedNative, references }, (error) =>
    logger.error({ err: error }, "the market could not be told"),
  );
}

/**
 * Publishes a chain's market to a feed: each block, and again whenever it is shown otherwise than before.
 * @returns what publishes it where the rules alone are others than before
 */
export function publishMarket(
  feed: Pick<Feed, "publish">,
  chain: Pick<Chain, "market" | "onSnapshot" | "onRenewed">,
  rules: () => MarketRules,
): () => void {
  const publish = (snapshot: Snapshot) => void feed.publish(marketOf(snapshot), rules());
  chain.onSnapshot(publish);
  chain.onRenewed(publish);
  return () => {
    const now = chain.market.current();
    if ("snapshot" in now) publish(now.snapshot);
  };
}

/** ChainSetup of a process in its fleet, by `ROLE`. */
export function fleetOptionsOf(
  { ROLE: role }: Config,
  shared: SharedMemory,
  market: Pick<FleetOptions, "feed" | "renew">,
): FleetOptions {
  return { shared: shared.feed, ...market, mayLead: role !== "answer" };
}

/** Figures of a process in its fleet, for the metrics. */
export function fleetFiguresOf(chain: Pick<Chain, "status">, shared: SharedMemory): FleetMetrics {
  const alone = { role: "following", token: 0, led: 0, delayMs: 0, silentMs: 0, wholes: 0, bytes: 0 } as const;
  return { ...(chain.status().fleet ?? alone), ...shared.figures() };
}

/** Switches off by this process's record or the leader's: one object while both stay unchanged. */
export function switchedOffOf(own: () => SwitchedOff, told: () => SwitchedOff | undefined): () => SwitchedOff {
  let last: { readonly own: SwitchedOff; readonly told: SwitchedOff; readonly all: SwitchedOff } | undefined;
  return () => {
    const [mine, others] = [own(), told() ?? ALL_ON];
    if (others === ALL_ON || others === mine) return mine;
    if (last?.own !== mine || last.told !== others) last = { own: mine, told: others, all: union(mine, others) };
    return last.all;
  };
}

function union(one: SwitchedOff, other: SwitchedOff): SwitchedOff {
  return {
    source: new Set([...one.source, ...other.source]),
    pool: new Set([...one.pool, ...other.pool]),
    token: new Set([...one.token, ...other.token]),
  };
}
