import { keccak256, toEventSelector } from "viem";
import { type Address, type Hex, NATIVE_TOKEN } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { UnservedReason } from "../../market/eligibility.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import { programOf } from "../../pools/aqua/program.ts";
import { addressAt, uintAt } from "../reading/words.ts";
import { type AquaOrder, callsHooks, isPlain, orderOf, strategyOf } from "./order.ts";
import type { AquaRecord } from "./record.ts";

/** Announcement of a strategy, and the balances that it begins with: one log for each token, in the same transaction. */
export const SHIPPED = toEventSelector("Shipped(address,address,bytes32,bytes)");
export const PUSHED = toEventSelector("Pushed(address,address,bytes32,address,uint256)");
/** Words before a strategy's bytes in its announcement: maker, app, hash, where they begin, their length. */
const HEAD_WORDS = 5;
/** Blocks with half an announcement that are remembered at a time: the head and the search for older ones take turns. */
const MAX_BLOCKS = 16;

interface Shipped {
  readonly order: AquaOrder;
  readonly hash: Hex;
}

/** The strategy that a log announces for the record's router, by the maker of its order; undefined for any other log. */
function shippedIn({ aqua, router }: AquaRecord, { address, topics: [topic], data }: Log): Shipped | undefined {
  if (address !== aqua || topic !== SHIPPED || addressAt(data, 1) !== router) return undefined;
  const length = uintAt(data, 4, 24);
  if (length === undefined) return undefined;
  const start = 2 + HEAD_WORDS * 64;
  const strategy: Hex = `0x${data.slice(start, start + 2 * Number(length))}`;
  const order = orderOf(strategy);
  const hash = keccak256(strategy);
  if (order === undefined || addressAt(data, 0) !== order.maker || hash !== hashIn(data)) return undefined;
  return { order, hash };
}

/** The strategy's hash in any of Aqua's logs, which is their third word. */
export function hashIn(data: Hex): Hex {
  return `0x${data.slice(130, 194)}`;
}

/** Why a strategy is not served; undefined for one that is. */
function refusalOf(order: AquaOrder): UnservedReason | undefined {
  if (callsHooks(order)) return "UNKNOWN_HOOKS";
  return isPlain(order) && programOf(order.data) !== undefined ? undefined : "UNKNOWN_VERSION";
}

/** Why the strategy that a log announces is not served. */
export function refusedStrategy(record: AquaRecord, log: Log): UnservedReason | undefined {
  const shipped = shippedIn(record, log);
  return shipped && refusalOf(shipped.order);
}

/** Strategies that Aqua announces: an announcement names no tokens, which the logs right behind it do. */
export class ShippedStrategies {
  readonly #record: AquaRecord;
  /**
   * Strategies of the blocks that were looked at last, with the tokens that they have so far, until they have both: the search may pass
   * thousands of blocks while the head rests between two logs of one.
   */
  readonly #blocks = new Map<Hex, Map<Hex, { readonly shipped: Shipped; readonly tokens: Address[] }>>();

  constructor(record: AquaRecord) {
    this.#record = record;
  }

  /** The strategy of which a log tells the second token; logs of a block have to come in their order. */
  created(log: Log): PoolRef | undefined {
    const shipped = shippedIn(this.#record, log);
    if (shipped !== undefined) {
      if (refusalOf(shipped.order) === undefined)
        this.#strategiesOf(log.blockHash).set(shipped.hash, { shipped, tokens: [] });
      return undefined;
    }
    const { address, topics, data } = log;
    const [topic] = topics;
    if (address !== this.#record.aqua || topic !== PUSHED || addressAt(data, 1) !== this.#record.router)
      return undefined;
    const hash = hashIn(data);
    const strategies = this.#blocks.get(log.blockHash);
    const known = strategies?.get(hash);
    const token = addressAt(data, 3);
    if (known === undefined || token === undefined || addressAt(data, 0) !== known.shipped.order.maker)
      return undefined;
    if (!known.tokens.includes(token)) known.tokens.push(token);
    if (known.tokens.length < 2) return undefined;
    strategies?.delete(hash);
    if (strategies?.size === 0) this.#blocks.delete(log.blockHash);
    return known.tokens.includes(NATIVE_TOKEN) ? undefined : refOf(this.#record, known.shipped.order, known.tokens);
  }

  #strategiesOf(block: Hex) {
    const strategies = this.#blocks.get(block) ?? new Map();
    this.#blocks.delete(block);
    this.#blocks.set(block, strategies);
    for (const oldest of this.#blocks.keys()) if (this.#blocks.size > MAX_BLOCKS) this.#blocks.delete(oldest);
    return strategies;
  }
}

/** A strategy by its order and tokens; its id is the hash that Aqua and the router know it by. */
export function refOf({ aqua }: Pick<AquaRecord, "aqua">, order: AquaOrder, tokens: readonly Address[]): PoolRef {
  return {
    id: keccak256(strategyOf(order)),
    address: aqua,
    tokens: tokens.toSorted((one, other) => (one < other ? -1 : 1)),
    terms: { maker: order.maker, traits: `0x${order.traits.toString(16)}`, program: order.data },
  };
}

/** The order of a reference's terms; undefined where the reference is none of a strategy that is served. */
export function orderOfRef(record: Pick<AquaRecord, "aqua">, ref: PoolRef): AquaOrder | undefined {
  const { maker, traits, program } = ref.terms;
  if (!isHex(maker) || maker.length !== 42 || !isHex(traits) || !isHex(program)) return undefined;
  const order = { maker: maker as Address, traits: BigInt(traits), data: program };
  const own = refOf(record, order, ref.tokens);
  // Nobody tests the native token: Aqua counts what a maker says of it, and can move none.
  if (ref.tokens.includes(NATIVE_TOKEN)) return undefined;
  const isItself = own.id === ref.id && own.address === ref.address && own.tokens.join() === ref.tokens.join();
  return isItself && new Set(ref.tokens).size === 2 && refusalOf(order) === undefined ? order : undefined;
}

function isHex(text: string | undefined): text is Hex {
  return text !== undefined && /^0x[0-9a-f]*$/.test(text) && text.length > 2;
}
