import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { VenueRecord } from "../../market/venue-record.ts";
import { addressOf, refAt } from "../address-as-id.ts";
import { listedAndReadWhole } from "../read-whole.ts";
import { syncPools } from "./sync.ts";

type Venue = Extract<VenueRecord, { protocol: "curve-stableswap" }>;

/**
 * Curve's plain stableswap pools and metapools, those that the record lists: their factories announce no addresses. Rates,
 * kills and the balances of rebasing tokens move without a log, so that whole pools are read again for every block. A
 * metapool trades its own two coins, one of which is another pool's share.
 */
export function curveStableswap(venue: Venue): LiquiditySource {
  const refs = venue.pools.map(({ address, coins, generation, basePool }) =>
    refAt(address, coins, { generation, ...(basePool && { basePool }) }),
  );
  return {
    id: venue.source,
    kind: "amm",
    exactOut: false,
    assurance: "modelled",
    ...listedAndReadWhole(refs, (chain, wanted, at) => syncPools(venue.source, chain, wanted, at)),
    action: (pool, { sellToken, buyToken }) => ({
      action: "curve-pool",
      pool: addressOf(pool),
      sell: pool.tokens.indexOf(sellToken),
      buy: pool.tokens.indexOf(buyToken),
    }),
    fillData: (pool) => ({ poolAddress: addressOf(pool), coins: pool.tokens.join() }),
  };
}
