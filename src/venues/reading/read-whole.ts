import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressOf, refAt } from "./address-as-id.ts";
import { keepUnmoved } from "./kept.ts";
import { inSlices } from "./slices.ts";

/** Reads the whole state of pools at a block; those that cannot be read are left out. */
type ReadPools = (chain: ChainReader, refs: readonly PoolRef[], at: BlockRef) => Promise<readonly Pool[]>;

/**
 * The part of a source whose pools are read whole for every block, since no log tells all that moves in them. `refOf` gives
 * a pool's reference back; where it is left out, the address has to be the id and there are no terms.
 */
export function readWhole(
  read: ReadPools,
  refOf: (pool: Pool) => PoolRef = (pool) => refAt(addressOf(pool), pool.tokens),
): Pick<LiquiditySource, "stateTopics" | "apply"> & Required<Pick<LiquiditySource, "sync" | "refresh">> {
  const sync: ReadPools = (chain, refs, at) => inSlices(refs, (slice) => read(chain, slice, at));
  return {
    stateTopics: [],
    sync,
    async refresh(chain, pools, at) {
      return keepUnmoved(pools, await sync(chain, pools.map(refOf), at));
    },
    apply: (pool) => pool,
  };
}

/** The same for pools that nothing announces: those that the record lists. */
export function listedAndReadWhole(refs: readonly PoolRef[], read: ReadPools) {
  const byId = new Map(refs.map((ref) => [ref.id, ref]));
  const refOf = (pool: Pool) => byId.get(pool.id) ?? refAt(addressOf(pool), pool.tokens);
  return { fixed: () => refs, ...readWhole(read, refOf) };
}
