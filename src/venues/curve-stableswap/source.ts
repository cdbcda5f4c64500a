import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressOf } from "../reading/address-as-id.ts";
import { listedAndReadWhole } from "../reading/read-whole.ts";
import type { CurveAction } from "./action.ts";
import { curveErrors } from "./errors.ts";
import { listedStableswaps, stableswapRef } from "./listed.ts";
import { curveLists } from "./provider.ts";
import type { CurveStableswapRecord } from "./record.ts";
import { syncPools } from "./sync.ts";

/**
 * Curve's plain stableswap pools and metapools: those that the record lists, and those of the factories and registries that
 * it names, which announce no addresses. Rates, kills and the balances of rebasing tokens move without a log, so that whole
 * pools are read again for every block. A metapool trades its own two coins, one of which is another pool's share; a pool's
 * own share is one token more.
 */
export function curveStableswap(venue: CurveStableswapRecord): LiquiditySource {
  const refs = venue.pools.map(({ address, coins, ...terms }) => stableswapRef(address, coins, terms));
  const lists = curveLists(venue);
  return {
    id: venue.source,
    kind: "amm",
    exactOut: false,
    assurance: "modelled",
    errors: curveErrors,
    ...(lists && { listed: (chain, known, at) => listedStableswaps(chain, lists, known, at) }),
    ...listedAndReadWhole(
      refs,
      (chain, wanted, at, reportUnserved = () => {}) => syncPools(venue.source, { chain, at, reportUnserved }, wanted),
      (reading, wanted, held) => syncPools(venue.source, { ...reading, reportUnserved: () => {} }, wanted, held),
    ),
    action(pool, { sellToken, buyToken }): CurveAction {
      const address = addressOf(pool);
      const coins = coinsOf(pool);
      const [sell, buy] = [pool.tokens.indexOf(sellToken), pool.tokens.indexOf(buyToken)];
      if (sell === coins) return { action: "curve-remove", pool: address, coin: buy };
      if (buy !== coins) return { action: "curve-pool", pool: address, sell, buy };
      return { action: "curve-add", pool: address, coin: sell, coins, amounts: takesList(pool) ? "list" : "array" };
    },
    fillData: (pool) => ({ poolAddress: addressOf(pool), coins: pool.tokens.slice(0, coinsOf(pool)).join() }),
  };
}

/** Number of coins: all tokens but the pool's own share. */
function coinsOf({ curve, state, tokens }: Pool): number {
  return curve === "stableswap" ? state.balances.length : tokens.length;
}

/** Whether coins are added as a list: to pools of StableSwap-NG, but for its metapools. */
function takesList({ curve, state }: Pool): boolean {
  return curve === "stableswap" && state.offpegFeeMultiplier !== undefined && state.basePool === undefined;
}
