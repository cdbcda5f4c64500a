import type { SwapOrder } from "../../domain/order.ts";
import type { SourceId } from "../../domain/source.ts";
import { isMakers, type Pool, servesExactOut } from "../../pools/pool.ts";
import { exclusionOf } from "../answer/route-limits.ts";
import type { PoolFilter } from "./route-search.ts";
import { holdsKeptOut, isPoolOff } from "./switched-off.ts";

/** Whether a search for an order may use a pool. */
export function allowedBy(filter: PoolFilter, order: SwapOrder): (pool: Pool) => boolean {
  const { off, keptOut, without, withoutMakers = false } = filter;
  const isExcluded = filter.limits === undefined ? () => false : exclusionOf(filter.limits);
  const names = named(filter.sources);
  const isSource = (source: SourceId) => names === undefined || names.has(source) === (filter.sources.kind === "only");
  return (pool) =>
    isSource(pool.source) &&
    !without.has(pool.id) &&
    !isExcluded(pool) &&
    !(withoutMakers && isMakers(pool)) &&
    !isPoolOff(pool, off) &&
    !holdsKeptOut(pool, keptOut, order) &&
    (order.kind === "exactIn" || servesExactOut(pool));
}

function named(sources: PoolFilter["sources"]): ReadonlySet<SourceId> | undefined {
  return sources.kind === "all" ? undefined : new Set(sources.ids);
}
