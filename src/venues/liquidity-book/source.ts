import { toEventSelector } from "viem";
import type { Address } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import { addressOf, refAt } from "../reading/address-as-id.ts";
import { inSlices } from "../reading/slices.ts";
import { addressAt, uintAt } from "../reading/words.ts";
import type { LbPairAction } from "./action.ts";
import { liquidityBookErrors } from "./errors.ts";
import { STATE_TOPICS, stateAfter } from "./events.ts";
import type { LiquidityBookRecord } from "./record.ts";
import { syncPairs } from "./sync.ts";

const PAIR_CREATED = toEventSelector("LBPairCreated(address,address,uint256,address,uint256)");

/**
 * Liquidity Book 2.1 and 2.2 (LFJ, Pharaoh DLMM): pairs of bins of one factory. Token 0 is X and token 1 Y, whichever the
 * factory was told first. All that moves a fee or a bin has a log; time alone moves the fee as well. Hooks of version 2.2 are
 * called in swaps and have no word in their amounts, but may refuse one.
 */
export function liquidityBook(venue: LiquidityBookRecord): LiquiditySource {
  return {
    id: venue.source,
    kind: "amm",
    exactOut: true,
    assurance: "modelled",
    takesDonations: true,
    errors: liquidityBookErrors,
    creation: { addresses: [venue.factory], topics: [PAIR_CREATED] },
    created: (log) => createdPair(venue.factory, log),
    stateTopics: STATE_TOPICS,
    sync: (chain, refs, at, reportUnserved = () => {}) =>
      inSlices(refs, (slice) => syncPairs(venue, slice, { chain, at, reportUnserved })),

    apply(pool, log, time) {
      if (pool.curve !== "bins" || log.address !== pool.id) return "resync";
      const state = stateAfter(pool.state, log, time);
      return state === undefined ? "resync" : { ...pool, state };
    },

    action: (pool): LbPairAction => ({
      action: "lb-pair",
      pair: addressOf(pool),
      tokenX: pool.tokens[0] as Address,
    }),
    fillData(pool) {
      const base = { pair: addressOf(pool), factory: venue.factory, tokenX: pool.tokens[0] as Address };
      return pool.curve === "bins" ? { ...base, binStep: String(pool.state.binStep) } : base;
    },
  };
}

function createdPair(factory: Address, { address, topics, data }: Log): PoolRef | undefined {
  if (address !== factory || topics[0] !== PAIR_CREATED) return undefined;
  const [tokenX, tokenY] = [topics[1], topics[2]].map((topic) => addressAt(topic ?? "0x", 0));
  const binStep = uintAt(topics[3] ?? "0x", 0, 16);
  const pair = addressAt(data, 0);
  if (!tokenX || !tokenY || !pair || !binStep || tokenX === tokenY) return undefined;
  return refAt(pair, [tokenX, tokenY], { binStep: String(binStep) });
}
