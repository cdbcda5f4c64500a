import { type ImitatedProvider, startImitatedProvider } from "../../../fixtures/node/imitated-provider.ts";
import type { Traits } from "../../../fixtures/node/provider-traits.ts";
import type { Chain } from "../../../src/chain/chain.ts";
import type { ChainOptions } from "../../../src/chain/chain-options.ts";
import type { ChainRecord } from "../../../src/chain/chains/chain-record.ts";
import { startEngine } from "../../../src/compose/engine.ts";
import { NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { readConfig } from "../../../src/ops/config.ts";
import { endAll } from "../../../src/ops/end-all.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { createMetrics } from "../../../src/ops/metrics.ts";
import { FRACTION_ONE, type Quoting } from "../../../src/quoting/answer/types.ts";
import type { TestDevnet } from "./devnet.ts";
import { testAccount } from "./swap-world.ts";

/** The whole service behind its door, whose nodes are providers that imitate the real ones in front of a devnet. */
export interface ProviderWorld {
  readonly chain: Chain;
  readonly quoting: Quoting;
  readonly providers: readonly ImitatedProvider[];
  /** A quote of native tokens for another with a taker that holds nothing, as an answer or what it was refused with. */
  quoteNative(sellAmount?: bigint): ReturnType<Quoting["quote"]>;
  stop(): Promise<void>;
}

const NEVER_MS = 2 ** 30;
const POLL_MS = 100;

/** One provider for each of `traits`. Nothing ends when the test's devnet does: stop it before. */
export async function startProviderWorld(
  devnet: TestDevnet,
  traits: readonly Traits[],
  options: {
    readonly record?: ChainRecord;
    readonly following?: Partial<ChainOptions>;
    /** Whether the first snapshot is waited for; it is by default. */
    readonly isPatient?: boolean;
  } = {},
): Promise<ProviderWorld> {
  // A few pools: what is tried here is the node, not the venues.
  const few = devnet.chain.venues.filter(({ protocol }) => protocol === "uniswap-v2");
  const record = options.record ?? { ...devnet.chain, venues: few };
  const providers = await Promise.all(traits.map((each) => startImitatedProvider(devnet.rpcUrl, each, devnet.wsUrl)));
  const started: (() => Promise<void>)[] = providers.map(({ stop }) => stop);
  const { chain, quoting, deployment } = await startEngine({
    // A search thread costs as much as the rest of such a world.
    config: readConfig({ SEARCH_THREADS: "0" }),
    place: { record, rpcUrls: providers.map(({ url }) => url), wsUrls: [], tokens: devnet.tokens },
    makers: [],
    registry: createMetrics().registry,
    logger: createLogger("silent"),
    following: {
      freshness: { confirmedWithinMs: NEVER_MS, blockAgeMs: undefined },
      pollIntervalMs: POLL_MS,
      ...options.following,
    },
    onStarted: (stop) => started.push(stop),
  });
  if (options.isPatient !== false) await Promise.all([chain.firstSnapshot, deployment.firstLook]);
  return {
    chain,
    quoting,
    providers,
    async quoteNative(sellAmount = 10n ** 18n) {
      const buyToken = devnet.tokens.find(({ symbol }) => symbol === "USDH")!;
      const request = { ...REQUEST, sellToken: chain.registry.known(NATIVE_TOKEN)!, buyToken };
      const amount = { kind: "exactIn", sellAmount } as const;
      return quoting.quote({ ...request, amount }, { requestId: "test", signal: new AbortController().signal });
    },
    stop: () => endAll(started.reverse()),
  };
}

const REQUEST = {
  taker: testAccount(90),
  slippage: FRACTION_ONE / 100n,
  sources: { kind: "all" },
  skipValidation: false,
} as const;
