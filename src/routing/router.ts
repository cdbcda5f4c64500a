import type { Address } from "../domain/address.ts";
import type { SwapOrder } from "../domain/order.ts";
import type { Ratio } from "../domain/ratio.ts";
import type { Fill, PoolId, Route } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import type { Pool } from "../pools/pool.ts";
import type { VenueMinimum } from "../pools/pool-math.ts";

/** The pools that a search may use, as one block left them. */
export interface PoolGraph {
  /** Timestamp that all maths is done for, unix seconds. */
  readonly time: bigint;
  /** The tokens that a route may lead over, besides the sold and the bought one. Absent: all. */
  readonly hops?: ReadonlySet<Address>;
  pool(id: PoolId): Pool | undefined;
  /** The pools that hold `token`; empty when there are none. */
  poolsOf(token: Address): readonly Pool[];
  /** All pools, in stretches with gaps: a stretch that did not change since another graph is the same array there. */
  chunks(): readonly (readonly (Pool | undefined)[])[];
}

/** Cost of network use, in the token that the answer is measured in (exact-in: bought, exact-out: sold). */
export interface NetworkCost {
  /** Wei per unit of gas. */
  readonly gasPrice: bigint;
  /** Base units of a token per wei of the native token; undefined when unknown: then gas counts as 0. */
  rate(token: Address): Ratio | undefined;
}

export interface RouteRequest {
  readonly order: SwapOrder;
  readonly graph: PoolGraph;
  /** Whether the search may use this pool: sources filtered by the request, pools switched off. */
  readonly allows: (pool: Pool) => boolean;
  /** The only tokens that the route may lead over, among those of the graph. Absent: all of these. */
  readonly connectors?: ReadonlySet<Address>;
  readonly cost: NetworkCost;
  readonly budget: SearchBudget;
  /** Warm start of the two tokens; absent: none. */
  readonly warm?: WarmStart;
  /** Whether the result has its proof, for searches of other amounts to begin with; absent: no. */
  readonly tellsProof?: boolean;
  /** Whether the search may take many times as long to find a better route; absent: no. */
  readonly isDeep?: boolean;
  /**
   * Whether any route that does the whole amount will do: one that is found soon, with no certificate, or none. Where there is
   * such a one, the same request for the best route has an answer too.
   */
  readonly isAnyEnough?: boolean;
}

/** A route that was found before: its pools, and what it was for. */
export interface KnownRoute {
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
  readonly uses: readonly PoolUse[];
  /** Proof of how good it is; absent: not known. */
  readonly proof?: KnownProof;
}

/** Prices that proved a bound. */
export interface KnownProof {
  /** Logarithms of prices by token, in bought units, and of those without gas that say what room it has. */
  readonly logPrices: TokenPrices;
  readonly withoutGas: TokenPrices;
  /** Lift of all other tokens, against spot prices. */
  readonly level: number;
  /** Gap that they leave above the route: bought units (exact-in) or sold units (exact-out). */
  readonly open: number;
}

export type TokenPrices = ReadonlyMap<Address, number>;

/** One use of a pool. */
export type PoolUse = Pick<Fill, "poolId" | "sellToken" | "buyToken">;

/** Routes between two tokens that a search can begin with. They are part of what decides its answer. */
export interface WarmStart {
  readonly routes: readonly KnownRoute[];
  /** Whether a known route does for a whole search only where prices prove it as good. */
  readonly explores: boolean;
}

export interface SearchBudget {
  /** Most pools on one path; wrapping the native token does not count. */
  readonly maxHops: number;
  /** Most pools that one route uses. */
  readonly maxFills: number;
  /** Bound on the work of one search, in evaluations of one pool. */
  readonly maxSteps: number;
  /** Whether the caller's deadline has passed; then the best found so far is the answer. */
  readonly expired: () => boolean;
  /** Told of the steps that a search took, once it is over: evaluations of one pool, the same for the same request. */
  readonly spent?: (steps: number) => void;
}

/** A proof by weak duality: no route within the feasible set does better than `bound`. */
export interface Certificate {
  /** Exact-in: most bought base units net of cost. Exact-out: least sold base units with cost. */
  readonly bound: bigint;
  /** Value that the route found achieves, measured as `bound`. */
  readonly achieved: bigint;
}

export type RouteResult =
  | {
      readonly found: true;
      readonly route: Route;
      readonly certificate?: Certificate;
      /** Absent unless the request wants it, and where prices prove nothing. */
      readonly proof?: KnownProof;
    }
  | { readonly found: false; readonly reason: NoRoute };

/** Why there is no route. */
export type NoRoute =
  /** No path of allowed pools leads from the one token to the other. */
  | { readonly kind: "NO_PATH" }
  /**
   * There are paths, but not for this amount. `estimate`: the largest that can be filled (sold or bought) as floats see
   * it, where known; `largestFillable` finds one that has a route.
   */
  | { readonly kind: "NOT_ENOUGH_LIQUIDITY"; readonly estimate?: bigint }
  /** The amount is so small that nothing comes out, or that it is below a venue's minimum. */
  | { readonly kind: "TOO_SMALL"; readonly at?: TooSmallAt };

/** The pool that an amount is too small for, and the minimum of its venue that is not reached, where that is why. */
export interface TooSmallAt {
  readonly poolId: PoolId;
  readonly source: SourceId;
  readonly sellToken: Address;
  readonly buyToken: Address;
  readonly least?: VenueMinimum;
}

/** Finds the best route. Deterministic: the same request gives the same route. Never changes graph or pools. */
export interface Router {
  findBest(request: RouteRequest): RouteResult;
}
