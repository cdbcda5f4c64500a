/** A source's name in the API, for example `Uniswap_V3`. */
export type SourceId = string;

/** Names, in lower case, that mean something of the service's own in answers: no venue and no maker can have them. */
export const OWN_NAMES: readonly string[] = ["wrapped_native", "multihop"];

/** Kind of a source: `wrapper` turns one form of a token into another at a rate of its own. */
export type SourceKind = "amm" | "maker" | "rfq" | "wrapper";

/** Evidence for a source's maths: `exact` = compared with contract bytecode that we did not write. */
export type Assurance = "exact" | "modelled";
