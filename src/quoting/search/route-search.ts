import type { Address } from "../../domain/address.ts";
import type { SwapOrder } from "../../domain/order.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SwitchedOff } from "../../domain/switches.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { KnownRoute, RouteResult, SearchBudget } from "../../routing/router.ts";
import type { RouteLimits } from "../answer/route-limits.ts";
import type { CallContext, SwapRequest } from "../answer/types.ts";
import type { FairTime } from "./fair-time.ts";

/** Filter of the pools for a search, as data, so that another thread can apply it. */
export interface PoolFilter {
  readonly sources: SwapRequest["sources"];
  /** Pools that have failed this request. */
  readonly without: ReadonlySet<PoolId>;
  /** Operator's switches. */
  readonly off: SwitchedOff;
  /** Tokens that no route may use. */
  readonly keptOut: ReadonlyMap<Address, string>;
  /** Pools and tokens that the request leaves out; absent: none. */
  readonly limits?: RouteLimits;
  /** Makers' offers may not. */
  readonly withoutMakers?: true;
}

/** Bounds on the work of a search; its caller says when time is up. */
export type SearchLimits = Omit<SearchBudget, "expired" | "spent">;

/** One question to the router. */
export interface RouteQuery {
  readonly order: SwapOrder;
  readonly snapshot: Snapshot;
  readonly pools: PoolFilter;
  /** Wei per gas that uses are valued with, their share of a data fee included. */
  readonly gasPrice: bigint;
  readonly budget: SearchLimits;
  /** As in the router's own request. */
  readonly isAnyEnough?: boolean;
  /** As in the router's own request. */
  readonly isDeep?: true;
  /** Routes that the search begins with, besides those that the market knows. */
  readonly known?: readonly KnownRoute[];
  /** Routes may lead over every token, not only over those that the market's rule allows. */
  readonly overAnyToken?: true;
}

/** For whom a request is searched, and until when. */
export type Searcher = Pick<CallContext, "account" | "deadlineMs" | "signal" | "spent" | "known">;

/** The searches of one request, each at its account's expense. */
export interface RequestSearch {
  /**
   * Resolves when it is the account's turn to search. A turn that nothing was done with yet needs no other.
   * @throws SwapError where no search can be made, or none in time
   */
  pass(): Promise<void>;
  /**
   * The best route for a query over exactly its snapshot, once it is the account's turn.
   * @throws SwapError where the search cannot be made
   */
  findBest(query: RouteQuery): Promise<RouteResult>;
  /** The searcher's own. */
  readonly known?: readonly KnownRoute[];
  /** Whether the caller's time is up or it has left. A search that runs then ends with the best found so far. */
  isOver(): boolean;
}

/** The turns that accounts have at the threads that search. */
export interface AccountTurns extends Pick<FairTime, "of"> {
  begin(account: string): Pick<RequestSearch, "pass">;
}

/**
 * Finds routes, on this thread or on others: the same query has the same answer everywhere. The next search is of the account
 * that has used least of the threads.
 */
export interface RouteSearch {
  readonly turns: AccountTurns;
  begin(searcher: Searcher): RequestSearch;
  /**
   * The best route for a query that nobody waits for, in a thread that is idle; undefined where none is, or a request wants it
   * meanwhile. Absent: searches share the thread that answers.
   */
  findSpare?(query: RouteQuery): Promise<RouteResult | undefined>;
}
