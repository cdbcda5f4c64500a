/** Module memory that is left: an entry leaves the list together with its code, and none is added. */
export const MODULE_MEMORY: readonly string[] = ["src/api/keys/key-copy.ts: NO_DIGEST"];

/** Facts of the wire that are left behind the door: an entry leaves the list together with its code, and none is added. */
export const WIRE_FACTS: readonly string[] = [
  "src/domain/message-of.ts: decimal text by String",
  "src/domain/token-verdict.ts: decimal text by String",
  "src/quoting/answer/decimal.ts: decimal text by formatRatio",
  "src/quoting/answer/decimal.ts: decimal text by formatScaled",
  "src/quoting/answer/decimal.ts: decimal text by toString",
  "src/quoting/answer/price-impact.ts: decimal text by formatScaled",
  "src/quoting/answer/proportions.ts: decimal text by formatScaled",
  "src/quoting/answer/shown-amount.ts: decimal text by formatScaled",
  "src/quoting/cost/data-fee.ts: size ENVELOPE_BYTES",
  "src/quoting/cost/data-fee.ts: size TOUCH_BYTES",
  "src/quoting/price/price-answer.ts: decimal text by formatScaled",
  "src/quoting/price/prices.ts: decimal text by formatRatio",
  "src/quoting/price/prices.ts: decimal text by formatScaled",
  "src/quoting/quote/wrap.ts: size WRAP_CALLDATA_BYTES",
];

/** Entries of folders above the limit: a figure may only shrink, and leaves the list at the limit. */
export const FOLDERS_ABOVE_THE_LIMIT: Readonly<Record<string, number>> = {
  "src/routing/search": 39,
  test: 29,
  "test/api": 33,
  "test/pools": 23,
  "bench/peers": 25,
};
