import type { PoolId } from "../../domain/route.ts";
import type { LiquiditySource, PoolRef, Reading } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressOf, refAt } from "./address-as-id.ts";
import { keepUnchanged } from "./keep-unchanged.ts";
import { inSlices } from "./slices.ts";

/** Reads the whole state of pools at a block; those that cannot be read are left out, and `reportUnserved` may be told why. */
type ReadPools = LiquiditySource["sync"];

/** Reads pools again: what cannot have moved since those that are `held` were read may be taken from them. */
type ReadAgain = (
  reading: Pick<Reading, "chain" | "at">,
  refs: readonly PoolRef[],
  held: ReadonlyMap<PoolId, Pool>,
) => Promise<readonly Pool[]>;

/**
 * The part of a source whose pools are read whole for every block, since no log tells all that moves in them. `refOf` gives
 * a pool's reference back; where it is left out, the address has to be the id and there are no terms.
 */
export function readWhole(
  read: ReadPools,
  refOf: (pool: Pool) => PoolRef = (pool) => refAt(addressOf(pool), pool.tokens),
  readAgain: ReadAgain = ({ chain, at }, refs) => read(chain, refs, at),
): Pick<LiquiditySource, "stateTopics" | "apply"> & Required<Pick<LiquiditySource, "sync" | "refresh">> {
  return {
    stateTopics: [],
    sync: (chain, refs, at, reportUnserved) => inSlices(refs, (slice) => read(chain, slice, at, reportUnserved)),
    async refresh(chain, pools, at) {
      const held = new Map(pools.map((pool) => [pool.id, pool]));
      const reread = await inSlices(pools.map(refOf), (slice) => readAgain({ chain, at }, slice, held));
      return keepUnchanged(pools, reread);
    },
    apply: (pool) => pool,
  };
}

/**
 * The part of a source of pools that nothing announces: `refs` are those of the record. References of others, which contracts
 * list, are kept from their first reading on.
 */
export function listedAndReadWhole(refs: readonly PoolRef[], read: ReadPools, readAgain?: ReadAgain) {
  const byId = new Map(refs.map((ref) => [ref.id, ref]));
  const refOf = (pool: Pool) => byId.get(pool.id) ?? refAt(addressOf(pool), pool.tokens);
  const remembered: ReadPools = async (chain, wanted, at, reportUnserved) => {
    const pools = await read(chain, wanted, at, reportUnserved);
    const found = new Set(pools.map(({ id }) => id));
    for (const ref of wanted) if (found.has(ref.id)) byId.set(ref.id, ref);
    return pools;
  };
  return { fixed: () => refs, ...readWhole(remembered, refOf, readAgain) };
}
