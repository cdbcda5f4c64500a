import { inParallel } from "../chain/rpc/in-parallel.ts";
import { type Address, NATIVE_TOKEN } from "../domain/address.ts";
import type { Token } from "../domain/token.ts";
import type { LiquiditySource } from "../market/liquidity-source.ts";
import { createMarket } from "../market/market.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { SourceCatalog } from "../quoting/answer/route-view.ts";
import type { AccountReader, MarketView, Simulator, TokenRegistry } from "../quoting/ports.ts";
import type { SavedMarket } from "../snapshot/file.ts";

/** Tokens that the node is asked for at the same time. */
const AT_ONCE = 16;

/** A snapshot with what else a price is made of: names of tokens, and what its sources say of themselves and their pools. */
export function saveMarket(
  { chainId, block, gasPrice, mostGas, dataFee, graph }: Snapshot,
  options: {
    readonly wrappedNative: Address;
    /** As the chain's record has them. */
    readonly referenceTokens: readonly Address[] | undefined;
    readonly sources: SourceCatalog;
    readonly tokens: readonly Token[];
  },
): SavedMarket {
  const { sources } = options;
  return {
    chainId,
    block,
    gasPrice,
    mostGas,
    ...(dataFee && { dataFee }),
    wrappedNative: options.wrappedNative,
    referenceTokens: options.referenceTokens ?? graph.hubs(),
    ...(graph.hops && { hopTokens: hopsIn(graph, graph.hops) }),
    tokens: options.tokens,
    sources: [...sources.values()].map(({ id, kind, exactOut, assurance, wrapsNative }) => {
      return { id, kind, exactOut, assurance, ...(wrapsNative === true && { wrapsNative }) };
    }),
    pools: graph.all().map((pool) => ({ pool, fillData: sources.get(pool.source)?.fillData(pool) ?? {} })),
  };
}

/** The hops that pools of a graph hold, and the native token: those that no pool holds make no difference. */
function hopsIn(graph: Snapshot["graph"], hops: ReadonlySet<Address>): readonly Address[] {
  const held = new Set([NATIVE_TOKEN, ...graph.all().flatMap(({ tokens }) => tokens)]);
  return [...held].filter((token) => hops.has(token)).sort();
}

/** A saved market as quoting sees one: it never moves, is never too old, and has no node behind it. */
export interface OpenedMarket {
  readonly market: MarketView;
  readonly sources: SourceCatalog;
  readonly tokens: TokenRegistry;
  /** Runs nothing. */
  readonly simulator: Simulator;
  /** Knows nobody. */
  readonly accounts: AccountReader;
}

export function openMarket(saved: SavedMarket): OpenedMarket {
  const market = createMarket({
    chainId: saved.chainId,
    wrappedNative: saved.wrappedNative,
    references: saved.referenceTokens,
    mostTransactionGas: saved.mostGas,
    // Pools that the rule kept out are not in the file, and hops are those that it lists.
    ...(saved.hopTokens && { eligibility: { controllers: new Set(), listed: new Set(saved.hopTokens) } }),
    sources: saved.sources.map(({ id }) => id),
    freshness: { confirmedWithinMs: Number.POSITIVE_INFINITY, blockAgeMs: undefined },
    now: () => 0,
    elapsed: () => 0,
  });
  for (const { pool } of saved.pools) market.pools.set(pool.id, pool);
  market.publish(saved.block, saved.gasPrice, saved.dataFee);

  const fillData = new Map(saved.pools.map((entry) => [entry.pool.id, entry.fillData]));
  const sources = saved.sources.map((source): LiquiditySource => {
    return {
      ...source,
      stateTopics: [],
      sync: async () => [],
      apply: () => "resync",
      action() {
        throw new Error("a saved pool cannot be traded with");
      },
      fillData: (pool) => fillData.get(pool.id) ?? {},
    };
  });

  const byAddress = new Map(saved.tokens.map((token) => [token.address, token]));
  const known = (address: Address) => byAddress.get(address);
  return {
    market: { current: market.current, sources: market.sources, recheck: () => {}, recordRoute: () => {} },
    sources: new Map(sources.map((source) => [source.id, source])),
    tokens: {
      known,
      find: async (address) => known(address),
      async describe(address) {
        const token = known(address);
        if (token === undefined) throw new Error(`The snapshot does not tell of token ${address}. Take it anew.`);
        return token;
      },
      bySymbol: (symbol) => saved.tokens.filter((token) => token.symbol.toLowerCase() === symbol.toLowerCase()),
    },
    simulator: withoutNode("a saved market has no node"),
    accounts: { balanceAndAllowance: () => Promise.reject(new Error("a saved market has no accounts")) },
  };
}

/** Runs nothing, for this reason. */
export function withoutNode(reason: string): Simulator {
  return { simulate: async () => ({ kind: "incomplete", reason }) };
}

/** Every token of a snapshot as its contract tells of itself, the native one first. */
export async function snapshotTokens(snapshot: Snapshot, registry: TokenRegistry): Promise<readonly Token[]> {
  const tokens = [...new Set([NATIVE_TOKEN, ...snapshot.tokens])];
  return inParallel(tokens, AT_ONCE, (address) => registry.describe(address));
}
