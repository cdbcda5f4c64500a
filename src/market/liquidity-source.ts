import type { Address, Hex } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { Fill, PoolId } from "../domain/route.ts";
import type { Assurance, SourceId, SourceKind } from "../domain/source.ts";
import type { VenueAction } from "../domain/venue-action.ts";
import type { VenueErrors } from "../domain/venue-errors.ts";
import type { Pool } from "../pools/pool.ts";
import type { Direction } from "../pools/pool-math.ts";
import type { Call, ChainReader, Log } from "./chain-reader.ts";
import type { UnservedReason } from "./eligibility.ts";

/** A pool that exists, before its state is known. */
export interface PoolRef {
  readonly id: PoolId;
  /** The contract whose logs change the pool's state. */
  readonly address: Address;
  readonly tokens: readonly Address[];
  /** Terms fixed at the pool's creation that the source reads it with (fee, tick spacing …). */
  readonly terms: Readonly<Record<string, string>>;
}

/** Takes why a pool cannot be read. */
export type ReportUnserved = (id: PoolId, reason: UnservedReason) => void;

/** Block and reader for reading pools, and the listener for pools that cannot be read. */
export interface Reading {
  readonly chain: ChainReader;
  readonly at: BlockRef;
  readonly reportUnserved: ReportUnserved;
}

/** Pools that contracts list, those that are new and can be served, and why others cannot be. */
export interface Listing {
  readonly pools: readonly PoolRef[];
  readonly unserved: ReadonlyMap<PoolId, UnservedReason>;
}

/** A question to a pool's contract: what it pays for one amount. */
export interface PriceQuestion {
  readonly call: Call;
  /** The pool as it pays what the answer says for that amount; undefined where that is nothing, or less than the pool says. */
  answered(answer: Hex | undefined): Pool | undefined;
}

/** Members of a source that tell how its pools change. */
export type PoolChanges = Pick<
  LiquiditySource,
  "stateTopics" | "anonymousFrom" | "poolOf" | "apply" | "refresh" | "movesSilently"
>;

/** Whether something of a pool moves without a log: its state of one block is none of another, whatever the logs say. */
export function movesSilently(source: Pick<PoolChanges, "refresh" | "movesSilently">, pool: Pool): boolean {
  return source.refresh !== undefined && (source.movesSilently?.(pool) ?? true);
}

/** Whether a log may change the state of a source's pools, by its first topic, or by its address where it has none. */
export function isStateLog(
  { stateTopics, anonymousFrom }: Partial<Pick<PoolChanges, "stateTopics" | "anonymousFrom">>,
  { address, topics }: Pick<Log, "address" | "topics">,
): boolean {
  const [topic] = topics;
  return (topic === undefined ? anonymousFrom?.includes(address) : stateTopics?.includes(topic)) === true;
}

/** One venue: how its pools are found, read, followed and traded. */
export interface LiquiditySource {
  readonly id: SourceId;
  readonly kind: SourceKind;
  /** Whether it turns the native token into its ERC-20 form and back: every request may use it. */
  readonly wrapsNative?: true;
  readonly exactOut: boolean;
  readonly assurance: Assurance;
  /** Whether a pool of an exact source is a modelled one, so that each quote over it is simulated. Absent: none is. */
  isModelled?(pool: Pool): boolean;
  /**
   * Whether contracts of anybody's (rate providers) have a word in its pools' states: these may answer every node, and every
   * call of one, otherwise.
   */
  readonly callsForeignContracts?: true;
  /**
   * Whether its pools sell all that they hold beyond what they have counted: what anybody has given to one adds to what the next
   * trade brings, and never takes from it.
   */
  readonly takesDonations?: true;

  /**
   * Contracts that swaps run and that have to be exactly what the record says, by keccak256 of their runtime code. The source is off
   * where one is another, or hands its calls on to code that can be changed. Absent: it trusts the record's addresses.
   */
  readonly code?: readonly { readonly address: Address; readonly hash: Hex }[];

  /** The log filter that announces new pools: contracts and first topics. No filter: pools are fixed, see `discover`. */
  readonly creation?: { readonly addresses: readonly Address[]; readonly topics: readonly Hex[] };
  /** The pools that a creation log announces; undefined when the log is none of ours or fails verification. */
  created?(log: Log): PoolRef | undefined;
  /** Why a creation log of the venue's own announces a pool that is not served; undefined for any other log. Pure. */
  refused?(log: Log): UnservedReason | undefined;
  /** Pools that exist without a creation log (the wrapped native token). */
  fixed?(): readonly PoolRef[];

  /**
   * Pools between any two of `tokens` at `at`, by asking the factory instead of searching the chain for their creation.
   * Pools that the factory does not name by tokens alone may be missing. Absent: the factory cannot be asked.
   */
  between?(chain: ChainReader, tokens: readonly Address[], at: BlockRef): Promise<readonly PoolRef[]>;

  /**
   * Whether a reference has the form that the venue announces, above all in the order of its tokens. Present if `sync`
   * has the venue's contracts, or the id itself, confirm a pool with its tokens and terms, whatever the reference's
   * origin. Absent: only pools that the chain announces are believed.
   */
  isSound?(ref: PoolRef): boolean;

  /**
   * Pools listed by number at `at` that are not `known`, for contracts that announce none.
   * @throws Error when a list cannot be read whole.
   */
  listed?(chain: ChainReader, known: (id: PoolId) => boolean, at: BlockRef): Promise<Listing>;

  /** First topics of the logs that change a pool's state. */
  readonly stateTopics: readonly Hex[];
  /** Contracts whose logs without any topic change pools' states. Absent: there are none. */
  readonly anonymousFrom?: readonly Address[];
  /**
   * Pool that a log is about, for one contract with the state of many pools (singletons); undefined if it is about
   * none. Absent: a log is about every pool at its address.
   */
  poolOf?(log: Log): PoolId | undefined;
  /** State of pools at exactly this block. A pool that cannot be read (yet) is left out; `reportUnserved` is told why where that is known. */
  sync(
    chain: ChainReader,
    refs: readonly PoolRef[],
    at: BlockRef,
    reportUnserved?: ReportUnserved,
  ): Promise<readonly Pool[]>;
  /**
   * Pools with what is near their price alone, which costs less to read: one that is worth nothing by that sleeps, unread. They
   * are judged, and never traded with. Absent: pools are read whole at once.
   */
  near?(chain: ChainReader, refs: readonly PoolRef[], at: BlockRef): Promise<readonly Pool[]>;
  /**
   * The pool after one of its own logs; "resync" when the log cannot follow from the state. `time`: of the log's block, unix
   * seconds. Pure.
   */
  apply(pool: Pool, log: Log, time: bigint): Pool | "resync";

  /**
   * Reads at `at` the values of pools that change without a log of the pool (fees in a factory, rates). Returns the
   * same object if nothing changed. Called for every block, after its logs. A pool that cannot be read is left out.
   */
  refresh?(chain: ChainReader, pools: readonly Pool[], at: BlockRef): Promise<readonly Pool[]>;
  /** Whether a pool is one of those that `refresh` may change; all are where it is left out. */
  movesSilently?(pool: Pool): boolean;

  /**
   * Source with a slightly lower fee, for venues whose fee stands in the record alone. Its trades have to fail;
   * otherwise the record's fee is too high. Undefined if no fee is lower. Absent: contracts tell the fee.
   */
  cheaper?(): LiquiditySource | undefined;

  /**
   * Question to the contract for an exact amount, which the pool takes. For venues whose contract alone knows what it
   * pays, and whose pool state is a lower bound of that. Absent: the maths tells.
   */
  ask?(pool: Pool, direction: Direction, sellAmount: bigint): PriceQuestion;

  /** Errors that its contracts revert with. */
  readonly errors?: VenueErrors;

  /** Action with which settlement trades a fill of this pool. */
  action(pool: Pool, fill: Fill): VenueAction;
  /** Fields that identify the pool in `orders[].fillData`; all values are strings. */
  fillData(pool: Pool): Readonly<Record<string, string>>;
}
