import { type Address, isAddressText } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import { createMarket, freshnessFor, type Market } from "../market/market.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { AccountReader, MarketFeed, PermitReader, TokenRegistry } from "../quoting/ports.ts";
import { type Audit, createAudit } from "./audit/audit.ts";
import { createNodeVote, type NodeVote } from "./audit/node-vote.ts";
import type { Follower, FollowerOptions } from "./blocks/follower.ts";
import { createFollower } from "./blocks/head-follower.ts";
import type { ChainOptions } from "./chain-options.ts";
import { createFleet, type Fleet, type FleetOptions } from "./fleet/fleet.ts";
import { connect, historyNodes } from "./node/connect.ts";
import { checkChainId } from "./node/node-check.ts";
import { createNodes, type Nodes } from "./node/nodes.ts";
import { createLiveSources, type LiveSources } from "./pools/live-sources.ts";
import { createTrials, type Trials } from "./pools/pool-trials.ts";
import { createSourceTrials, type SourceTrials } from "./pools/source-trials.ts";
import { quarantinedOf } from "./pools/unserved-pools.ts";
import { type BlockMemory, createBlockMemory } from "./rpc/block-memory.ts";
import { type Clock, systemClock } from "./rpc/clock.ts";
import { parseHeaderOrNone, quantityParameter } from "./rpc/codec.ts";
import { createChainReader, type NodeReader } from "./rpc/reader.ts";
import { createAccountReader } from "./simulation/accounts.ts";
import { createPermitReader } from "./simulation/permits.ts";
import { termsOf } from "./state/state-keeper.ts";
import { LOOKUP_LIMITS, TokenLookups } from "./tokens/token-lookups.ts";
import { createTokenProbe } from "./tokens/token-probe.ts";
import { createTokenRegistry } from "./tokens/token-registry.ts";
import { testTokensOf } from "./tokens/token-tests.ts";
import type { TokenTests } from "./tokens/token-verdicts.ts";

const AUDITED_PER_BLOCK = 2;
/** Two pools of thousands of tick words take twenty requests (bench/chain/at-rest.ts). */
const AUDIT_EVERY_MS = 24_000;

/** Parts of a chain follower, created in the order of their dependencies. */
export class ChainParts {
  readonly clock: Clock;
  readonly nodes: Nodes;
  /** Nodes that keep old logs, where the search for pools has its own. */
  readonly history: Nodes | undefined;
  readonly market: Market;
  readonly memory: BlockMemory;
  /** Reads from any node that is well; the follower and the sources read from the followed one. */
  readonly reader: NodeReader;
  readonly liveSources: LiveSources;
  readonly follower: Follower;
  readonly audit: Audit;
  readonly trials: Trials;
  readonly sourceTrials: SourceTrials;
  readonly accounts: AccountReader;
  readonly permits: PermitReader;
  readonly registry: TokenRegistry;
  readonly verdicts: TokenTests;
  /** The fleet, if this process is one of several. */
  readonly fleet: Fleet | undefined;
  /** The market that answers are given from. */
  readonly shown: Pick<MarketFeed, "current" | "sources" | "onSnapshot">;
  /** Resolves with the first snapshot. */
  readonly firstSnapshot: Promise<Snapshot>;
  readonly #options: ChainOptions;
  #newest: Snapshot | undefined;

  constructor(options: ChainOptions) {
    const { record, sources, logger, explainRevert } = options;
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    this.nodes = this.#createNodes();
    this.history = historyNodes(options, this.clock);
    const panel = createNodeVote({
      nodes: this.nodes,
      record,
      sources,
      clock: this.clock,
      proves: options.proveLogs === true,
    });
    this.market = this.#createMarket();
    this.memory = createBlockMemory(({ number, hash }) => this.follower.canonicalHash(number) === hash);
    const canonicalHash = (number: bigint) => this.follower.canonicalHash(number);
    this.reader = createChainReader(this.nodes.any, record, { canonicalHash, memory: this.memory });
    const following = createChainReader(this.nodes.followed, record, { canonicalHash, memory: this.memory });
    this.liveSources = createLiveSources({
      ...{ sources, reader: following, logger },
      changed: (why) => this.follower.startOver(why, "announcements"),
    });
    const create = (load: FollowerOptions["loadState"]) => this.#createFollower(following, panel, load);
    this.fleet = options.fleet && this.#createFleet(options.fleet, create);
    this.follower = this.fleet?.follower ?? create(options.keeper?.load);
    this.shown = this.fleet?.follower.market ?? this.#alone();
    this.audit = this.#createAudit(panel);
    this.trials = this.#createTrials();
    this.sourceTrials = this.#createSourceTrials();
    this.firstSnapshot = this.#listen();
    this.accounts = createAccountReader(this.reader);
    this.permits = createPermitReader(this.reader, record.chainId);
    this.registry = this.#createRegistry();
    const tests = this.#createVerdicts(explainRevert);
    this.verdicts = this.fleet?.verdicts(tests) ?? tests;
  }

  #createVerdicts(explainRevert: ChainOptions["explainRevert"]): TokenTests {
    const { record, logger } = this.#options;
    return testTokensOf({
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
    const { record, logger, quorum, keeper, rpcUrls, wsUrls } = this.#options;
    const providers = this.#options.providers ?? connect(rpcUrls, { wsUrls, logger });
    return createNodes({
      ...{ providers, record, clock: this.clock, logger },
      ...(quorum === undefined ? {} : { quorum }),
      mostForCallers: this.#options.mostForCallers,
      leaderLied: (what) => {
        keeper?.forget();
        this.follower.startOver(`The node that was followed lied about ${what}: everything is read anew.`, "nothing");
      },
    });
  }

  #createMarket(): Market {
    const { record, sources, eligibility, freshness } = this.#options;
    const unservedOf = (id: SourceId) => {
      const source = sources.find((each) => each.id === id);
      return source === undefined ? [] : [...this.follower.unserved(source), ...quarantinedOf(id, this.market)];
    };
    return createMarket({
      chainId: record.chainId,
      wrappedNative: record.wrappedNative,
      references: record.referenceTokens,
      mostTransactionGas: record.mostTransactionGas,
      eligibility,
      // The verdicts are made after the market, and nothing is quoted before.
      taxes: () => this.verdicts.taxes(),
      sources: sources.map(({ id }) => id),
      offReason: (id) => this.#offReason(id),
      asleep: (id) => this.follower.asleep(id),
      unserved: unservedOf,
      freshness: freshness ?? freshnessFor(record.blockTimeMs),
      now: this.clock.now,
      elapsed: this.clock.elapsed,
    });
  }

  /** A market that one process alone follows the chain for. */
  #alone(): ChainParts["shown"] {
    const { current, sources } = this.market;
    return { current, sources, onSnapshot: (listener) => this.follower.onSnapshot(listener) };
  }

  #createFleet(place: FleetOptions, create: (load: FollowerOptions["loadState"]) => Follower): Fleet {
    const { record, sources, freshness, keeper, logger } = this.#options;
    return createFleet(place, {
      ...{ market: this.market, memory: this.memory, sources, clock: this.clock, logger, create },
      freshness: freshness ?? freshnessFor(record.blockTimeMs),
      isOff: (id) => this.#offReason(id) !== undefined,
      answering: {
        want: (token) => this.follower.want(token),
        recheck: (ids) => this.suspect(ids),
        test: (tokens) => void this.verdicts.test(tokens),
      },
      loadKept: keeper?.load,
      isCanonical: async ({ number, hash }) => {
        const asked = [quantityParameter(number), false] as const;
        const header = parseHeaderOrNone(await this.nodes.followed.request("eth_getBlockByNumber", asked));
        return header?.hash === hash;
      },
    });
  }

  /** Somebody asks for a token. */
  want(token: Address): void {
    (this.fleet?.asked() ?? this.follower).want(token);
  }

  /** A route over these pools failed. */
  suspect(ids: readonly PoolId[]): void {
    const asked = this.fleet?.asked();
    if (asked !== undefined) asked.recheck(ids);
    else {
      this.audit.suspect(ids);
      this.trials.accuse(ids);
    }
  }

  #offReason(id: SourceId): string | undefined {
    if (this.liveSources.isOff(id)) return "there is no contract where the chain's record says";
    // A venue that announces pools has to have shown one that its factory names, before it counts as what it is said to be.
    const isAnnouncing = this.#options.sources.some((source) => source.id === id && source.creation !== undefined);
    const isUnconfirmed = isAnnouncing && this.market.pools.count(id) === 0;
    return isUnconfirmed ? "no pool was found that its factory confirms" : undefined;
  }

  #createFollower(reader: NodeReader, panel: NodeVote, load: FollowerOptions["loadState"]): Follower {
    const { record, sources, logger, tokens, keeper, searchAtOnce, pollIntervalMs, proveLogs } = this.#options;
    return createFollower({
      ...{ provider: this.nodes.followed, nodes: this.nodes, memory: this.memory, confirms: panel.confirms },
      proves: proveLogs === true,
      ...(load && { loadState: load }),
      ...(keeper && { keepDiscovery: keeper.keep }),
      ...{ catalog: this.#options.catalog, terms: new Map(sources.map(({ id }) => [id, termsOf(record)(id)])) },
      ...{ reader, record, sources, market: this.market, logger, clock: this.clock },
      patient: createChainReader(this.nodes.patient, record, { memory: this.memory, clock: this.clock }),
      history: createChainReader((this.history ?? this.nodes).patient, record, { clock: this.clock }),
      tokens: [record.wrappedNative, ...(record.referenceTokens ?? []), ...tokens.map(({ address }) => address)],
      ...(searchAtOnce === undefined ? {} : { searchAtOnce }),
      ...(pollIntervalMs === undefined ? {} : { pollIntervalMs }),
      usableSources: async (at) => {
        await checkChainId(this.nodes.followed, record);
        return this.liveSources.begin(at);
      },
    });
  }

  #createAudit(panel: NodeVote): Audit {
    const { record, sources, logger, auditedPerBlock = AUDITED_PER_BLOCK } = this.#options;
    return createAudit({
      reader: createChainReader(this.nodes.other, record, { memory: this.memory }),
      ...{ sources, follower: this.follower, market: this.market, logger, poolsPerBlock: auditedPerBlock, panel },
      // A configured number of audited pools is audited with every block; otherwise the audit is spaced in time.
      ...(this.#options.auditedPerBlock === undefined && { spacing: { ms: AUDIT_EVERY_MS, clock: this.clock } }),
    });
  }

  #createTrials(): Trials {
    return createTrials({
      trial: this.#options.poolTrial ?? (async () => ({ kind: "unknown" })),
      ...{ market: this.market, memory: this.memory, clock: this.clock, logger: this.#options.logger },
      release: (id) => this.follower.repair([id]),
      exempt: (id) => this.follower.tracked(id)?.source.wrapsNative === true || this.#holdsKeptOut(id),
      isTakenAtWord: (id) => this.follower.tracked(id)?.source.ask !== undefined,
    });
  }

  #createSourceTrials(): SourceTrials {
    const { sources, poolTrial, logger } = this.#options;
    return createSourceTrials({
      trial: poolTrial ?? (async () => ({ kind: "unknown" })),
      sources,
      exempt: (id) => this.#holdsKeptOut(id),
      ...{ market: this.market, clock: this.clock, logger },
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
      this.shown.onSnapshot((snapshot) => {
        this.#newest = snapshot;
        resolve(snapshot);
      });
      this.follower.onSnapshot((snapshot) => {
        for (const part of [this.trials, this.sourceTrials, this.verdicts]) part.look(snapshot);
        this.liveSources.look(snapshot.block);
        this.#options.keeper?.offer(() => this.follower.savedState());
      });
    });
  }

  /** The block that is quoted from: what is read while there is none might be of a chain that is gone. */
  #quotedBlock(): BlockRef | undefined {
    const current = this.shown.current();
    return "snapshot" in current ? current.snapshot.block : undefined;
  }

  /** Pools with a token that does not move exactly are at no fault themselves. */
  #holdsKeptOut(id: PoolId): boolean {
    return this.follower.tracked(id)?.ref.tokens.some((token) => this.verdicts.keptOut().has(token)) === true;
  }
}
