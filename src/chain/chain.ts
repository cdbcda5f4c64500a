import { type Address, type Hex, isAddressText } from "../domain/address.ts";
import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import type { Token } from "../domain/token.ts";
import type { LiquiditySource } from "../market/liquidity-source.ts";
import { createMarket, type Freshness, freshnessFor } from "../market/market.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { Logger } from "../ops/logger.ts";
import type { PoolTrial } from "../quoting/pool-trial.ts";
import type { AccountReader, MarketView, Simulator, TokenRegistry } from "../quoting/ports.ts";
import { createAccountReader } from "./accounts.ts";
import { createAudit } from "./audit.ts";
import type { ChainRecord } from "./chains/chain-record.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createFollower, type FollowerStatus } from "./follower.ts";
import { checkChainId, sourcesWithCode, WrongChainError } from "./node-check.ts";
import { createProvider, type Provider } from "./provider.ts";
import { createChainReader, type NodeReader } from "./reader.ts";
import { createSimulator } from "./simulator.ts";
import { createTokenRegistry } from "./token-registry.ts";
import { createTrials } from "./trials.ts";

export interface ChainStatus extends FollowerStatus {
  /** Pools that are not quoted from, with the reason. */
  readonly quarantined: ReadonlyMap<PoolId, string>;
  readonly audit: { readonly compared: number; readonly mismatched: number };
  /** Why nothing may be quoted; undefined when it may. */
  readonly unavailable: string | undefined;
}

/** One chain, followed: everything that the rest of the service knows of it. */
export interface Chain {
  readonly market: MarketView;
  readonly registry: TokenRegistry;
  readonly simulator: Simulator;
  readonly accounts: AccountReader;
  readonly provider: Provider;
  readonly reader: NodeReader;
  /** Resolves with the first snapshot. */
  readonly firstSnapshot: Promise<Snapshot>;
  onSnapshot(listener: (snapshot: Snapshot) => void): () => void;
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

const REQUEST_TIMEOUT_MS = 10_000;
const AUDITED_PER_BLOCK = 2;

/**
 * Follows a chain. Resolves as soon as the node has been asked for its chain id once; the market is unavailable until
 * the first snapshot, and a node that does not answer is asked again for ever.
 * @throws WrongChainError when the node serves another chain.
 */
export async function startChain(options: {
  readonly record: ChainRecord;
  readonly rpcUrl: string;
  readonly wsUrl?: string | undefined;
  readonly sources: readonly LiquiditySource[];
  /** Tokens of the list: known without asking the node. */
  readonly tokens: readonly Token[];
  /** By default what the block time asks for (`freshnessFor`). */
  readonly freshness?: Freshness;
  readonly logger: Logger;
  /** What revert bytes say, in words. */
  readonly explainRevert: (data: Hex) => string;
  /** Tries a pool alone on the node; without it no pool is put aside because its swaps fail. */
  readonly poolTrial?: PoolTrial;
  readonly pollIntervalMs?: number;
  readonly auditedPerBlock?: number;
  readonly maxSimulationsInFlight?: number;
  /** The node, when it is not to be reached at `rpcUrl`. */
  readonly provider?: Provider;
  readonly clock?: Clock;
}): Promise<Chain> {
  const { record, logger, sources } = options;
  const clock = options.clock ?? systemClock;
  const { now } = clock;
  const provider =
    options.provider ??
    createProvider({ url: options.rpcUrl, wsUrl: options.wsUrl, timeoutMs: REQUEST_TIMEOUT_MS, logger });
  const off = new Set<SourceId>();
  const market = createMarket({
    chainId: record.chainId,
    wrappedNative: record.wrappedNative,
    sources: sources.map(({ id }) => id),
    isOff: (id) => off.has(id),
    freshness: options.freshness ?? freshnessFor(record.blockTimeMs),
    now,
  });
  const reader = createChainReader(provider, record, { canonicalHash: (number) => follower.canonicalHash(number) });
  const follower = createFollower({
    provider,
    reader,
    record,
    sources,
    market,
    logger,
    clock,
    ...(options.pollIntervalMs === undefined ? {} : { pollIntervalMs: options.pollIntervalMs }),
    async usableSources(at) {
      await checkChainId(provider, record);
      const usable = await sourcesWithCode(reader, sources, at, logger);
      off.clear();
      for (const source of sources) if (!usable.includes(source)) off.add(source.id);
      return usable;
    },
  });
  const audit = createAudit({
    reader,
    sources,
    follower,
    market,
    logger,
    poolsPerBlock: options.auditedPerBlock ?? AUDITED_PER_BLOCK,
  });
  const trials = createTrials({
    trial: options.poolTrial ?? (async () => ({ kind: "unknown" })),
    market,
    release: (id) => follower.repair([id]),
    exempt: (id) => follower.tracked(id)?.source.kind === "wrapper",
    clock,
    logger,
  });
  let newest: Snapshot | undefined;
  const firstSnapshot = new Promise<Snapshot>((resolve) => {
    follower.onSnapshot((snapshot) => {
      newest = snapshot;
      trials.look(snapshot);
      resolve(snapshot);
    });
  });
  const accounts = createAccountReader(reader, record);

  function* holdersOf(token: Address): Iterable<Address> {
    for (const pool of newest?.graph.poolsOf(token) ?? []) if (isAddressText(pool.id)) yield pool.id as Address;
  }

  try {
    await checkChainId(provider, record);
  } catch (error) {
    if (error instanceof WrongChainError) {
      provider.close();
      throw error;
    }
    logger.warn({ reason: error instanceof Error ? error.message : "unknown" }, "the node does not answer yet");
  }
  follower.start();

  return {
    market: {
      current: market.current,
      sources: market.sources,
      recheck(ids) {
        audit.suspect(ids);
        trials.accuse(ids);
      },
    },
    registry: createTokenRegistry({ reader, head: () => newest?.block, tokens: options.tokens, record, now }),
    simulator: createSimulator({
      provider,
      accounts,
      record,
      logger,
      explainRevert: options.explainRevert,
      holdersOf,
      ...(options.maxSimulationsInFlight === undefined ? {} : { maxInFlight: options.maxSimulationsInFlight }),
    }),
    accounts,
    provider,
    reader,
    firstSnapshot,
    onSnapshot: follower.onSnapshot,
    gasPrice: () => newest?.gasPrice,
    status() {
      const current = market.current();
      return {
        ...follower.status(),
        quarantined: market.quarantined(),
        audit: audit.counts(),
        unavailable: "unavailable" in current ? current.unavailable : undefined,
      };
    },
    async recheck(ids, snapshot = newest) {
      return snapshot === undefined ? [] : audit.recheck(ids, snapshot);
    },
    quarantine: market.quarantine,
    release(id) {
      follower.repair([id]);
    },
    async stop() {
      await follower.stop();
      await audit.stop();
      await trials.stop();
      provider.close();
    },
  };
}
