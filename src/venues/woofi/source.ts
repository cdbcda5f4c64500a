import type { LiquiditySource } from "../../market/liquidity-source.ts";
import { readWhole } from "../reading/read-whole.ts";
import type { WoofiAction } from "./action.ts";
import { woofiErrors } from "./errors.ts";
import type { WoofiRecord } from "./record.ts";
import { syncPool } from "./sync.ts";
import { listedPool, refOf, tokensCall } from "./tokens.ts";

/**
 * WOOFi's pool, one on each chain, with the tokens that its helper lists. Its oracle's prices move without a log and turn stale by
 * time, so that the whole pool is read again for every block.
 */
export function woofi(venue: WoofiRecord): LiquiditySource {
  const { pool } = venue;
  return {
    id: venue.source,
    kind: "amm",
    exactOut: false,
    assurance: "modelled",
    errors: woofiErrors,
    async listed(chain, known, at) {
      const [answer] = await chain.calls([tokensCall(venue)], at);
      const ref = listedPool(venue, answer);
      if (ref === undefined) throw new Error(`${venue.helper} does not answer getSupportTokens()`);
      return { pools: known(ref.id) ? [] : [ref], unserved: new Map() };
    },
    ...readWhole(
      async (chain, refs, at, reportUnserved = () => {}) => {
        const read = await Promise.all(refs.map((ref) => syncPool(venue, ref, { chain, at, reportUnserved })));
        return read.flat();
      },
      ({ tokens }) => refOf(pool, tokens),
    ),
    action: (): WoofiAction => ({ action: "woofi-pool", pool }),
    fillData: ({ tokens }) => ({ pool, quoteToken: tokens[0] as string }),
  };
}
