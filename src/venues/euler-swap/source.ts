import { toEventSelector } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import { addressOf, refAt } from "../reading/address-as-id.ts";
import { readWhole } from "../reading/read-whole.ts";
import { addressAt } from "../reading/words.ts";
import type { EulerSwapAction } from "./action.ts";
import { eulerSwapErrors } from "./errors.ts";
import type { EulerSwapRecord } from "./record.ts";
import { foundPools, heldPools } from "./sync.ts";

/** Announcements by the factory of version 1 and by the registry of version 2: token 0, token 1, the account; the pool first in the data. */
const DEPLOYED = toEventSelector("PoolDeployed(address,address,address,address)");
const REGISTERED = toEventSelector(
  "PoolRegistered(address,address,address,address,(address,address,address,address,address,address),uint256)",
);

/**
 * Pools of EulerSwap, called directly and not as hooks of Uniswap V4. Interest and every other user of their vaults move what they take
 * in and pay out, so that whole pools are read again for every block. Vaults ask contracts of others for interest and limits.
 */
export function eulerSwap(venue: EulerSwapRecord): LiquiditySource {
  const { factory, registry } = venue;
  return {
    id: venue.source,
    kind: "amm",
    exactOut: true,
    assurance: "modelled",
    callsForeignContracts: true,
    takesDonations: true,
    errors: eulerSwapErrors,
    creation: {
      addresses: [factory, registry].filter((address) => address !== undefined),
      topics: [DEPLOYED, REGISTERED],
    },
    created: (log) => createdPool(venue, log),
    ...readWhole(
      (chain, refs, at, reportUnserved = () => {}) => foundPools(venue.source, refs, { chain, at, reportUnserved }),
      undefined,
      (reading, refs, held) => heldPools(refs, reading, held),
    ),
    action: (pool): EulerSwapAction => ({ action: "euler-swap-pool", pool: addressOf(pool) }),
    fillData: (pool) => ({ poolAddress: addressOf(pool) }),
  };
}

function createdPool({ factory, registry }: EulerSwapRecord, { address, topics, data }: Log): PoolRef | undefined {
  const [topic, ...indexed] = topics;
  const announces = topic === DEPLOYED ? factory : topic === REGISTERED ? registry : undefined;
  if (announces === undefined || announces !== address) return undefined;
  const [first, second] = indexed.map((word) => addressAt(word as Hex, 0));
  const pool = addressAt(data, 0);
  if (first === undefined || second === undefined || pool === undefined || first >= second) return undefined;
  return refAt(pool, [first, second]);
}
