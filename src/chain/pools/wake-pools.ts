import type { Address } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Market } from "../../market/market.ts";
import type { Found } from "./found-pools.ts";
import type { PoolTracker } from "./pool-tracker.ts";
import type { PoolState } from "./read-pools.ts";

/** Follows small pools only when somebody has asked for one of their tokens: until then they sleep. */
export interface Demand {
  /** Somebody asks for a token. */
  want(token: Address): void;
  /** Lets those of some pools sleep that are too small to be followed for nobody. @throws CatalogFault */
  sleepSmall(pools: Pick<PoolTracker, "sleep">, ids: readonly PoolId[]): Promise<void>;
  /** Whether a pool that was found and read is to be followed for nobody. */
  isWorthFollowing(pool: PoolState): boolean;
  /** Whether a pool is to be read whole, by what is near its price. */
  isWorthReading(near: PoolState): boolean;
  /** Pools sleep that may not have been read whole: those whose tokens were asked for meanwhile are looked for again. */
  noteSlept(pools: readonly Found[]): void;
  /** Wakes some pools with tokens that were asked for; whether there were any. @throws what the node failed with */
  wake(pools: Pick<PoolTracker, "asleep" | "wake">): Promise<boolean>;
  /**
   * Looks, in turn, at sleeping pools of which every token was asked for, and wakes those that are small no more: where many
   * pools hold each of the tokens, asking wakes none. Whether there were any. @throws what the node failed with
   */
  wakeGrown(pools: Pick<PoolTracker, "asleep" | "peek" | "wake">): Promise<boolean>;
}

/** Wei of the native token: pools from which less can be bought sleep until one of their tokens is asked for. */
const DEEP_WEI = 50_000_000_000_000_000n;
/** Pools that the asking for one token wakes or keeps awake; of tokens with more, the other token of the pool decides. */
const MAX_WOKEN = 64;
/** Pools that are woken with one step: more would hold up the head. */
const WOKEN_AT_ONCE = 16;
/** Tokens whose sleeping pools are looked for with one step. */
const ASKED_AT_ONCE = 1_000;
/** Sleeping pools whose turn it is with a block, and those of them that are read at most. */
const IN_TURN = 500;
const LOOKED_AT = 8;
/** Tokens that were asked for last, of which pools that are found later stay awake; others are forgotten. */
const MAX_WANTED = 10_000;

export function createDemand(market: Pick<Market, "pools" | "depthOf">): Demand {
  return new DemandForTokens(market);
}

class DemandForTokens implements Demand {
  readonly #market: Pick<Market, "pools" | "depthOf">;
  /** Tokens that somebody has asked for, the one asked for last at the end, each with how many small pools have stayed awake for it. */
  readonly #wanted = new Map<Address, number>();
  /** Those of which pools may sleep, since pools were last woken. */
  readonly #asked = new Set<Address>();

  constructor(market: Pick<Market, "pools" | "depthOf">) {
    this.#market = market;
  }

  want(token: Address): void {
    const spared = this.#wanted.get(token) ?? 0;
    this.#wanted.delete(token);
    this.#wanted.set(token, spared);
    if (this.#wanted.size > MAX_WANTED) this.#wanted.delete(this.#wanted.keys().next().value!);
    if (this.#asked.size < MAX_WANTED) this.#asked.add(token);
  }

  sleepSmall(pools: Pick<PoolTracker, "sleep">, ids: readonly PoolId[]): Promise<void> {
    return pools.sleep(ids.filter((id) => this.#maySleep(id)));
  }

  isWorthFollowing(pool: PoolState): boolean {
    return this.#isDeep(pool) || this.#isSpared(pool.tokens);
  }

  isWorthReading(near: PoolState): boolean {
    return this.#isDeep(near) || near.tokens.some((token) => this.#spares(token));
  }

  noteSlept(pools: readonly Found[]): void {
    const partly = pools.filter(({ source }) => source.near !== undefined);
    for (const { ref } of partly) for (const token of ref.tokens) if (this.#spares(token)) this.#asked.add(token);
  }

  async wake(pools: Pick<PoolTracker, "asleep" | "wake">): Promise<boolean> {
    const ids: PoolId[] = [];
    for (const token of [...this.#asked].slice(0, ASKED_AT_ONCE)) {
      const sleeping = pools.asleep.with(token, MAX_WOKEN + 1);
      if (sleeping.length === 0 || sleeping.length > MAX_WOKEN) this.#asked.delete(token);
      else ids.push(...sleeping.slice(0, WOKEN_AT_ONCE - ids.length));
      if (ids.length === WOKEN_AT_ONCE) break;
    }
    if (ids.length > 0) await pools.wake([...new Set(ids)]);
    return ids.length > 0;
  }

  async wakeGrown(pools: Pick<PoolTracker, "asleep" | "peek" | "wake">): Promise<boolean> {
    const areWanted = (tokens: readonly Address[]) => tokens.every((token) => this.#wanted.has(token));
    const between = pools.asleep.next(IN_TURN).filter(({ tokens }) => areWanted(tokens));
    const looked = await pools.peek(between.slice(0, LOOKED_AT).map(({ id }) => id));
    const grown = looked.filter((pool) => this.#isDeep(pool));
    if (grown.length > 0) await pools.wake(grown.map(({ id }) => id));
    return grown.length > 0;
  }

  /** Pools without a state are left as they are. */
  #maySleep(id: PoolId): boolean {
    const pool = this.#market.pools.get(id);
    return pool !== undefined && !this.#isDeep(pool) && !this.#isSpared(pool.tokens);
  }

  #isDeep(pool: PoolState): boolean {
    return (this.#market.depthOf(pool) ?? 0n) >= DEEP_WEI;
  }

  /** Whether a token keeps small pools awake. */
  #spares(token: Address): boolean {
    return (this.#wanted.get(token) ?? MAX_WOKEN) < MAX_WOKEN;
  }

  /** Whether one of a small pool's tokens keeps it awake. */
  #isSpared(tokens: readonly Address[]): boolean {
    const token = tokens.find((each) => this.#spares(each));
    if (token === undefined) return false;
    this.#wanted.set(token, (this.#wanted.get(token) ?? 0) + 1);
    return true;
  }
}
