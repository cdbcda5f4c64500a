import type { Address, Hex } from "../../domain/address.ts";
import { ALL_ON } from "../../domain/switches.ts";
import type { Pool } from "../../pools/pool.ts";
import { type KnownRoutes, pairKey } from "../known-routes.ts";
import { PAST_BLOCKS } from "../past-blocks.ts";
import { PoolSlots } from "../pool-slots.ts";
import { createRates, type RateMemory } from "../rates.ts";
import type { Volatility } from "../volatility.ts";
import type { FeedHead, FeedState, FeedTerms, FeedUpdate, PoolChange } from "./feed-state.ts";

/** States that are kept: of past blocks that prices are told of, and of some with the same block but other rules. */
const STATES_KEPT = PAST_BLOCKS + 32;

/** Holds the market that a feed tells of, with its last states. */
export class FeedFollower {
  #slots = new PoolSlots();
  #tokens: ReadonlySet<Address> = new Set();
  #terms: FeedTerms | undefined;
  #memory: RateMemory = new WeakMap();
  /** Changes of parts whose update is not complete. */
  #parts: PoolChange[] = [];
  readonly #states = new Map<number, FeedState>();
  #newest: FeedState | undefined;

  get newest(): FeedState | undefined {
    return this.#newest;
  }

  /** Pool in a slot of the newest state, which an update's changes start from. */
  poolAt(slot: number): Pool | undefined {
    return this.#slots.at(slot);
  }

  /** Tokens of all pools that ever were in the newest state. */
  tokens(): ReadonlySet<Address> {
    if (this.#tokens.size !== this.#slots.tokenCount) this.#tokens = new Set(this.#slots.tokens());
    return this.#tokens;
  }

  /** A state by its number, of the block with that hash; undefined where it is not among the last ones. */
  state(sequence: number, blockHash: Hex): FeedState | undefined {
    const state = this.#states.get(sequence);
    return state?.market.block.hash === blockHash ? state : undefined;
  }

  /**
   * Takes the next update, or a part of it. Answers the state that it leads to, undefined while parts are missing.
   * @throws RangeError for an update that does not follow on the newest state
   */
  take({ sequence, from, pools, head }: FeedUpdate): FeedState | undefined {
    if (from !== 0 && from !== this.#newest?.sequence) {
      throw new RangeError(`update ${sequence} follows on ${from}, not on ${this.#newest?.sequence ?? "nothing"}`);
    }
    this.#parts.push(...pools);
    if (head === undefined) return undefined;
    if (from === 0) this.#begin(head.terms);
    this.#put(this.#parts);
    this.#parts = [];
    const state = this.#stateOf(sequence, head, from === 0 ? undefined : this.#newest);
    this.#newest = state;
    this.#states.set(sequence, state);
    for (const old of this.#states.keys()) {
      if (this.#states.size <= STATES_KEPT) break;
      this.#states.delete(old);
    }
    return state;
  }

  #begin(terms: FeedTerms | undefined): void {
    if (terms === undefined) throw new RangeError("a whole state without its terms");
    this.#terms = terms;
    this.#slots = new PoolSlots();
    this.#memory = new WeakMap();
    this.#states.clear();
  }

  #put(changes: readonly PoolChange[]): void {
    // A market that has begun anew has its pools elsewhere: the states before it keep their indices.
    const isElsewhere = ({ slot, pool }: PoolChange) => pool && (this.#slots.slotOf(pool.id) ?? slot) !== slot;
    if (changes.some(isElsewhere)) {
      const changed = new Set(changes.map(({ slot }) => slot));
      const before = this.#slots;
      this.#slots = new PoolSlots();
      for (const [slot, pool] of before.entries()) if (!changed.has(slot)) this.#slots.put(slot, pool);
    }
    for (const { slot, pool } of changes) this.#slots.put(slot, pool);
  }

  #stateOf(sequence: number, head: FeedHead, before: FeedState | undefined): FeedState {
    const { block, gasPrice, mostGas, dataFee, hubs } = head;
    const { chainId, wrappedNative, references } = this.#terms!;
    const hops = hopsAfter(before?.market.graph.hops, head.hops);
    const frozen = this.#slots.freeze(block.timestamp, hubs);
    const graph = hops === undefined ? frozen : { ...frozen, hops };
    const known = routesAfter(before?.market.known ?? new Map(), head.known);
    const volatility = volatilityAfter(before?.market.volatility, head.volatility);
    const rates = createRates(graph, wrappedNative, { references, memory: this.#memory });
    return {
      sequence,
      market: {
        ...{ chainId, block, gasPrice, mostGas, graph, rates, known },
        ...(dataFee && { dataFee }),
        ...(volatility && { volatility }),
      },
      off: head.off ?? before?.off ?? ALL_ON,
      keptOut: keptOutAfter(before?.keptOut ?? new Map(), head.keptOut),
    };
  }
}

function hopsAfter(
  before: FeedState["market"]["graph"]["hops"],
  changes: FeedHead["hops"],
): FeedState["market"]["graph"]["hops"] {
  if (changes === undefined) return before;
  if (changes.any) return undefined;
  const removed = new Set(changes.removed);
  return new Set([...(before ?? [])].filter((token) => !removed.has(token)).concat(changes.added));
}

function keptOutAfter(before: FeedState["keptOut"], changes: FeedHead["keptOut"]): FeedState["keptOut"] {
  if (changes === undefined) return before;
  const after = new Map([...before, ...changes.added]);
  for (const token of changes.removed) after.delete(token);
  return after;
}

function routesAfter(before: KnownRoutes, changes: FeedHead["known"]): KnownRoutes {
  if (changes === undefined) return before;
  const after = new Map(before);
  for (const { sellToken, buyToken } of changes.removed) after.delete(pairKey(sellToken, buyToken));
  for (const pair of changes.changed) after.set(pairKey(pair.sellToken, pair.buyToken), pair);
  return after;
}

function volatilityAfter(before: Volatility | undefined, changes: FeedHead["volatility"]): Volatility | undefined {
  if (changes === undefined) return before;
  const pools = new Map(before?.pools);
  for (const pool of changes.removed) pools.delete(pool);
  for (const known of changes.changed) {
    pools.delete(known.pool);
    pools.set(known.pool, known);
  }
  const appeared = new Map(before?.appeared);
  for (const pool of changes.settled) appeared.delete(pool);
  for (const [pool, block] of changes.appeared) {
    appeared.delete(pool);
    appeared.set(pool, block);
  }
  return { since: changes.since, appeared, pools };
}
