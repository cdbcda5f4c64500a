import type { Address } from "./address.ts";
import type { SourceId } from "./source.ts";

/** Identifies a pool within the chain: its address, or for pools inside a singleton an id of the source's making; with the contract's address in front where the source can choose it. */
export type PoolId = string;

/** Digits of an address with its 0x. */
const ADDRESS_LENGTH = 42;

/** Front of a pool's id: its contract's address, where that stands there. */
export function frontOf(id: PoolId): string {
  return id.slice(0, ADDRESS_LENGTH);
}

/** The `share` that means: all that is left. Shares are parts of it. */
export const SHARE_ONE = 1_000_000_000n;

/** One use of one pool, with the amounts at the quoted state. */
export interface Fill {
  readonly poolId: PoolId;
  readonly source: SourceId;
  readonly sellToken: Address;
  readonly buyToken: Address;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
  /** Gas of this pool use by the measured model, less what comes back at the end for slots that it has emptied again. */
  readonly gas: bigint;
  /** Refunded gas; a transaction gets a fifth of its gas back at most. Absent: nothing. */
  readonly givenBack?: bigint;
  /** Its output passes through a slot of the executor that `givenBack` counts: a pool use that sells it counts it again. */
  readonly passesOn?: true;
  /**
   * Exact-in: the part of what is left of `sellToken` at this point of the execution that goes in here,
   * floor(left * share / SHARE_ONE). Exact-out: the part of what is still needed of `buyToken`,
   * ceil(needed * share / SHARE_ONE). SHARE_ONE takes the rest.
   */
  readonly share: bigint;
}

/**
 * Exact-in: fills in execution order. A fill may spend only tokens that earlier fills (or the taker) have brought in
 * full, so every token's last producer stands before its first consumer, and each token's last consumer has SHARE_ONE.
 */
export interface ExactInRoute {
  readonly kind: "exactIn";
  readonly sellToken: Address;
  readonly buyToken: Address;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
  readonly fills: readonly Fill[];
}

/**
 * Exact-out: fills back to front, in the order in which their amounts become known: each token's last taker stands before
 * its first maker, and each token's last maker has SHARE_ONE. No pool is used twice.
 */
export interface ExactOutRoute {
  readonly kind: "exactOut";
  readonly sellToken: Address;
  readonly buyToken: Address;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
  readonly fills: readonly Fill[];
}

export type Route = ExactInRoute | ExactOutRoute;

/** The fills of a route in the order in which tokens move from the sold towards the bought. */
export function fillsOf(route: Route): readonly Fill[] {
  return route.kind === "exactIn" ? route.fills : route.fills.toReversed();
}
