import type { PoolId } from "../../domain/route.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressOf, refAt } from "./address-as-id.ts";
import { keepUnchanged } from "./keep-unchanged.ts";
import { inSlices } from "./slices.ts";

/**
 * Reads the whole state of pools at a block; those that cannot be read are left out, and `reportUnserved` may be told why. What
 * cannot have moved since those of them that are `held` were read need not be read again.
 */
type ReadPools = (
  ...args: [...Parameters<LiquiditySource["sync"]>, held?: ReadonlyMap<PoolId, Pool>]
) => ReturnType<LiquiditySource["sync"]>;

/**
 * The part of a source whose pools are read whole for every block, since no log tells all that moves in them. `refOf` gives
 * a pool's reference back; where it is left out, the address has to be the id and there are no terms.
 */
export function readWhole(
  read: ReadPools,
  refOf: (pool: Pool) => PoolRef = (pool) => refAt(addressOf(pool), pool.tokens),
): Pick<LiquiditySource, "stateTopics" | "apply"> & Required<Pick<LiquiditySource, "sync" | "refresh">> {
  const sync: ReadPools = (chain, refs, at, reportUnserved, held) =>
    inSlices(refs, (slice) => read(chain, slice, at, reportUnserved, held));
  return {
    stateTopics: [],
    sync: (chain, refs, at, reportUnserved) => sync(chain, refs, at, reportUnserved),
    async refresh(chain, pools, at) {
      const held = new Map(pools.map((pool) => [pool.id, pool]));
      return keepUnchanged(pools, await sync(chain, pools.map(refOf), at, undefined, held));
    },
    apply: (pool) => pool,
  };
}

/**
 * The part of a source of pools that nothing announces: `refs` are those of the record. References of others, which contracts
 * list, are kept from their first reading on.
 */
export function listedAndReadWhole(refs: readonly PoolRef[], read: ReadPools) {
  const byId = new Map(refs.map((ref) => [ref.id, ref]));
  const refOf = (pool: Pool) => byId.get(pool.id) ?? refAt(addressOf(pool), pool.tokens);
  const remembered: ReadPools = async (chain, wanted, at, reportUnserved, held) => {
    const pools = await read(chain, wanted, at, reportUnserved, held);
    const found = new Set(pools.map(({ id }) => id));
    for (const ref of wanted) if (found.has(ref.id)) byId.set(ref.id, ref);
    return pools;
  };
  return { fixed: () => refs, ...readWhole(remembered, refOf) };
}
