import type { Chain } from "../../../src/chain/chain.ts";
import type { ChainRecord } from "../../../src/chain/chains/chain-record.ts";
import { createProvider, type Provider } from "../../../src/chain/rpc/provider.ts";
import { startEngine } from "../../../src/compose/engine.ts";
import type { Address, Hex } from "../../../src/domain/address.ts";
import type { MakerRecord } from "../../../src/makers/maker-record.ts";
import type { Makers } from "../../../src/makers/makers.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { readConfig } from "../../../src/ops/config.ts";
import { endAll } from "../../../src/ops/end-all.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { createMetrics } from "../../../src/ops/metrics.ts";
import type { SourceCatalog } from "../../../src/quoting/answer/route-view.ts";
import type { Quoting, SwapRequest } from "../../../src/quoting/answer/types.ts";
import type { Settlement } from "../../../src/quoting/ports.ts";
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
    /** The chain's record as the service has it; by default the devnet's. */
    readonly record?: (record: ChainRecord, devnet: TestDevnet) => ChainRecord | Promise<ChainRecord>;
    /** Routes may lead over any token, also over one that was made a moment ago; by default as for users. */
    readonly everyTokenIsHop?: true;
  } = {},
): Promise<SwapWorld> {
  const devnet = await startTestDevnet("settled");
  const makerRecords = (await options.makers?.(devnet)) ?? [];
  const logger = createLogger("warn");
  const { provider, poke } = pokedProvider(devnet.rpcUrl, logger, options.node);
  // Threads search deeply what was asked for before, in every block: test/quoting/threads is about that, other worlds are not.
  const config = readConfig({ SEARCH_THREADS: "0", MAKER_DEADLINE_MS: String(options.makerDeadlineMs ?? 400) });
  const started: (() => Promise<void>)[] = [];
  const record = (await options.record?.(devnet.chain, devnet)) ?? devnet.chain;
  const { chain, quoting, settlement, catalog, makers, deployment } = await startEngine({
    config,
    place: { record, rpcUrls: [], wsUrls: [], tokens: devnet.tokens },
    makers: makerRecords,
    registry: createMetrics().registry,
    logger,
    following: {
      providers: [provider],
      freshness: { confirmedWithinMs: NEVER_MS, blockAgeMs: undefined },
      pollIntervalMs: NEVER_MS,
      ...(options.everyTokenIsHop === true && { eligibility: undefined }),
    },
    ...(options.elapsed && { elapsed: options.elapsed }),
    onStarted: (stop) => started.push(stop),
  });
  await Promise.all([chain.firstSnapshot, deployment.firstLook]);
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
      await endAll(started.reverse());
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
