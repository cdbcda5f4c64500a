import type { Registry } from "prom-client";
import { systemClock } from "../chain/rpc/clock.ts";
import type { Address } from "../domain/address.ts";
import { askPeer } from "../makers/guarded-request.ts";
import { type Config, ofOption } from "../ops/config.ts";
import { addGuardMetrics } from "../ops/guard-metrics.ts";
import { ChainlinkFeed } from "../quoting/guard/chainlink-feed.ts";
import { type GuardRecord, readGuardFile } from "../quoting/guard/guard-file.ts";
import { HttpFeed } from "../quoting/guard/http-feed.ts";
import { CHECK_ENDS, PriceGuard } from "../quoting/guard/price-guard.ts";
import type { ReferenceFeed } from "../quoting/guard/reference.ts";
import type { RunningEngine } from "./engine.ts";

/** The guard's record that a configuration names; undefined where it names none. @throws ConfigError */
export function guardRecordOf({ PRICE_GUARD_FILE: file }: Config): GuardRecord | undefined {
  return file === undefined ? undefined : ofOption("PRICE_GUARD_FILE", () => readGuardFile(file));
}

/** The guard of a configuration, whose feeds are asked from now on; undefined where it names none. @throws ConfigError */
export function startPriceGuard(
  config: Config,
  parts: {
    readonly engine: Pick<RunningEngine, "chain">;
    readonly wrappedNative: Address;
    readonly registry: Registry;
    onStarted(end: () => Promise<void>): void;
  },
): PriceGuard | undefined {
  const record = guardRecordOf(config);
  if (record === undefined) return undefined;
  const { engine, wrappedNative, registry, onStarted } = parts;
  const { now, elapsed } = systemClock;
  const { reader } = engine.chain;
  const feeds = record.feeds.map((feed): ReferenceFeed => {
    const { from } = feed;
    if (from.kind === "chainlink") return new ChainlinkFeed(feed, from.aggregator, { reader, now });
    const peer = { headers: {}, allowPrivateNetwork: record.allowPrivateNetwork };
    const ask = (url: URL, signal: AbortSignal) => askPeer(url, peer, signal);
    return new HttpFeed(feed, from, { everyMs: record.pollEveryMs, ask, elapsed });
  });
  const { ended } = addGuardMetrics(registry, CHECK_ENDS, () => guard.readings());
  const guard = new PriceGuard(record, feeds, { wrappedNative, ended });
  onStarted(async () => guard.stop());
  return guard;
}
