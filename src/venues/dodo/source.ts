import { toEventSelector } from "viem";
import type { Address } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import { addressOf, refAt } from "../reading/address-as-id.ts";
import { readWhole } from "../reading/read-whole.ts";
import { addressAt } from "../reading/words.ts";
import type { DodoAction } from "./action.ts";
import { dodoErrors } from "./errors.ts";
import type { DodoRecord } from "./record.ts";
import { foundPools, heldPools } from "./sync.ts";

/** Announcements of the three kinds of factories: the base token, the quote token, the creator and the pool. */
const CREATED = ["NewDVM", "NewDPP", "NewDSP"].map((name) =>
  toEventSelector(`${name}(address,address,address,address)`),
);

/**
 * Pools of DODO V2. The owner of a private pool moves its price without a log, and a fee model decides what the maintainer gets,
 * so that whole pools are read again for every block.
 */
export function dodo(venue: DodoRecord): LiquiditySource {
  return {
    id: venue.source,
    kind: "amm",
    exactOut: false,
    assurance: "modelled",
    takesDonations: true,
    errors: dodoErrors,
    creation: { addresses: venue.factories, topics: CREATED },
    created: (log) => createdPool(venue, log),
    ...readWhole(
      (chain, refs, at, reportUnserved = () => {}) => foundPools(venue.source, refs, { chain, at, reportUnserved }),
      undefined,
      (reading, refs, held) => heldPools(refs, reading, held),
    ),
    action: (pool): DodoAction => ({
      ...{ action: "dodo-pool", pool: addressOf(pool), baseToken: pool.tokens[0] as Address },
    }),
    fillData: (pool) => ({ poolAddress: addressOf(pool), baseToken: pool.tokens[0] as string }),
  };
}

function createdPool({ factories }: DodoRecord, { address, topics, data }: Log): PoolRef | undefined {
  const [topic] = topics;
  if (!factories.includes(address) || topic === undefined || !CREATED.includes(topic)) return undefined;
  const [base, quote, pool] = [addressAt(data, 0), addressAt(data, 1), addressAt(data, 3)];
  if (base === undefined || quote === undefined || pool === undefined || base === quote) return undefined;
  return refAt(pool, [base, quote]);
}
