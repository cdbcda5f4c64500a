import type { Address, Hex } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { UnservedReason } from "../../market/eligibility.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";

/** The log in which a singleton announces a pool, whether or not that is served. */
interface Announcement {
  readonly singleton: Address;
  readonly topic: Hex;
  /** The pool; undefined if the log is none of these. */
  poolIn(singleton: Address, log: Log): PoolRef | undefined;
  /** The reason for which a pool is not served; undefined for one that is. */
  refusal(pool: PoolRef): UnservedReason | undefined;
}

/** The part of a source that finds its pools by such logs, and says why it does not serve some. */
export function announcedPools({
  singleton,
  topic,
  poolIn,
  refusal,
}: Announcement): Required<Pick<LiquiditySource, "creation" | "created" | "refused">> {
  return {
    creation: { addresses: [singleton], topics: [topic] },
    created(log) {
      const pool = poolIn(singleton, log);
      return pool !== undefined && refusal(pool) === undefined ? pool : undefined;
    },
    refused(log) {
      const pool = poolIn(singleton, log);
      return pool && refusal(pool);
    },
  };
}
