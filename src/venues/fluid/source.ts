import { toFunctionSelector } from "viem";
import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource, Listing } from "../../market/liquidity-source.ts";
import { mayPayOneLess } from "../../pools/fluid/swap.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressOf, refAt } from "../reading/address-as-id.ts";
import { readWhole } from "../reading/read-whole.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import { type FluidAction, ONE_MORE } from "./action.ts";
import { fluidErrors } from "./errors.ts";
import type { FluidRecord } from "./record.ts";
import { syncPools } from "./sync.ts";

const TOTAL = toFunctionSelector("totalDexes()");
const ADDRESS_OF = toFunctionSelector("getDexAddress(uint256)");
const TOKENS_OF = toFunctionSelector("getPoolTokens(address)");
/** A factory with more is none that is known. */
const MAX_POOLS = 10_000n;

/**
 * Fluid's DEX T1: pools whose reserves are smart collateral and smart debt on one Liquidity layer. The factory numbers them. All
 * of a pool is read again for every block, and what it pays is exact at that block.
 */
export function fluid(venue: FluidRecord): LiquiditySource {
  return {
    id: venue.source,
    kind: "amm",
    exactOut: true,
    assurance: "modelled",
    errors: fluidErrors,
    listed: (chain, known, at) => listedPools(venue, chain, { known, at }),
    ...readWhole((chain, refs, at, reportUnserved = () => {}) => syncPools(venue, refs, { chain, at, reportUnserved })),
    action: (pool): FluidAction => ({
      ...{ action: "fluid-pool", liquidity: venue.liquidity, pool: addressOf(pool) },
      ...{ token0: pool.tokens[0] as Address, digits: digitsOf(pool) },
    }),
    fillData: (pool) => ({ pool: pool.id, token0: pool.tokens[0] as Address }),
  };
}

/** Pools of the factory that are not known. @throws Error where it does not list them */
async function listedPools(
  { factory, resolver }: FluidRecord,
  chain: ChainReader,
  { known, at }: { readonly known: (id: PoolId) => boolean; readonly at: BlockRef },
): Promise<Listing> {
  const [answer] = await chain.calls([{ to: factory, data: TOTAL }], at);
  const total = uintAt(answer ?? "0x", 0);
  if (total === undefined || total > MAX_POOLS) throw new Error(`${factory} does not answer totalDexes()`);
  const numbers = Array.from({ length: Number(total) }, (_, index) => index + 1);
  const addresses = await chain.calls(
    numbers.map((number) => ({ to: factory, data: `${ADDRESS_OF}${wordOf(number)}` as const })),
    at,
  );
  const pools = addresses.map((word, index) => {
    const pool = addressAt(word ?? "0x", 0);
    if (pool === undefined) throw new Error(`${factory} does not answer getDexAddress(${index + 1})`);
    return pool;
  });
  const found = pools.filter((pool) => !known(pool));
  const tokens = await chain.calls(
    found.map((pool) => ({ to: resolver, data: `${TOKENS_OF}${wordOf(BigInt(pool))}` as const })),
    at,
  );
  const unserved = new Map<PoolId, "NOT_READABLE">();
  const refs = found.flatMap((pool, index) => {
    const [first, second] = [0, 1].map((word) => addressAt(tokens[index] ?? "0x", word));
    if (first !== undefined && second !== undefined && first < second) return [refAt(pool, [first, second])];
    // A contract of another kind, with a number of the same factory.
    unserved.set(pool, "NOT_READABLE");
    return [];
  });
  return { pools: refs, unserved };
}

/** Rounding of an exact output of both tokens, as an action tells it. */
function digitsOf(pool: Pool): readonly [number, number] {
  if (pool.curve !== "fluid") return [0, 0];
  const { state } = pool;
  const digits = (token: 0 | 1) => (mayPayOneLess(state, token) ? ONE_MORE : String(state.down[token]).length - 1);
  return [digits(0), digits(1)];
}
