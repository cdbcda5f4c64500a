import type { Address } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SwitchedOff } from "../../domain/switches.ts";
import type { Pool } from "../../pools/pool.ts";
import type { PairRoutes } from "../known-routes.ts";
import type { DataFee, Snapshot } from "../snapshot.ts";
import type { PoolVolatility } from "../volatility.ts";

/** The market at one block as a search reads it. */
export type MarketState = Pick<
  Snapshot,
  "chainId" | "block" | "gasPrice" | "dataFee" | "mostGas" | "graph" | "rates" | "known" | "volatility"
>;

/** The part of a snapshot that a feed tells of: makers' offers are none of the market's. */
export function marketOf({
  chainId,
  block,
  gasPrice,
  dataFee,
  mostGas,
  graph,
  rates,
  known,
  volatility,
  offers,
}: Snapshot): MarketState {
  return {
    chainId,
    block,
    gasPrice,
    mostGas,
    rates,
    known,
    graph: offers?.graph ?? graph,
    ...(dataFee && { dataFee }),
    ...(volatility && { volatility }),
  };
}

/** Switches and tokens that keep pools out of routes at every block. Each object is replaced when it changes. */
export interface MarketRules {
  /** The operator's switches that are off. */
  readonly off: SwitchedOff;
  /** Tokens that no route may use, each with the reason. */
  readonly keptOut: ReadonlyMap<Address, string>;
}

/** One state of a feed. Immutable. */
export interface FeedState extends MarketRules {
  /** Grows from state to state, from 1 up. */
  readonly sequence: number;
  readonly market: MarketState;
}

/** Facts that all states of a feed share. */
export interface FeedTerms {
  readonly chainId: number;
  readonly wrappedNative: Address;
  /** Tokens that others are valued by; absent: those that most pools hold. */
  readonly references?: readonly Address[] | undefined;
}

/** A state, by what differs from an earlier one. */
export interface FeedUpdate {
  readonly sequence: number;
  /** Number of the state that it differs from; 0: it is whole. */
  readonly from: number;
  /** Each slot once. */
  readonly pools: readonly PoolChange[];
  /** Absent: another part of the update follows. */
  readonly head?: FeedHead;
}

/** New content of one slot of the graph. */
export interface PoolChange {
  readonly slot: number;
  /** The slot's pool before the change; undefined if it was empty. */
  readonly before: Pool | undefined;
  /** Undefined: nothing is. */
  readonly pool: Pool | undefined;
}

/** A state but for its pools. What is absent is as it was. */
export interface FeedHead extends Pick<Snapshot, "block" | "gasPrice" | "mostGas"> {
  /** Absent where the chain asks for nothing. */
  readonly dataFee?: DataFee;
  readonly hubs: readonly Address[];
  readonly hops?: HopChanges;
  readonly keptOut?: KeptOutChanges;
  readonly known?: RouteChanges;
  readonly volatility?: VolatilityChanges;
  readonly off?: SwitchedOff;
  /** Present in whole states only. */
  readonly terms?: FeedTerms;
}

/** Changes to the set of hop tokens. */
export interface HopChanges {
  /** There is no rule: every token is one. */
  readonly any: boolean;
  readonly added: readonly Address[];
  readonly removed: readonly Address[];
}

/** Changes to the routes that searches begin with. */
export interface RouteChanges {
  /** Pairs with other routes than before, with all of them. */
  readonly changed: readonly PairRoutes[];
  /** Pairs of which nothing is known any more. */
  readonly removed: readonly Pick<PairRoutes, "sellToken" | "buyToken">[];
}

/** Changes to the volatility records. */
export interface VolatilityChanges {
  readonly since: bigint;
  /** Pools that have moved, with what is known of them now, the one that moved last standing last. */
  readonly changed: readonly PoolVolatility[];
  /** Pools of which nothing is known any more. */
  readonly removed: readonly PoolId[];
  /** Pools that have appeared, each with its block, the last one standing last. */
  readonly appeared: readonly (readonly [pool: PoolId, block: bigint])[];
  /** Pools that appeared so long ago that it does not count any more. */
  readonly settled: readonly PoolId[];
}

/** Changes to the set of kept-out tokens. */
export interface KeptOutChanges {
  readonly added: readonly (readonly [token: Address, reason: string])[];
  readonly removed: readonly Address[];
}

/** Updates as bytes. */
export interface FeedEncoder {
  /** The bytes of an update, in parts that take little time each. They are made as they are asked for. */
  encode(update: FeedUpdate): Iterable<Uint8Array>;
}
