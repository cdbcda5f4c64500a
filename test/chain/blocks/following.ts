import { createFakeChain, type FakeChain, GENESIS_MS } from "../../../fixtures/chain/fake-chain.ts";
import { createVirtualClock, type VirtualClock } from "../../../fixtures/chain/virtual-clock.ts";
import { type Chain, startChain } from "../../../src/chain/chain.ts";
import type { Provider } from "../../../src/chain/rpc/provider.ts";
import { createStateKeeper, type StateKeeper } from "../../../src/chain/state/state-keeper.ts";
import type { Token } from "../../../src/domain/token.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import type { PoolCatalog } from "../../../src/market/pool-catalog.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { createLogger, type Logger } from "../../../src/ops/logger.ts";
import { openCatalog } from "../../../src/stores/open-stores.ts";
import { createSources } from "../../../src/venues/index.ts";

/** A chain followed on a fake node, with what it published and where that was not the truth. */
export interface Following {
  readonly chain: Chain;
  readonly published: readonly Snapshot[];
  /** Differences between a snapshot, when it was published, and the block that it names. */
  readonly wrong: readonly string[];
  /** Lets time pass until `holds`; it is a failure of the test when that does not come about. */
  until(holds: () => boolean, patienceMs?: number): Promise<void>;
  /** Lets time pass until the newest snapshot is the fake chain's head. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/** A fake chain whose time is virtual. */
export type TimedChain = FakeChain & { readonly clock: VirtualClock };

export function createTimedChain(options: {
  readonly seed: number;
  readonly pairs?: number;
  readonly dust?: boolean;
}): TimedChain {
  const clock = createVirtualClock(GENESIS_MS);
  return createFakeChain({ ...options, clock }) as TimedChain;
}

/** Follows a fake chain in its own time; every snapshot is compared with the truth as it is published. */
export async function follow(
  fake: TimedChain,
  options: {
    readonly auditedPerBlock?: number;
    readonly blockAgeMs?: number;
    readonly providers?: readonly Provider[];
    readonly quorum?: number;
    readonly proveLogs?: boolean;
    readonly dataDir?: string;
    readonly tokens?: readonly Token[];
    readonly searchAtOnce?: bigint | undefined;
    /** Nodes that the search for pools reads from. */
    readonly history?: readonly Provider[];
    readonly logger?: Logger;
    /** Followed beside the chain's own. */
    readonly sources?: readonly LiquiditySource[];
  } = {},
): Promise<Following> {
  const { clock } = fake;
  const starting = startChain({
    record: fake.record,
    rpcUrls: [],
    providers: options.providers ?? [fake.provider],
    ...(options.history && { historyProviders: options.history }),
    ...(options.quorum === undefined ? {} : { quorum: options.quorum }),
    proveLogs: options.proveLogs ?? false,
    sources: [...createSources(fake.record), ...(options.sources ?? [])],
    tokens: options.tokens ?? [],
    ...(options.searchAtOnce === undefined ? {} : { searchAtOnce: options.searchAtOnce }),
    freshness: { confirmedWithinMs: 10_000, blockAgeMs: options.blockAgeMs },
    logger: options.logger ?? createLogger("silent"),
    explainRevert: (data) => data,
    auditedPerBlock: options.auditedPerBlock ?? 2,
    clock,
    keeper: options.dataDir === undefined ? undefined : keeperIn(options.dataDir, fake),
    catalog: catalogIn(options.dataDir, fake),
  });
  const chain = await inTime(clock, starting);
  const published: Snapshot[] = [];
  const wrong: string[] = [];
  chain.onSnapshot((snapshot) => {
    published.push(snapshot);
    wrong.push(...differences(snapshot, fake));
  });
  return {
    chain,
    published,
    wrong,
    until: clock.until,
    caughtUp: () => clock.until(() => chain.status().head?.hash === fake.head.hash && isServed(chain)),
    stop: () => inTime(clock, chain.stop()),
  };
}

/** It gives others their turn in the machine's time. */
function catalogIn(folder: string | undefined, { clock, record }: TimedChain): PoolCatalog {
  const catalog = openCatalog(folder, record.chainId, () => {});
  const begin = catalog.begin.bind(catalog);
  catalog.begin = (terms, awake) => clock.outside(begin(terms, awake));
  return catalog;
}

function keeperIn(folder: string, { clock, record }: TimedChain): StateKeeper {
  const keeper = createStateKeeper({ folder, record, clock, logger: createLogger("silent") });
  return {
    load: () => clock.outside(keeper.load()),
    keep: (state) => clock.outside(keeper.keep(state)),
    offer(take) {
      keeper.offer(take);
      void clock.outside(keeper.settled());
    },
    forget: keeper.forget,
    settled: () => clock.outside(keeper.settled()),
  };
}

/** Lets time pass until a promise settles. */
export async function inTime<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let settled = false;
  const end = () => {
    settled = true;
  };
  promise.then(end, end);
  await clock.until(() => settled);
  return promise;
}

const PATIENCE_MS = 30_000;

/** Settles once `holds`, in the machine's time; it is a failure of the test when that does not come about. */
export async function until(holds: () => boolean, patienceMs = PATIENCE_MS): Promise<void> {
  const giveUpAt = Date.now() + patienceMs;
  while (!holds()) {
    if (Date.now() > giveUpAt) throw new Error("waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

export function isServed(chain: Chain): boolean {
  return "snapshot" in chain.market.current();
}

/** Pairs of a snapshot that differ from their block. */
function differences(snapshot: Snapshot, fake: FakeChain): readonly string[] {
  const truth = fake.block(snapshot.block.hash);
  if (truth === undefined) return [`no block ${snapshot.block.hash}`];
  const wrong: string[] = [];
  for (const [id, { tokens, reserves }] of truth.pairs) {
    const pool = snapshot.graph.pool(id);
    if (pool?.curve !== "constant-product") wrong.push(`${truth.number}: no pair ${id}`);
    else if (pool.state.reserves.join() !== reserves.join()) wrong.push(`${truth.number}: ${id} has other reserves`);
    for (const token of tokens) {
      if (!snapshot.graph.poolsOf(token).some((held) => held.id === id)) wrong.push(`${token} does not lead to ${id}`);
    }
  }
  const pairs = snapshot.sources.get("Fake_V2")?.pools;
  if (pairs !== truth.pairs.size) wrong.push(`${truth.number}: ${pairs} pairs instead of ${truth.pairs.size}`);
  return wrong;
}
