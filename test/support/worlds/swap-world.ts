import { type Chain, startChain } from "../../../src/chain/chain.ts";
import { createProvider, type Provider } from "../../../src/chain/rpc/provider.ts";
import { eligibilityOf } from "../../../src/compose/eligibility.ts";
import { deploySettlementOn } from "../../../src/devnet/contracts/deploy-settlement.ts";
import type { Address, Hex } from "../../../src/domain/address.ts";
import type { MakerRecord } from "../../../src/makers/maker-record.ts";
import { createMakers, type Makers } from "../../../src/makers/makers.ts";
import { marketWithMakers } from "../../../src/makers/market-with-makers.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { readConfig } from "../../../src/ops/config.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import type { Quoting, SwapRequest } from "../../../src/quoting/answer/answers.ts";
import type { SourceCatalog } from "../../../src/quoting/answer/route-view.ts";
import type { Settlement } from "../../../src/quoting/ports.ts";
import { createPoolTrial } from "../../../src/quoting/quote/pool-trial.ts";
import { createQuoting } from "../../../src/quoting/quoting.ts";
import { SEARCH_BUDGET } from "../../../src/quoting/search/search-budget.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import { settlementContracts } from "../../../src/settlement/contracts.ts";
import { makerOrderDigest } from "../../../src/settlement/maker-order-digest.ts";
import { createRevertReader } from "../../../src/settlement/revert-reason.ts";
import { createSettlement } from "../../../src/settlement/settlement.ts";
import { CODECS, createSources } from "../../../src/venues/index.ts";
import { startTestDevnet, type TestDevnet } from "./devnet.ts";

/** The whole service behind its door, over a devnet that is mined by hand. */
export interface SwapWorld {
  readonly devnet: TestDevnet;
  readonly chain: Chain;
  readonly quoting: Quoting;
  readonly settlement: Settlement;
  readonly sources: SourceCatalog;
  /** None unless there are some among the options. */
  readonly makers: Makers;
  /** Price and quote with the context of a patient caller. */
  quote(request: SwapRequest): ReturnType<Quoting["quote"]>;
  price(request: SwapRequest): ReturnType<Quoting["price"]>;
  /** Lets the market catch up with the node's head and answers the snapshot of it. Otherwise it sees no new block. */
  follow(): Promise<Snapshot>;
  stop(): Promise<void>;
}

/** The market looks at the node when it is told to, so that a test can run transactions and take them back unseen. */
const NEVER_MS = 2 ** 30;

export async function startSwapWorld(
  options: {
    /** Asked once the settlement contracts stand. */
    readonly makers?: (devnet: TestDevnet) => Promise<readonly MakerRecord[]>;
    /** 400 by default. */
    readonly makerDeadlineMs?: number;
    /** The node as the service sees it; by default as it is. */
    readonly node?: (node: Provider) => Provider;
    /** Time as makers' records and the age of their levels see it, milliseconds; the machine's by default. */
    readonly elapsed?: () => number;
    /** Routes may lead over any token, also over one that was made a moment ago; by default as for users. */
    readonly everyTokenIsHop?: true;
  } = {},
): Promise<SwapWorld> {
  const devnet = await startTestDevnet();
  await deploySettlementOn(devnet);
  const makerRecords = (await options.makers?.(devnet)) ?? [];
  const logger = createLogger("warn");
  const { record, provider, poke } = { record: devnet.chain, ...pokedProvider(devnet.rpcUrl, logger, options.node) };
  const sources = createSources(record);
  const reverts = createRevertReader(sources);
  const chain = await startChain({
    record,
    rpcUrls: [],
    providers: [provider],
    sources,
    tokens: devnet.tokens,
    ...(options.everyTokenIsHop !== true && {
      eligibility: eligibilityOf(readConfig({}), record, devnet.tokens, sources),
    }),
    freshness: { confirmedWithinMs: NEVER_MS, blockAgeMs: undefined },
    pollIntervalMs: NEVER_MS,
    logger,
    explainRevert: reverts.reason,
    poolTrial: (pool, at) => poolTrial(pool, at),
  });
  await chain.firstSnapshot;
  const { chainId, wrappedNative } = record;
  const contracts = settlementContracts(wrappedNative);
  const orders = contracts.orders.address;
  const elapsed = options.elapsed ?? (() => performance.now());
  const makers = createMakers({
    records: makerRecords,
    check: {
      chainId,
      executor: contracts.executor.address,
      settlement: orders,
      digestOf: (order) => makerOrderDigest(order, chainId, orders),
      accounts: chain.accounts,
    },
    deadlineMs: options.makerDeadlineMs ?? 400,
    levelsMaxAgeMs: 5_000,
    elapsed,
    now: Date.now,
    logger: createLogger("silent"),
  });
  const catalog: SourceCatalog = new Map([...sources, ...makers.sources].map((source) => [source.id, source]));
  const settlement = createSettlement({ codecs: CODECS, wrappedNative, deployed: true, reverts });
  const poolTrial = createPoolTrial({ settlement, simulator: chain.simulator, sources: catalog });
  const quoting = createQuoting({
    market: marketWithMakers(chain.market, makers, elapsed),
    tokens: chain.registry,
    verdicts: chain.verdicts,
    sources: catalog,
    router: createRouter(),
    settlement,
    simulator: chain.simulator,
    accounts: chain.accounts,
    makers,
    config: { wrappedNative, quoteTtlSeconds: 120, budget: { ...SEARCH_BUDGET, maxHops: 4 } },
    now: Date.now,
  });
  const context = { requestId: "test", signal: new AbortController().signal };
  return {
    devnet,
    chain,
    quoting,
    settlement,
    sources: catalog,
    makers,
    quote: (request) => quoting.quote(request, context),
    price: (request) => quoting.price(request, context),
    async follow() {
      const { hash } = await devnet.rpc<{ hash: Hex }>("eth_getBlockByNumber", ["latest", false]);
      const now = chain.market.current();
      if ("snapshot" in now && now.snapshot.block.hash === hash) return now.snapshot;
      const seen = new Promise<Snapshot>((resolve) => {
        const stop = chain.onSnapshot((snapshot) => {
          if (snapshot.block.hash !== hash) return;
          stop();
          resolve(snapshot);
        });
      });
      poke();
      return seen;
    },
    async stop() {
      makers.stop();
      await chain.stop();
      await devnet.stop();
    },
  };
}

/** The node, whose head changes are announced by the test. */
function pokedProvider(
  url: string,
  logger: ReturnType<typeof createLogger>,
  seen = (node: Provider) => node,
): { provider: Provider; poke: () => void } {
  const inner = seen(createProvider({ url, timeoutMs: 30_000, logger }));
  const listeners = new Set<() => void>();
  const provider: Provider = {
    ...inner,
    onHeadHint(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    provider,
    poke: () => {
      for (const listener of listeners) listener();
    },
  };
}

/** Accounts that nobody else uses, the same in every run. */
export function testAccount(index: number): Address {
  return `0x${(0x7a6e_0000n + BigInt(index)).toString(16).padStart(40, "c")}` as Address;
}
