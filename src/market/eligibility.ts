import type { Address } from "../domain/address.ts";

/**
 * Limits on a route's pools and tokens, so that nobody has to trust an unknown party. Sold and bought tokens are the caller's
 * choice: the rule is about the tokens between them, and about accounts that can change a pool's terms within a block.
 */
export interface EligibilityRule {
  /** Controllers of pools that are trusted not to change their terms against a trade. */
  readonly controllers: ReadonlySet<Address>;
  /** Tokens that every route may lead over. Others are valued by them. */
  readonly listed: ReadonlySet<Address>;
  /** When any other token may; undefined: never. */
  readonly unlisted?: UnlistedTerms | undefined;
}

/** When a route may lead over a token that is not listed. */
export interface UnlistedTerms {
  /** Blocks for which it has been deep without a break. */
  readonly minAgeBlocks: bigint;
  /** Wei that listed tokens are worth which lie in one pool with it, on each of MIN_VENUES venues. */
  readonly minDepthWei: bigint;
}

/** Why a pool that was seen on the chain is not served: what is not known of it, or that it serves nobody now. */
export type UnservedReason =
  /** Its contract is of a kind or version that there is no maths for. */
  | "UNKNOWN_VERSION"
  /** Hooks or a plugin that there is no model of are called in its swaps. */
  | "UNKNOWN_HOOKS"
  /** It is switched off. */
  | "PAUSED"
  /** It has no price, holds nothing, does not add up, or its contract says otherwise than its maths. */
  | "NOT_READABLE";

/** Why pools of a source take no part in routes, or not in all. */
export type LeftOutReason =
  | UnservedReason
  /** An account that is not allowed can change the pool's terms: it takes no part. */
  | "CONTROLLER_NOT_ALLOWED"
  /** One of its tokens is no hop: it serves trades that sell or buy that token. */
  | "TOKEN_NOT_A_HOP"
  /** Its swaps failed on the node, or its state differed from the chain's: it takes no part for a while. */
  | "PUT_ASIDE";

/** Pools of one source that are left out for one reason. */
export interface LeftOut {
  readonly reason: LeftOutReason;
  readonly pools: number;
}
