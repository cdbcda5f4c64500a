import type { Address } from "../../domain/address.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { VenueRecord } from "../../market/venue-record.ts";
import { addressOf, refAt } from "../address-as-id.ts";
import { keepUnmoved } from "../kept.ts";
import { inSlices } from "../slices.ts";
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
  const generations = new Map(refs.map(({ id, terms }) => [id, terms]));
  return {
    id: venue.source,
    kind: "amm",
    exactOut: false,
    assurance: "modelled",
    fixed: () => refs,
    stateTopics: [],
    sync: (chain, wanted, at) => inSlices(wanted, (slice) => syncPools(venue.source, chain, slice, at)),
    async refresh(chain, pools, at) {
      const wanted = pools.map(({ id, tokens }) => {
        return { id, address: id as Address, tokens, terms: generations.get(id) ?? {} };
      });
      return keepUnmoved(pools, await inSlices(wanted, (slice) => syncPools(venue.source, chain, slice, at)));
    },
    apply: (pool) => pool,
    action: (pool, { sellToken, buyToken }) => ({
      action: "curve-pool",
      pool: addressOf(pool),
      sell: pool.tokens.indexOf(sellToken),
      buy: pool.tokens.indexOf(buyToken),
    }),
    fillData: (pool) => ({ poolAddress: addressOf(pool), coins: pool.tokens.join() }),
  };
}
