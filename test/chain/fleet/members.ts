import { createFakeChain, type FakeChain } from "../../../fixtures/chain/fake-chain.ts";
import { REDIS_URL } from "../../../fixtures/fleet/redis.ts";
import { startTcpProxy, type TcpProxy } from "../../../fixtures/tcp-proxy.ts";
import { type Chain, startChain } from "../../../src/chain/chain.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import { publishMarket } from "../../../src/compose/fleet.ts";
import { ALL_ON, type SwitchedOff } from "../../../src/domain/switches.ts";
import { Feed } from "../../../src/market/feed/feed.ts";
import type { SharedFeed } from "../../../src/market/feed/shared-feed.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { feedEncoder } from "../../../src/snapshot/feed-codec.ts";
import { openSharedMemory, type SharedMemory } from "../../../src/stores/redis/open-fleet.ts";
import { createSources } from "../../../src/venues/index.ts";

import { encodeUpdateOf } from "./whole-bytes.ts";

const logger = createLogger("silent");

/** One member of a fleet in this process, with a line of its own to Redis. */
export interface Member {
  readonly chain: Chain;
  readonly line: TcpProxy;
  readonly shared: SharedMemory;
  /** Requests that it has sent to its node. */
  requests(): number;
  /** Has its node answer nothing from the next request on, which it waits for, until what is returned is called. */
  holdNode(): Promise<() => void>;
  snapshot(): Snapshot | undefined;
  leads(): boolean;
  /** Switches off what is named, as its operator does. */
  switchOff(what: Partial<SwitchedOff>): void;
  /** All that an answer depends on, as bytes in hex. */
  market(): string | undefined;
  stop(): Promise<void>;
}

export function createWorldOfPairs(seed: number): FakeChain {
  const fake = createFakeChain({ seed, pairs: 12 });
  for (let block = 0; block < 20; block++) fake.mine({ trades: 3, pairs: block % 4 === 0 ? 1 : 0 });
  return fake;
}

/** `skewMs`: how far its clock is from the others'. */
export async function startMember(
  fake: FakeChain,
  prefix: string,
  options: {
    readonly mayLead?: boolean;
    readonly skewMs?: number;
    readonly confirmedWithinMs?: number;
    readonly leaseMs?: number;
    /** Rewrites each entry that it publishes. */
    readonly rewritten?: (entry: Uint8Array) => Uint8Array;
  } = {},
): Promise<Member> {
  const { skewMs = 0, confirmedWithinMs = 10_000, leaseMs = 1_000, mayLead = true, rewritten } = options;
  const line = await startTcpProxy(REDIS_URL);
  const shared = openSharedMemory({ url: line.url, prefix, logger }, leaseMs);
  const { record } = fake;
  const feed = new Feed(feedEncoder, { chainId: record.chainId, wrappedNative: record.wrappedNative }, (error) => {
    throw error;
  });
  let renew = () => {};
  const node = fake.connect({ name: "a node of its own" });
  let held: Promise<void> | undefined;
  let onHeld = () => {};
  const provider: typeof node.provider = {
    ...node.provider,
    async request(...asked) {
      if (held !== undefined) onHeld();
      await held;
      return node.provider.request(...asked);
    },
  };
  const chain = await startChain({
    ...{ record, rpcUrls: [], providers: [provider], sources: createSources(record), tokens: [], logger },
    freshness: { confirmedWithinMs, blockAgeMs: undefined },
    explainRevert: (data) => data,
    pollIntervalMs: 50,
    clock: { ...systemClock, now: () => Date.now() + skewMs },
    fleet: {
      shared: rewritten === undefined ? shared.feed : rewriting(shared.feed, rewritten),
      ...{ feed, renew: () => renew(), mayLead },
    },
  });
  let off = ALL_ON;
  renew = publishMarket(feed, chain, () => ({ off, keptOut: chain.verdicts.keptOut() }));
  const snapshot = () => {
    const current = chain.market.current();
    return "snapshot" in current ? current.snapshot : undefined;
  };
  return {
    ...{ chain, line, shared, snapshot, requests: node.requests },
    async holdNode() {
      const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      [held, onHeld] = [answered.promise, asked.resolve];
      await asked.promise;
      return answered.resolve;
    },
    switchOff(what) {
      off = { ...ALL_ON, ...what };
    },
    leads: () => chain.status().fleet?.role === "leading",
    market() {
      const now = snapshot();
      return now && encodeUpdateOf(now);
    },
    async stop() {
      await chain.stop();
      await shared.close();
      await line.close();
    },
  };
}

/** A feed whose entries are told as another version would. */
function rewriting(feed: SharedFeed, rewritten: (entry: Uint8Array) => Uint8Array): SharedFeed {
  return {
    get lease() {
      return feed.lease;
    },
    onLease: (listener) => feed.onLease(listener),
    compete: (wants) => feed.compete(wants),
    append: (token, entry) => feed.append(token, rewritten(entry)),
    keepWhole: (token, entries, after) => feed.keepWhole(token, entries.map(rewritten), after),
    follow: (reader) => feed.follow(reader),
    ask: (question) => feed.ask(question),
    onQuestion: (listener) => feed.onQuestion(listener),
  };
}
