import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import { PAST_BLOCKS } from "../../market/past-blocks.ts";
import type { FeedRecord, Reference, ReferenceFeed } from "./reference.ts";

/** `decimals()` and `latestRoundData()` of AggregatorV3Interface. */
const DECIMALS: Hex = "0x313ce567";
const LATEST_ROUND_DATA: Hex = "0xfeaf968c";
/** Milliseconds that a node may take: a quote waits for it. */
const TIMEOUT_MS = 2_000;
const MAX_DECIMALS = 36n;
const WORD_DIGITS = 64;
const SIGN = 1n << 255n;
/** Blocks whose prices are kept: those that prices are asked at, and a few that the chain has left. */
const MAX_BLOCKS = PAST_BLOCKS + 8;

/** A price that a contract tells: read once at each block that somebody is quoted at, at that very block. */
export class ChainlinkFeed implements ReferenceFeed {
  readonly record: FeedRecord;
  readonly #aggregator: Address;
  readonly #reader: Pick<ChainReader, "calls">;
  /** Milliseconds since 1970. */
  readonly #now: () => number;
  /** By the hash of the block, the one that was read last standing last. */
  readonly #read = new Map<Hex, Promise<Reference | undefined>>();
  /** Number of the newest block that was asked at. */
  #newest: bigint | undefined;
  #last: Reference | undefined;
  #trouble: string | undefined;

  constructor(
    record: FeedRecord,
    aggregator: Address,
    options: { readonly reader: Pick<ChainReader, "calls">; readonly now: () => number },
  ) {
    this.record = record;
    this.#aggregator = aggregator;
    this.#reader = options.reader;
    this.#now = options.now;
  }

  at(block: BlockRef): Promise<Reference | undefined> {
    const known = this.#read.get(block.hash);
    if (known !== undefined) return known;
    const reading = this.#ask(block);
    this.#read.set(block.hash, reading);
    for (const hash of this.#read.keys()) {
      if (this.#read.size <= MAX_BLOCKS) break;
      this.#read.delete(hash);
    }
    return reading;
  }

  last(): Reference | undefined {
    return this.#last;
  }

  trouble(): string | undefined {
    return this.#trouble;
  }

  stop(): void {}

  async #ask(block: BlockRef): Promise<Reference | undefined> {
    const calls = [DECIMALS, LATEST_ROUND_DATA].map((data) => ({ to: this.#aggregator, data }));
    try {
      const answers = await this.#reader.calls(calls, block, { deadlineMs: this.#now() + TIMEOUT_MS });
      const reference = referenceIn(answers, block);
      this.#note(block, reference, reference === undefined ? "the contract tells no price" : undefined);
      return reference;
    } catch (error) {
      // The next one asks again: that a node failed says nothing of the block.
      this.#read.delete(block.hash);
      this.#note(block, undefined, messageOf(error));
      return undefined;
    }
  }

  /** Tells of the newest block alone: prices at earlier ones are no news. */
  #note({ number }: BlockRef, reference: Reference | undefined, trouble: string | undefined): void {
    if (this.#newest !== undefined && number < this.#newest) return;
    [this.#newest, this.#last, this.#trouble] = [number, reference, trouble];
  }
}

/** Price in the answers of the two calls; undefined if there is none. Its age is that of the round at the block's time. */
function referenceIn([decimals, round]: readonly (Hex | undefined)[], block: BlockRef): Reference | undefined {
  const [places] = wordsOf(decimals);
  const [, answer, , updatedAt] = wordsOf(round);
  if (places === undefined || places > MAX_DECIMALS || answer === undefined || updatedAt === undefined)
    return undefined;
  // A price is an int256: at and below zero it is none. A round that is not complete has no time.
  if (answer === 0n || answer >= SIGN || updatedAt === 0n) return undefined;
  return { price: { num: answer, den: 10n ** places }, ageSeconds: Math.max(0, Number(block.timestamp - updatedAt)) };
}

function wordsOf(data: Hex = "0x"): readonly bigint[] {
  const words = data.slice(2).match(new RegExp(`.{${WORD_DIGITS}}`, "g")) ?? [];
  return words.map((word) => BigInt(`0x${word}`));
}
