import type { Address, Hex } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import { refAt } from "../reading/address-as-id.ts";
import { addressAt } from "../reading/words.ts";

/** The log in which a factory announces a pool of two tokens, whose topics have both, the lower one first. */
interface Announcement {
  readonly factory: Address;
  readonly topic: Hex;
  /** Number of the topic with the lower token; 1 where none is named. */
  readonly tokenTopic?: number;
  /** The word of its data that has the pool's address; the first where none is named. */
  readonly poolWord?: number;
  /** Further terms of a pool; undefined if the log is invalid. Absent: none. */
  termsOf?(log: Log): PoolRef["terms"] | undefined;
}

/** The part of a source that finds its pools by such logs. */
export function announcedPairs({
  factory,
  topic,
  tokenTopic = 1,
  poolWord = 0,
  termsOf = () => ({}),
}: Announcement): Required<Pick<LiquiditySource, "creation" | "created">> {
  return {
    creation: { addresses: [factory], topics: [topic] },
    created(log) {
      if (log.address !== factory || log.topics[0] !== topic) return undefined;
      const token0 = addressAt(log.topics[tokenTopic] ?? "0x", 0);
      const token1 = addressAt(log.topics[tokenTopic + 1] ?? "0x", 0);
      const pool = addressAt(log.data, poolWord);
      const terms = termsOf(log);
      if (!token0 || !token1 || !pool || !terms || token0 >= token1) return undefined;
      return refAt(pool, [token0, token1], terms);
    },
  };
}
