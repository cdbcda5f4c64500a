import { type Address, type Hex, isAddressText } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import { messageOf } from "../domain/message-of.ts";
import type { PoolId } from "../domain/route.ts";
import type { Token } from "../domain/token.ts";
import type { EligibilityRule } from "../market/eligibility.ts";
import type { LiquiditySource } from "../market/liquidity-source.ts";
import { createMarket, type Freshness, freshnessFor } from "../market/market.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { Logger } from "../ops/logger.ts";
import type { AccountReader, MarketView, Simulator, TokenRegistry, TokenVerdicts } from "../quoting/ports.ts";
import type { PoolTrial } from "../quoting/quote/pool-trial.ts";
import { createAudit } from "./audit/audit.ts";
import { createPanel } from "./audit/node-vote.ts";
import { createFollower, type FollowerStatus } from "./blocks/follower.ts";
import type { ChainRecord } from "./chains/chain-record.ts";
import { checkChainId, WrongChainError } from "./node/node-check.ts";
import { createNodes, type Nodes } from "./node/nodes.ts";
import { createTrials } from "./pools/pool-trials.ts";
import { createStandingSources } from "./pools/standing-sources.ts";
import { type BlockMemory, createBlockMemory } from "./rpc/block-memory.ts";
import { type Clock, systemClock } from "./rpc/clock.ts";
import { createProvider, type Provider } from "./rpc/provider.ts";
import { createChainReader, type NodeReader } from "./rpc/reader.ts";
import { createAccountReader } from "./simulation/accounts.ts";
import { createSimulator } from "./simulation/simulator.ts";
import type { StateKeeper } from "./state/state-keeper.ts";
import { LOOKUP_LIMITS, type LookupLimits, TokenLookups } from "./tokens/token-lookups.ts";
import { createTokenProbe } from "./tokens/token-probe.ts";
import { createTokenRegistry } from "./tokens/token-registry.ts";
import { testTokensOf } from "./tokens/token-tests.ts";
import type { TokenFigures } from "./tokens/token-verdicts.ts";

export interface ChainStatus extends FollowerStatus {
  /** Pools that are not quoted from, with the reason. */
  readonly quarantined: ReadonlyMap<PoolId, string>;
  readonly tokens: TokenFigures;
  /** Every node, in the order of the configuration. */
  readonly nodes: ReturnType<Nodes["status"]>;
  readonly audit: { readonly compared: number; readonly mismatched: number };
  /** Why nothing may be quoted; undefined when it may. */
  readonly unavailable: string | undefined;
}

/** One chain, followed: everything that the rest of the service knows of it. */
export interface Chain {
  readonly market: MarketView;
  readonly registry: TokenRegistry;
  /** What tokens say of themselves. Asking wakes no pool, unlike `registry`. */
  readonly tokens: Pick<TokenRegistry, "find">;
  readonly verdicts: TokenVerdicts;
  readonly simulator: Simulator;
  readonly accounts: AccountReader;
  readonly provider: Provider;
  readonly reader: NodeReader;
  /** What was read of contracts and outlives its block. */
  readonly memory: BlockMemory;
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

/** How a chain is followed. */
export interface ChainOptions {
  readonly record: ChainRecord;
  /** The nodes, most trusted first. */
  readonly rpcUrls: readonly string[];
  /** WebSockets of the same nodes, where they have one: `wsUrls[i]` belongs to `rpcUrls[i]`. */
  readonly wsUrls?: readonly string[] | undefined;
  /** Nodes that have to have a block before it is published; 1 by default. */
  readonly quorum?: number | undefined;
  readonly sources: readonly LiquiditySource[];
  /** What may lie on a route; everything by default. */
  readonly eligibility?: EligibilityRule | undefined;
  /** Tokens of the list: known without asking the node. */
  readonly tokens: readonly Token[];
  /** Whether every block's logs are proved by its receipts; they are not by default. */
  readonly proveLogs?: boolean;
  /** By default what the block time asks for (`freshnessFor`). */
  readonly freshness?: Freshness;
  readonly logger: Logger;
  /** What revert bytes say, in words. */
  readonly explainRevert: (data: Hex) => string;
  /** Tries a pool alone on the node; without it no pool is put aside because its swaps fail. */
  readonly poolTrial?: PoolTrial;
  readonly pollIntervalMs?: number;
  /** Blocks whose search for pools is waited for at the first start; a longer one goes on in the background. */
  readonly searchAtOnce?: bigint;
  readonly auditedPerBlock?: number;
  readonly maxSimulationsInFlight?: number;
  /** Requests for callers that are on their way to one node at a time. */
  readonly mostForCallers?: number;
  /** How many unknown addresses may be looked up as tokens at a time. */
  readonly lookups?: Partial<LookupLimits>;
  /** The nodes, when they are not to be reached at `rpcUrls`. */
  readonly providers?: readonly Provider[];
  readonly clock?: Clock;
  /** Where the state of the pools is kept; without, it is read anew with every start. */
  readonly keeper?: StateKeeper | undefined;
}

/**
 * Follows a chain. Resolves as soon as the node has been asked for its chain id once; the market is unavailable until
 * the first snapshot, and a node that does not answer is asked again for ever.
 * @throws WrongChainError when the node serves another chain.
 */
export async function startChain(options: ChainOptions): Promise<Chain> {
  const { record, logger, sources, keeper } = options;
  const clock = options.clock ?? systemClock;
  const { now } = clock;
  const nodes = createNodes({
    providers:
      options.providers ??
      options.rpcUrls.map((url, index) =>
        createProvider({ url, wsUrl: options.wsUrls?.[index], timeoutMs: REQUEST_TIMEOUT_MS, logger }),
      ),
    record,
    clock,
    logger,
    ...(options.quorum === undefined ? {} : { quorum: options.quorum }),
    mostForCallers: options.mostForCallers,
    leaderLied(what) {
      keeper?.forget();
      follower.startOver(`The node that was followed lied about ${what}: everything is read anew.`, "nothing");
    },
  });
  const proves = options.proveLogs ?? false;
  const panel = createPanel({ nodes, record, sources, clock, proves });
  const announcing = new Set(sources.filter(({ creation }) => creation !== undefined).map(({ id }) => id));
  const market = createMarket({
    chainId: record.chainId,
    wrappedNative: record.wrappedNative,
    references: record.referenceTokens,
    mostTransactionGas: record.mostTransactionGas,
    eligibility: options.eligibility,
    sources: sources.map(({ id }) => id),
    // A venue that announces pools has to have shown one that its factory names, before it counts as what it is said to be.
    isOff: (id) => standing.isOff(id) || (announcing.has(id) && market.pools.count(id) === 0),
    asleep: (id) => follower.asleep(id),
    freshness: options.freshness ?? freshnessFor(record.blockTimeMs),
    now,
    elapsed: clock.elapsed,
  });
  const canonicalHash = (number: bigint) => follower.canonicalHash(number);
  const memory = createBlockMemory(({ number, hash }) => follower.canonicalHash(number) === hash);
  const reader = createChainReader(nodes.any, record, { canonicalHash, memory });
  const following = createChainReader(nodes.followed, record, { canonicalHash, memory });
  const standing = createStandingSources({
    ...{ sources, reader: following, logger },
    changed: (why) => follower.startOver(why, "announcements"),
  });
  const follower = createFollower({
    provider: nodes.followed,
    nodes,
    memory,
    confirms: panel.confirms,
    proves,
    ...(keeper && { loadState: keeper.load, keepDiscovery: keeper.keep }),
    reader: following,
    record,
    sources,
    market,
    logger,
    clock,
    tokens: [record.wrappedNative, ...(record.referenceTokens ?? []), ...options.tokens.map(({ address }) => address)],
    ...(options.searchAtOnce === undefined ? {} : { searchAtOnce: options.searchAtOnce }),
    ...(options.pollIntervalMs === undefined ? {} : { pollIntervalMs: options.pollIntervalMs }),
    async usableSources(at) {
      await checkChainId(nodes.followed, record);
      return standing.begin(at);
    },
  });
  const audit = createAudit({
    reader: createChainReader(nodes.other, record, { memory }),
    sources,
    follower,
    market,
    logger,
    poolsPerBlock: options.auditedPerBlock ?? AUDITED_PER_BLOCK,
    panel,
  });
  const trials = createTrials({
    trial: options.poolTrial ?? (async () => ({ kind: "unknown" })),
    market,
    memory,
    release: (id) => follower.repair([id]),
    exempt: (id) => follower.tracked(id)?.source.wrapsNative === true || holdsKeptOut(id),
    clock,
    logger,
  });
  let newest: Snapshot | undefined;
  const firstSnapshot = new Promise<Snapshot>((resolve) => {
    follower.onSnapshot((snapshot) => {
      newest = snapshot;
      trials.look(snapshot);
      verdicts.look(snapshot);
      standing.look(snapshot.block);
      keeper?.offer(follower.savedState);
      resolve(snapshot);
    });
  });
  const accounts = createAccountReader(reader, record);
  /** The block that is quoted from: what is read while there is none might be of a chain that is gone. */
  function quotedBlock(): BlockRef | undefined {
    const current = market.current();
    return "snapshot" in current ? current.snapshot.block : undefined;
  }
  const lookups = new TokenLookups({
    probe: createTokenProbe(nodes.any, reader),
    head: quotedBlock,
    limits: { ...LOOKUP_LIMITS, ...options.lookups },
    memory,
    clock,
  });
  const registry = createTokenRegistry({ lookups, tokens: options.tokens, record });

  function* holdersOf(token: Address): Iterable<Address> {
    for (const pool of newest?.graph.poolsOf(token) ?? []) if (isAddressText(pool.id)) yield pool.id as Address;
  }
  const { explainRevert } = options;
  const verdicts = testTokensOf({
    ...{ nodes, record, follower, memory, explainRevert, now, logger },
    newest: () => newest,
    head: quotedBlock,
  });

  /** Pools with a token that does not move exactly are at no fault themselves. */
  function holdsKeptOut(id: PoolId): boolean {
    return follower.tracked(id)?.ref.tokens.some((token) => verdicts.keptOut().has(token)) === true;
  }

  try {
    await checkChainId(nodes.followed, record);
  } catch (error) {
    if (error instanceof WrongChainError) {
      nodes.close();
      throw error;
    }
    logger.warn({ reason: messageOf(error) }, "the node does not answer yet");
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
    registry: {
      ...registry,
      known(address) {
        follower.want(address);
        return registry.known(address);
      },
      find(address, account) {
        follower.want(address);
        return registry.find(address, account);
      },
    },
    tokens: registry,
    verdicts,
    simulator: createSimulator({
      provider: nodes.any,
      accounts,
      record,
      memory,
      logger,
      clock,
      explainRevert,
      holdersOf,
      ...(options.maxSimulationsInFlight === undefined ? {} : { maxInFlight: options.maxSimulationsInFlight }),
    }),
    accounts,
    provider: nodes.any,
    reader,
    memory,
    firstSnapshot,
    onSnapshot: follower.onSnapshot,
    gasPrice: () => newest?.gasPrice,
    status() {
      const current = market.current();
      return {
        ...follower.status(),
        nodes: nodes.status(),
        quarantined: market.quarantined(),
        tokens: verdicts.figures(),
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
      const ended = follower.stop();
      // Whatever still waits for a node ends with that: a first start may have hours of reading before it.
      nodes.close();
      await ended;
      const last = follower.savedState();
      if (last !== undefined) await keeper?.keep(last);
      await keeper?.settled();
      await audit.stop();
      await trials.stop();
      await verdicts.stop();
      await standing.stop();
    },
  };
}
