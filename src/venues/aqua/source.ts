import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { inSlices } from "../reading/slices.ts";
import type { AquaAction } from "./action.ts";
import { aquaErrors } from "./errors.ts";
import { changedStrategy, STATE_TOPICS, stateAfter } from "./events.ts";
import type { AquaRecord } from "./record.ts";
import { orderOfRef, PUSHED, refusedStrategy, SHIPPED, ShippedStrategies } from "./strategies.ts";
import { holdsAny, syncStrategies, withWallets } from "./sync.ts";

/**
 * Strategies that makers have shipped to 1inch's Aqua for its SwapVM router, of two tokens and a program that is modelled. Their
 * tokens stay in the makers' wallets, which are looked at with every block.
 */
export function aqua(record: AquaRecord): LiquiditySource {
  const strategies = new ShippedStrategies(record);
  return {
    id: record.source,
    kind: "amm",
    exactOut: true,
    assurance: "modelled",
    callsForeignContracts: true,
    errors: aquaErrors,
    creation: { addresses: [record.aqua], topics: [SHIPPED, PUSHED] },
    created: (log) => strategies.created(log),
    refused: (log) => refusedStrategy(record, log),
    isSound: (ref) => orderOfRef(record, ref) !== undefined,
    stateTopics: STATE_TOPICS,
    poolOf: (log) => changedStrategy(record, log),
    sync: (chain, refs, at, reportUnserved = () => {}) =>
      inSlices(refs, (slice) => syncStrategies(record, slice, { chain, at, reportUnserved })),
    apply(pool, log) {
      if (pool.curve !== "aqua" || changedStrategy(record, log) !== pool.id) return "resync";
      const state = stateAfter(pool, pool.state, log);
      return state === undefined ? "resync" : { ...pool, state };
    },
    refresh: (chain, pools, at) => withWallets(record, pools, { chain, at }),
    movesSilently: holdsAny,
    action: (pool): AquaAction => ({ action: "aqua-order", router: record.router, ...orderOf(pool) }),
    fillData: (pool) => ({ router: record.router, strategyHash: pool.id, maker: orderOf(pool).maker }),
  };
}

function orderOf(pool: Pool) {
  if (pool.curve !== "aqua") throw new TypeError(`${pool.id} is no strategy of Aqua`);
  const { maker, traits, program } = pool.state;
  return { maker, traits, data: program };
}
