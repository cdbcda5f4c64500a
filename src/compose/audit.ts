import type { Chain } from "../chain/chain.ts";
import type { ChainRecord } from "../chain/chains/chain-record.ts";
import { systemClock } from "../chain/rpc/clock.ts";
import { blockParameter, parseQuantity } from "../chain/rpc/codec.ts";
import type { Provider } from "../chain/rpc/provider.ts";
import { createChainReader } from "../chain/rpc/reader.ts";
import { createAccountReader } from "../chain/simulation/accounts.ts";
import { createTradeRunner, type NodeTradeRunner, type RunMethod } from "../chain/simulation/trade-runner.ts";
import { createStateKeeper } from "../chain/state/state-keeper.ts";
import { type Address, isAddressText } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { Token } from "../domain/token.ts";
import type { LiquiditySource } from "../market/liquidity-source.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { Config } from "../ops/config.ts";
import type { Logger } from "../ops/logger.ts";
import type { QuoteAnswer, SwapRequest } from "../quoting/answer/types.ts";
import { settlementCode } from "../settlement/contracts.ts";
import { createEngine, quotingConfig } from "./engine.ts";
import { followChain } from "./followed-chain.ts";
import { withoutNode } from "./snapshot-market.ts";

type RunRequest = Parameters<NodeTradeRunner["run"]>[0];

/** A chain that is followed, quotes over any of its snapshots, and a node that they are run on. Nothing is sent or written. */
export interface AuditEngine {
  readonly chain: Chain;
  readonly record: ChainRecord;
  readonly sources: ReadonlyMap<string, LiquiditySource>;
  /**
   * Runs transactions on the audited node, with the settlement contracts put there by state override. `unwrapped`: how much of
   * the wrapped native token the route makes native, at most.
   */
  run(request: RunRequest, unwrapped: bigint): ReturnType<NodeTradeRunner["run"]>;
  readonly runMethod: NodeTradeRunner["method"];
  /** The snapshot of the newest block. */
  newest(): Snapshot;
  /** A quote over one snapshot that nothing was run for. @throws SwapError */
  quoteAt(snapshot: Snapshot, request: SwapRequest): Promise<QuoteAnswer>;
  stop(): Promise<void>;
}

/** Dependencies of an audit. */
interface AuditParts {
  readonly config: Config;
  readonly record: ChainRecord;
  readonly tokens: readonly Token[];
  /** Followed. */
  readonly node: Provider;
  /** Runs the quotes; the followed one where there is no other. */
  readonly runs?: Provider | undefined;
  readonly methods: readonly RunMethod[];
  readonly logger: Logger;
}

/** Resolves with the first snapshot. @throws WrongChainError when the node serves another chain */
export async function openAudit(parts: AuditParts): Promise<AuditEngine> {
  const { config, record, tokens, node, runs = node, methods, logger } = parts;
  const { wrappedNative } = record;
  const place = { record, rpcUrls: [], wsUrls: [], tokens };
  const { chain, sources, reverts } = await followChain(config, place, logger, {
    providers: [node],
    quorum: 1,
    // The service that keeps the state may be running.
    keeper: createStateKeeper({ folder: config.DATA_DIR, record, clock: systemClock, logger, readOnly: true }),
    lookups: { apartMs: 0 },
  });
  const catalog = new Map(sources.map((source) => [source.id, source]));
  let newest = await chain.firstSnapshot;
  chain.onSnapshot((snapshot) => {
    newest = snapshot;
  });
  let quoted = newest;
  const { quoting } = createEngine({
    market: { ...chain.market, current: () => ({ snapshot: quoted }) },
    tokens: chain.registry,
    verdicts: chain.verdicts,
    sources: catalog,
    simulator: withoutNode("an audit runs quotes by itself"),
    accounts: chain.accounts,
    deployment: { deployed: true },
    reverts,
    config: quotingConfig(config, record),
    now: Date.now,
  });
  const runner = createTradeRunner({
    ...{ provider: runs, accounts: createAccountReader(createChainReader(runs, record)), methods },
    explainRevert: reverts.reason,
    holdersOf: (token) => holdersIn(newest, token),
  });
  const code = settlementCode(wrappedNative);
  return {
    ...{ chain, record, sources: catalog, runMethod: runner.method },
    newest: () => newest,
    async run(request, unwrapped) {
      if (runs !== node && !(await hasBlock(runs, request.at))) return OTHER_NODE_BEHIND;
      const isLent = request.terms.sellToken === wrappedNative;
      if (isLent && (await isUnbacked(runs, { wrappedNative, unwrapped, at: request.at }))) return MORE_THAN_WRAPPED;
      return runner.run({ ...request, code });
    },
    quoteAt(snapshot, request) {
      // A quote takes its snapshot at once, and keeps it: whoever is asked next may take another one.
      quoted = snapshot;
      return quoting.quote(request, { requestId: "audit", signal: new AbortController().signal });
    },
    stop: chain.stop,
  };
}

const OTHER_NODE_BEHIND = { kind: "incomplete", reason: "the other node does not have the block" } as const;
const MORE_THAN_WRAPPED = { kind: "incomplete", reason: "more is unwrapped than is wrapped on this chain" } as const;

/**
 * Whether a route makes more native than the wrapped token's contract holds. An override lends the taker wrapped tokens that
 * nobody has paid for, so that only a sale of them can: what comes out of pools is backed.
 */
async function isUnbacked(
  node: Pick<Provider, "request">,
  { wrappedNative, unwrapped, at }: Pick<ChainRecord, "wrappedNative"> & Pick<RunRequest, "at"> & { unwrapped: bigint },
): Promise<boolean> {
  if (unwrapped === 0n) return false;
  const held = await node.request("eth_getBalance", [wrappedNative, blockParameter(at)]);
  return parseQuantity(held, "eth_getBalance") < unwrapped;
}

/** Most requests for a block that a node may receive a little later. */
const ASKED_FOR_BLOCK = 10;
const BETWEEN_ASKING_MS = 500;

/** Whether a node has a block, or gets it within seconds. */
async function hasBlock(node: Pick<Provider, "request">, { hash }: BlockRef): Promise<boolean> {
  for (let asked = 0; asked < ASKED_FOR_BLOCK; asked++) {
    if (asked > 0) await new Promise((resolve) => setTimeout(resolve, BETWEEN_ASKING_MS));
    if ((await node.request("eth_getBlockByHash", [hash, false]).catch(() => null)) !== null) return true;
  }
  return false;
}

function* holdersIn({ graph }: Snapshot, token: Address): Iterable<Address> {
  for (const { id } of graph.poolsOf(token)) if (isAddressText(id)) yield id as Address;
}
