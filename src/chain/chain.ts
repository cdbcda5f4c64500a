import { messageOf } from "../domain/message-of.ts";
import type { PoolId } from "../domain/route.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type {
  AccountReader,
  MarketView,
  PermitReader,
  Simulator,
  TokenRegistry,
  TokenVerdicts,
} from "../quoting/ports.ts";
import type { FollowerStatus } from "./blocks/follower.ts";
import { type ChainOptions, ChainParts } from "./chain-parts.ts";
import { checkChainId, WrongChainError } from "./node/node-check.ts";
import type { Nodes } from "./node/nodes.ts";
import type { BlockMemory } from "./rpc/block-memory.ts";
import type { Provider } from "./rpc/provider.ts";
import type { NodeReader } from "./rpc/reader.ts";
import { createSimulator } from "./simulation/simulator.ts";
import type { StateKeeper } from "./state/state-keeper.ts";
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
  readonly permits: PermitReader;
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
  const { nodes, market, reader, memory, follower, audit, trials, accounts, permits, registry, verdicts } = parts;
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
    ...{ tokens: registry, verdicts, accounts, permits, provider: nodes.any, reader, memory },
    simulator: createSimulator({
      ...{ provider: nodes.any, accounts, record: options.record, memory, logger: options.logger, clock: parts.clock },
      explainRevert: options.explainRevert,
      holdersOf: (token) => parts.holdersOf(token),
      ...(options.maxSimulationsInFlight === undefined ? {} : { maxInFlight: options.maxSimulationsInFlight }),
    }),
    firstSnapshot: parts.firstSnapshot,
    onSnapshot: (listener) => follower.onSnapshot(listener),
    gasPrice: () => parts.newest?.gasPrice,
    status: () => statusOf(parts),
    recheck: async (ids, snapshot = parts.newest) => (snapshot === undefined ? [] : audit.recheck(ids, snapshot)),
    quarantine: market.quarantine,
    release: (id) => follower.repair([id]),
    stop: () => stop(parts, options.keeper),
  };
}

function statusOf({ follower, nodes, market, verdicts, audit }: ChainParts): ChainStatus {
  const current = market.current();
  return {
    ...follower.status(),
    nodes: nodes.status(),
    quarantined: market.quarantined(),
    tokens: verdicts.figures(),
    audit: audit.counts(),
    unavailable: "unavailable" in current ? current.unavailable : undefined,
  };
}

async function stop(
  { follower, nodes, audit, trials, verdicts, standing }: ChainParts,
  keeper: StateKeeper | undefined,
): Promise<void> {
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
}
