import type { Hex } from "../../domain/address.ts";
import { refuse, type SwapError } from "../../domain/errors/swap-error.ts";
import type { ViolationReason } from "../../domain/errors/violations.ts";
import type { PoolId } from "../../domain/route.ts";
import { onTop } from "../../market/indicative.ts";
import { isStateLog, movesSilently } from "../../market/liquidity-source.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { curveOf, type Pool } from "../../pools/pool.ts";
import type { SourceCatalog } from "../answer/route-view.ts";
import type { PendingLog } from "../answer/types.ts";

/** Pools that the overrides of one request may change. */
const MAX_POOLS = 32;

/** keccak256 of Transfer(address,address,uint256) and Approval(address,address,uint256): no pool's state follows from them. */
const OF_TOKENS: readonly (Hex | undefined)[] = [
  "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
  "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925",
];

/**
 * The market at a block after logs to come, as following the chain would apply them: for one request, and without makers. The
 * time stays that of the block.
 * @throws SwapError INVALID_PARAMETERS for a log of a contract that no price depends on, of a pool whose state no log tells, or
 * that cannot follow from its pool's state
 */
export function afterLogs(logs: readonly PendingLog[], snapshot: Snapshot, sources: SourceCatalog): Snapshot {
  const { block } = snapshot;
  const changed = new Map<PoolId, { readonly pool: Pool; readonly last: number }>();
  let counted = 0;
  for (const [at, log] of logs.entries()) {
    const known = poolOf(log, snapshot, sources);
    if (known === undefined) {
      if (OF_TOKENS.includes(log.topics[0])) continue;
      throw unknownContract(at, log, block.number);
    }
    const pool = changed.get(known.id)?.pool ?? known;
    const source = sources.get(pool.source);
    if (source?.apply === undefined || movesSilently(source, pool)) throw movesWithoutLogs(at, pool);
    if (!isStateLog(source, log)) continue;
    const asMined = { ...log, blockHash: block.hash, blockNumber: block.number, logIndex: at };
    const next = applied(() => source.apply?.(pool, asMined, block.timestamp) ?? "resync");
    if (next === "resync") throw cannotFollow(at, pool, block.number);
    changed.set(pool.id, { pool: next, last: at });
    counted += 1;
    if (changed.size > MAX_POOLS) {
      throw refusal("overrides", "OUT_OF_RANGE", `overrides change more than ${MAX_POOLS} pools. Send fewer logs.`);
    }
  }
  for (const { pool, last } of changed.values())
    if (curveOf(pool).impossible?.(pool.state) !== undefined) throw cannotFollow(last, pool, block.number);
  const overrides = { logs: counted, pools: [...changed.keys()] };
  return onTop(
    snapshot,
    overrides,
    Array.from(changed.values(), ({ pool }) => pool),
  );
}

/** The pool that a log is about: at its address, or named by it where one contract has many. */
function poolOf(log: PendingLog, { graph, block }: Snapshot, sources: SourceCatalog): Pool | undefined {
  const there = graph.pool(log.address);
  if (there !== undefined) return there;
  for (const source of sources.values()) {
    if (!isStateLog(source, log)) continue;
    const id = source.poolOf?.({ ...log, blockHash: block.hash, blockNumber: block.number, logIndex: 0 });
    const pool = id === undefined ? undefined : graph.pool(id);
    if (pool?.source === source.id) return pool;
  }
  return undefined;
}

/** A source that throws has met something that it does not understand. */
function applied(apply: () => Pool | "resync"): Pool | "resync" {
  try {
    return apply();
  } catch {
    return "resync";
  }
}

function unknownContract(at: number, { address }: PendingLog, blockNumber: bigint): SwapError {
  const field = `overrides[${at}]`;
  const what = `${field} is a log of ${address}, where no pool that logs tell of stands at block ${blockNumber}.`;
  return refusal(field, "UNKNOWN_CONTRACT", `${what} Leave it out if no price depends on it.`);
}

function movesWithoutLogs(at: number, { id, source }: Pool): SwapError {
  const field = `overrides[${at}]`;
  const what = `${field} changes the pool ${id} of ${source}, of which some moves without a log and is read from the node.`;
  return refusal(field, "UNKNOWN_CONTRACT", `${what} Leave out its logs, and name it in excludedPools.`);
}

function cannotFollow(at: number, { id }: Pool, blockNumber: bigint): SwapError {
  const field = `overrides[${at}]`;
  const what = `${field} cannot follow from the state of the pool ${id} at block ${blockNumber} and the logs before it.`;
  return refusal(field, "INVALID_LOG", `${what} Send all logs of the pool since that block, in their order.`);
}

function refusal(field: string, reason: ViolationReason, description: string): SwapError {
  return refuse("INVALID_PARAMETERS", description, { violations: [{ field, reason, description }] });
}
