import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { CurveExchangeAction } from "../curve-stableswap/action.ts";
import { curveErrors } from "../curve-stableswap/errors.ts";
import { curveLists } from "../curve-stableswap/provider.ts";
import { addressOf, refAt } from "../reading/address-as-id.ts";
import { listedAndReadWhole } from "../reading/read-whole.ts";
import { listedCryptoswaps } from "./listed.ts";
import type { CurveCryptoswapRecord } from "./record.ts";
import { syncPools } from "./sync.ts";

/**
 * Curve's twocrypto-NG and tricrypto-NG pools, and tricrypto pools before: those that the record lists, and those of the
 * factories and registries that it names. Their internal prices
 * move with exchanges and by averages over time, so that whole pools are read again for every block. Pools before NG pay who
 * calls them, as the executor expects of all.
 */
export function curveCryptoswap(venue: CurveCryptoswapRecord): LiquiditySource {
  const refs = venue.pools.map(({ address, coins, generation }) =>
    refAt(address, coins, generation === undefined ? {} : { generation }),
  );
  const lists = curveLists(venue);
  return {
    id: venue.source,
    kind: "amm",
    exactOut: false,
    assurance: "modelled",
    errors: curveErrors,
    ...(lists && { listed: (chain, known, at) => listedCryptoswaps(chain, lists, known, at) }),
    ...listedAndReadWhole(refs, (chain, wanted, at, reportUnserved = () => {}) =>
      syncPools(venue.source, { chain, at, reportUnserved }, wanted),
    ),
    action: (pool, { sellToken, buyToken }): CurveExchangeAction => ({
      action: "curve-crypto-pool",
      pool: addressOf(pool),
      sell: pool.tokens.indexOf(sellToken),
      buy: pool.tokens.indexOf(buyToken),
    }),
    fillData: (pool) => ({ poolAddress: addressOf(pool), coins: pool.tokens.join() }),
  };
}
