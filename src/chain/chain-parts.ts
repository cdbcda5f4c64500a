import { type Address, type Hex, isAddressText } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { PoolId } from "../domain/route.ts";
import type { Token } from "../domain/token.ts";
import type { EligibilityRule } from "../market/eligibility.ts";
import type { LiquiditySource } from "../market/liquidity-source.ts";
import { createMarket, type Freshness, freshnessFor, type Market } from "../market/market.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { Logger } from "../ops/logger.ts";
import type { AccountReader, PermitReader, TokenRegistry } from "../quoting/ports.ts";
import type { PoolTrial } from "../quoting/quote/pool-trial.ts";
import { type Audit, createAudit } from "./audit/audit.ts";
import { createPanel, type Panel } from "./audit/node-vote.ts";
import type { Follower } from "./blocks/follower.ts";
import { createFollower } from "./blocks/head-follower.ts";
import type { ChainRecord } from "./chains/chain-record.ts";
import { checkChainId } from "./node/node-check.ts";
import { createNodes, type Nodes } from "./node/nodes.ts";
import { createTrials, type Trials } from "./pools/pool-trials.ts";
import { createStandingSources, type StandingSources } from "./pools/standing-sources.ts";
import { type BlockMemory, createBlockMemory } from "./rpc/block-memory.ts";
import { type Clock, systemClock } from "./rpc/clock.ts";
import { createProvider, type Provider } from "./rpc/provider.ts";
import { createChainReader, type NodeReader } from "./rpc/reader.ts";
import { createAccountReader } from "./simulation/accounts.ts";
import { createPermitReader } from "./simulation/permits.ts";
import type { StateKeeper } from "./state/state-keeper.ts";
import { LOOKUP_LIMITS, type LookupLimits, TokenLookups } from "./tokens/token-lookups.ts";
import { createTokenProbe } from "./tokens/token-probe.ts";
import { createTokenRegistry } from "./tokens/token-registry.ts";
import { testTokensOf } from "./tokens/token-tests.ts";
import type { TokenTests } from "./tokens/token-verdicts.ts";

/** Which chain is followed, with which nodes, and what is done with it. */
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

const REQUEST_TIMEOUT_MS = 10_000;
const AUDITED_PER_BLOCK = 2;

/** What follows a chain, made in the order in which one part needs the other. */
export class ChainParts {
  readonly clock: Clock;
  readonly nodes: Nodes;
  readonly market: Market;
  readonly memory: BlockMemory;
  /** Reads from any node that is well; the follower and the sources read from the followed one. */
  readonly reader: NodeReader;
  readonly standing: StandingSources;
  readonly follower: Follower;
  readonly audit: Audit;
  readonly trials: Trials;
  readonly accounts: AccountReader;
  readonly permits: PermitReader;
  readonly registry: TokenRegistry;
  readonly verdicts: TokenTests;
  /** Resolves with the first snapshot. */
  readonly firstSnapshot: Promise<Snapshot>;
  readonly #options: ChainOptions;
  #newest: Snapshot | undefined;

  constructor(options: ChainOptions) {
    const { record, sources, logger, explainRevert } = options;
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    this.nodes = this.#createNodes();
    const proves = options.proveLogs ?? false;
    const panel = createPanel({ nodes: this.nodes, record, sources, clock: this.clock, proves });
    this.market = this.#createMarket();
    this.memory = createBlockMemory(({ number, hash }) => this.follower.canonicalHash(number) === hash);
    const canonicalHash = (number: bigint) => this.follower.canonicalHash(number);
    this.reader = createChainReader(this.nodes.any, record, { canonicalHash, memory: this.memory });
    const following = createChainReader(this.nodes.followed, record, { canonicalHash, memory: this.memory });
    this.standing = createStandingSources({
      ...{ sources, reader: following, logger },
      changed: (why) => this.follower.startOver(why, "announcements"),
    });
    this.follower = this.#createFollower(following, panel, proves);
    this.audit = this.#createAudit(panel);
    this.trials = this.#createTrials();
    this.firstSnapshot = this.#listen();
    this.accounts = createAccountReader(this.reader, record);
    this.permits = createPermitReader(this.reader, record.chainId);
    this.registry = this.#createRegistry();
    this.verdicts = testTokensOf({
      ...{ nodes: this.nodes, record, follower: this.follower, memory: this.memory, explainRevert, logger },
      now: this.clock.now,
      newest: () => this.#newest,
      head: () => this.#quotedBlock(),
    });
  }

  get newest(): Snapshot | undefined {
    return this.#newest;
  }

  /** Contracts of pools that hold a token. */
  *holdersOf(token: Address): Iterable<Address> {
    for (const pool of this.#newest?.graph.poolsOf(token) ?? []) if (isAddressText(pool.id)) yield pool.id as Address;
  }

  #createNodes(): Nodes {
    const { record, logger, quorum, keeper } = this.#options;
    return createNodes({
      ...{ providers: this.#options.providers ?? this.#connect(), record, clock: this.clock, logger },
      ...(quorum === undefined ? {} : { quorum }),
      mostForCallers: this.#options.mostForCallers,
      leaderLied: (what) => {
        keeper?.forget();
        this.follower.startOver(`The node that was followed lied about ${what}: everything is read anew.`, "nothing");
      },
    });
  }

  #connect(): readonly Provider[] {
    const { rpcUrls, wsUrls, logger } = this.#options;
    return rpcUrls.map((url, index) =>
      createProvider({ url, wsUrl: wsUrls?.[index], timeoutMs: REQUEST_TIMEOUT_MS, logger }),
    );
  }

  #createMarket(): Market {
    const { record, sources, eligibility, freshness } = this.#options;
    const announcing = new Set(sources.filter(({ creation }) => creation !== undefined).map(({ id }) => id));
    return createMarket({
      chainId: record.chainId,
      wrappedNative: record.wrappedNative,
      references: record.referenceTokens,
      mostTransactionGas: record.mostTransactionGas,
      eligibility,
      sources: sources.map(({ id }) => id),
      // A venue that announces pools has to have shown one that its factory names, before it counts as what it is said to be.
      isOff: (id) => this.standing.isOff(id) || (announcing.has(id) && this.market.pools.count(id) === 0),
      asleep: (id) => this.follower.asleep(id),
      freshness: freshness ?? freshnessFor(record.blockTimeMs),
      now: this.clock.now,
      elapsed: this.clock.elapsed,
    });
  }

  #createFollower(reader: NodeReader, panel: Panel, proves: boolean): Follower {
    const { record, sources, logger, tokens, keeper, searchAtOnce, pollIntervalMs } = this.#options;
    return createFollower({
      ...{ provider: this.nodes.followed, nodes: this.nodes, memory: this.memory, confirms: panel.confirms, proves },
      ...(keeper && { loadState: keeper.load, keepDiscovery: keeper.keep }),
      ...{ reader, record, sources, market: this.market, logger, clock: this.clock },
      tokens: [record.wrappedNative, ...(record.referenceTokens ?? []), ...tokens.map(({ address }) => address)],
      ...(searchAtOnce === undefined ? {} : { searchAtOnce }),
      ...(pollIntervalMs === undefined ? {} : { pollIntervalMs }),
      usableSources: async (at) => {
        await checkChainId(this.nodes.followed, record);
        return this.standing.begin(at);
      },
    });
  }

  #createAudit(panel: Panel): Audit {
    const { record, sources, logger, auditedPerBlock = AUDITED_PER_BLOCK } = this.#options;
    return createAudit({
      reader: createChainReader(this.nodes.other, record, { memory: this.memory }),
      ...{ sources, follower: this.follower, market: this.market, logger, poolsPerBlock: auditedPerBlock, panel },
    });
  }

  #createTrials(): Trials {
    return createTrials({
      trial: this.#options.poolTrial ?? (async () => ({ kind: "unknown" })),
      ...{ market: this.market, memory: this.memory, clock: this.clock, logger: this.#options.logger },
      release: (id) => this.follower.repair([id]),
      exempt: (id) => this.follower.tracked(id)?.source.wrapsNative === true || this.#holdsKeptOut(id),
    });
  }

  #createRegistry(): TokenRegistry {
    const { record, tokens, lookups } = this.#options;
    return createTokenRegistry({
      lookups: new TokenLookups({
        probe: createTokenProbe(this.nodes.any, this.reader),
        head: () => this.#quotedBlock(),
        limits: { ...LOOKUP_LIMITS, ...lookups },
        ...{ memory: this.memory, clock: this.clock },
      }),
      ...{ tokens, record },
    });
  }

  /** Shows each snapshot to those that look at all; answers the first. */
  #listen(): Promise<Snapshot> {
    return new Promise((resolve) => {
      this.follower.onSnapshot((snapshot) => {
        this.#newest = snapshot;
        this.trials.look(snapshot);
        this.verdicts.look(snapshot);
        this.standing.look(snapshot.block);
        this.#options.keeper?.offer(() => this.follower.savedState());
        resolve(snapshot);
      });
    });
  }

  /** The block that is quoted from: what is read while there is none might be of a chain that is gone. */
  #quotedBlock(): BlockRef | undefined {
    const current = this.market.current();
    return "snapshot" in current ? current.snapshot.block : undefined;
  }

  /** Pools with a token that does not move exactly are at no fault themselves. */
  #holdsKeptOut(id: PoolId): boolean {
    return this.follower.tracked(id)?.ref.tokens.some((token) => this.verdicts.keptOut().has(token)) === true;
  }
}
