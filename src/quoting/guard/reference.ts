import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Ratio } from "../../domain/ratio.ts";

/** Reference price of a whole token, in the unit that all feeds share (usually US dollars). */
export interface Reference {
  readonly price: Ratio;
  /** Seconds since it was true, by the feed's own word or since it answered. */
  readonly ageSeconds: number;
}

/** Configuration of one token's reference price. */
export interface FeedRecord {
  readonly token: Address;
  readonly maxAgeSeconds: number;
  readonly from:
    | { readonly kind: "coinbase" | "binance"; readonly symbol: string; readonly url: URL }
    | { readonly kind: "chainlink"; readonly aggregator: Address };
}

/** A feed that can be asked. */
export interface ReferenceFeed {
  readonly record: FeedRecord;
  /** The newest that is known at a block; undefined where there is none. Never throws. */
  at(block: BlockRef): Promise<Reference | undefined>;
  /** Last known reference, for status. */
  last(): Reference | undefined;
  /** Why the last question failed, in a few words without secrets; undefined where it did not. */
  trouble(): string | undefined;
  stop(): void;
}

const DECIMAL = /^\d{1,30}(\.\d{1,30})?$/;

/** A plain decimal above zero as a fraction; undefined for any other text. */
export function parsePrice(text: unknown): Ratio | undefined {
  if (typeof text !== "string" || !DECIMAL.test(text)) return undefined;
  const [whole = "", fraction = ""] = text.split(".");
  const num = BigInt(whole + fraction);
  return num === 0n ? undefined : { num, den: 10n ** BigInt(fraction.length) };
}
