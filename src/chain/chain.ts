import { messageOf } from "../domain/message-of.ts";
import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import type { SwitchedOff } from "../domain/switches.ts";
import type { LeftOut } from "../market/eligibility.ts";
import { PastBlocks } from "../market/past-blocks.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type {
  AccountReader,
  MarketView,
  PermitReader,
  Simulator,
  TokenRegistry,
  TokenVerdicts,
  TradeRunner,
} from "../quoting/ports.ts";
import type { FollowerStatus } from "./blocks/follower.ts";
import { createSnapshotListeners } from "./blocks/snapshot-listeners.ts";
import type { ChainOptions } from "./chain-options.ts";
import { ChainParts } from "./chain-parts.ts";
import type { Fleet } from "./fleet/fleet.ts";
import { checkChainId, WrongChainError } from "./node/node-check.ts";
import type { Nodes } from "./node/nodes.ts";
import type { BlockMemory } from "./rpc/block-memory.ts";
import type { Provider } from "./rpc/provider.ts";
import type { NodeReader } from "./rpc/reader.ts";
import { createSimulator } from "./simulation/simulator.ts";
import { createTradeRunner } from "./simulation/trade-runner.ts";
import type { TokenFigures } from "./tokens/token-verdicts.ts";

export interface ChainStatus extends FollowerStatus {
  /** Pools that are not quoted from, with the reason. */
  readonly quarantined: ReadonlyMap<PoolId, string>;
  /** Sources that are off, with the reason. */
  readonly sourcesOff: ReadonlyMap<SourceId, string>;
  readonly tokens: TokenFigures;
  /** Every node, in the order of the configuration. */
  readonly nodes: ReturnType<Nodes["status"]>;
  readonly audit: { readonly compared: number; readonly mismatched: number };
  /** Pools that take no part in routes, or not in all, by source and reason. */
  readonly leftOut: () => readonly (LeftOut & { readonly source: SourceId })[];
  /** Role and figures of this process in its fleet; absent if it runs alone. */
  readonly fleet?: ReturnType<Fleet["figures"]>;
  /** Why nothing may be quoted; undefined when it may. */
  readonly unavailable: string | undefined;
}

/** One chain, followed: everything that the rest of the service knows of it. */
export interface Chain {
  readonly market: MarketView;
  readonly registry: TokenRegistry;
  /** Tokens by their contracts' own answers. Unlike `registry`, a lookup wakes no pool. */
  readonly tokens: Pick<TokenRegistry, "find" | "known">;
  readonly verdicts: TokenVerdicts;
  readonly simulator: Simulator;
  /** Runs transactions once, also where the node has no eth_simulateV1. */
  readonly runner: TradeRunner;
  readonly accounts: AccountReader;
  readonly permits: PermitReader;
  readonly provider: Provider;
  readonly reader: NodeReader;
  /** Facts read from contracts that outlive their block. */
  readonly memory: BlockMemory;
  /** The newest blocks, as they were shown. */
  readonly past: Pick<PastBlocks, "at" | "held">;
  /** Resolves with the first snapshot. */
  readonly firstSnapshot: Promise<Snapshot>;
  onSnapshot(listener: (snapshot: Snapshot) => void): () => void;
  /** Calls `listener` with the newest block when it is shown otherwise than before, and before any caller sees it so. */
  onRenewed(listener: (snapshot: Snapshot) => void): () => void;
  /** Switches that the fleet's leader reports; undefined if this process follows the chain itself. */
  readonly switchedOffByLeader: () => SwitchedOff | undefined;
  /** Wei per gas as of the newest snapshot; undefined while there is none. */
  gasPrice(): bigint | undefined;
  status(): ChainStatus;
  /**
   * Reads pools of a snapshot (the newest by default) again at its block; those that differ are quarantined, read anew
   * and returned. @throws what the node failed with.
   */
  recheck(ids: readonly PoolId[], snapshot?: Snapshot): Promise<readonly PoolId[]>;
  /** Takes a pool out of this and all later snapshots, until the process ends or it is released. */
  quarantine(id: PoolId, reason: string): void;
  release(id: PoolId): void;
  stop(): Promise<void>;
}

/**
 * Follows a chain. Resolves as soon as the node has been asked for its chain id once; the market is unavailable until
 * the first snapshot, and a node that does not answer is asked again for ever.
 * @throws WrongChainError when the node serves another chain.
 */
export async function startChain(options: ChainOptions): Promise<Chain> {
  const parts = new ChainParts(options);
  const { nodes, follower } = parts;
  try {
    await checkChainId(nodes.followed, options.record);
  } catch (error) {
    if (error instanceof WrongChainError) {
      nodes.close();
      throw error;
    }
    options.logger.warn({ reason: messageOf(error) }, "the node does not answer yet");
  }
  follower.start();
  return chainOf(parts, options);
}

function chainOf(parts: ChainParts, options: ChainOptions): Chain {
  const { nodes, market, shown, reader, memory, follower, audit, accounts, permits, registry, verdicts } = parts;
  const newest = () => {
    const now = shown.current();
    return "snapshot" in now ? now.snapshot : undefined;
  };
  const renewed = createSnapshotListeners(options.logger);
  if (parts.fleet !== undefined) renewed.add(parts.fleet.follower.renewed);
  const past = new PastBlocks((blockNumber) => follower.canonicalHash(blockNumber), newest, renewed.tell);
  shown.onSnapshot((snapshot) => past.add(snapshot));
  return {
    market: {
      current() {
        const now = shown.current();
        // Facts found out about a block while it was the newest hold for it later.
        if ("snapshot" in now) past.renew(now.snapshot);
        return now;
      },
      sources: shown.sources,
      recheck: (ids) => parts.suspect(ids),
      hidden: market.quarantined,
      recordRoute: market.recordRoute,
    },
    registry: {
      ...registry,
      known(address) {
        parts.want(address);
        return registry.known(address);
      },
      find(address, account) {
        parts.want(address);
        return registry.find(address, account);
      },
    },
    ...{ tokens: registry, verdicts, accounts, permits, provider: nodes.any, reader, memory },
    simulator: createSimulator({
      ...{ provider: nodes.any, accounts, memory, logger: options.logger, clock: parts.clock },
      explainRevert: options.explainRevert,
      holdersOf: (token) => parts.holdersOf(token),
      ...(options.maxSimulationsInFlight === undefined ? {} : { maxInFlight: options.maxSimulationsInFlight }),
    }),
    runner: createTradeRunner({
      ...{ provider: nodes.any, accounts, memory },
      explainRevert: options.explainRevert,
      holdersOf: (token) => parts.holdersOf(token),
    }),
    past,
    firstSnapshot: parts.firstSnapshot,
    onSnapshot: (listener) => shown.onSnapshot(listener),
    onRenewed: renewed.add,
    switchedOffByLeader: () => (parts.fleet?.follower.isLeading === false ? parts.fleet.standby.off : undefined),
    gasPrice: () => parts.newest?.gasPrice,
    status: () => statusOf(parts),
    recheck: async (ids, snapshot = parts.newest) => (snapshot === undefined ? [] : audit.recheck(ids, snapshot)),
    quarantine: market.quarantine,
    release: (id) => follower.repair([id]),
    stop: () => stop(parts, options),
  };
}

function statusOf({ follower, fleet, nodes, market, shown, verdicts, audit }: ChainParts): ChainStatus {
  const [current, sources] = [shown.current(), shown.sources()];
  return {
    ...(fleet && { fleet: fleet.figures() }),
    ...follower.status(),
    nodes: nodes.status(),
    quarantined: market.quarantined(),
    sourcesOff: new Map(
      [...sources].flatMap(([id, { reason }]) => (reason === undefined ? [] : [[id, reason] as const])),
    ),
    tokens: verdicts.figures(),
    audit: audit.counts(),
    leftOut: () =>
      [...sources].flatMap(([source, state]) => {
        return (state.leftOut?.() ?? []).map((count) => ({ source, ...count }));
      }),
    unavailable: "unavailable" in current ? current.unavailable : undefined,
  };
}

async function stop(
  { follower, nodes, history, audit, trials, sourceTrials, verdicts, liveSources }: ChainParts,
  { keeper, catalog }: Pick<ChainOptions, "keeper" | "catalog">,
): Promise<void> {
  const ended = follower.stop();
  // This ends all pending requests to nodes: a first start may have hours of reading before it.
  nodes.close();
  history?.close();
  await ended;
  const last = follower.savedState();
  if (last !== undefined) await keeper?.keep(last);
  await keeper?.settled();
  await audit.stop();
  await trials.stop();
  await sourceTrials.stop();
  await verdicts.stop();
  await liveSources.stop();
  catalog?.close();
}
