import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressOf, refAt } from "../reading/address-as-id.ts";
import { listedAndReadWhole } from "../reading/read-whole.ts";
import type { CurveAction } from "./action.ts";
import { curveErrors } from "./errors.ts";
import type { CurveStableswapRecord } from "./record.ts";
import { syncPools } from "./sync.ts";

type Listed = CurveStableswapRecord["pools"][number];

/** Coins that a pool can have which takes amounts as an array of fixed length, for its share to be traded. */
const MOST_IN_ARRAY = 4;

/**
 * Curve's plain stableswap pools and metapools, those that the record lists: their factories announce no addresses. Rates,
 * kills and the balances of rebasing tokens move without a log, so that whole pools are read again for every block. A
 * metapool trades its own two coins, one of which is another pool's share; a pool's own share is one token more.
 */
export function curveStableswap(venue: CurveStableswapRecord): LiquiditySource {
  const refs = venue.pools.map((pool) => {
    const { address, coins, generation, basePool } = pool;
    const share = tradedShare(pool);
    const tokens = share === undefined ? coins : [...coins, share];
    return refAt(address, tokens, { generation, ...(basePool && { basePool }), ...(share && { share }) });
  });
  const listed = new Map(venue.pools.map((pool) => [pool.address, pool]));
  const coinsOf = (pool: Pool) => listed.get(addressOf(pool))?.coins ?? pool.tokens;
  return {
    id: venue.source,
    kind: "amm",
    exactOut: false,
    assurance: "modelled",
    errors: curveErrors,
    ...listedAndReadWhole(refs, (chain, wanted, at) => syncPools(venue.source, chain, wanted, at)),
    action(pool, { sellToken, buyToken }): CurveAction {
      const address = addressOf(pool);
      const coins = coinsOf(pool);
      const [sell, buy] = [pool.tokens.indexOf(sellToken), pool.tokens.indexOf(buyToken)];
      if (sell === coins.length) return { action: "curve-remove", pool: address, coin: buy };
      if (buy !== coins.length) return { action: "curve-pool", pool: address, sell, buy };
      const amounts = takesList(listed.get(address)) ? "list" : "array";
      return { action: "curve-add", pool: address, coin: sell, coins: coins.length, amounts };
    },
    fillData: (pool) => ({ poolAddress: addressOf(pool), coins: coinsOf(pool).join() }),
  };
}

/** Whether coins are added as a list: to pools of StableSwap-NG, but for its metapools. */
function takesList(pool: Pick<Listed, "generation" | "basePool"> | undefined): boolean {
  return pool?.generation === "ng" && pool.basePool === undefined;
}

function tradedShare(pool: Listed): Listed["share"] {
  return takesList(pool) || pool.coins.length <= MOST_IN_ARRAY ? pool.share : undefined;
}
