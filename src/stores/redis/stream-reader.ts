import { setImmediate as breathe, setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { FeedReader } from "../../market/feed/shared-feed.ts";
import type { KeyNames } from "./connection.ts";
import type { Pulse } from "./pulse.ts";

/** Milliseconds that one command waits for entries; without any for so long the stream may be another one. */
const BLOCK_MS = 1_000;
const SILENT_MS = 3_000;
/** Entries and bytes' worth of a whole state in one answer. */
const ENTRIES_AT_ONCE = 64;
/** Milliseconds between two looks for a first whole state, and after one that could not be followed. */
const LOOK_EVERY_MS = 200;
const AGAIN_AFTER_MS = 500;

/** Answers of XREAD: streams with their entries. */
type Answer = readonly (readonly [Buffer, readonly (readonly [id: Buffer, fields: readonly Buffer[]])[]])[] | null;

interface StreamSource {
  readonly redis: Redis;
  readonly names: KeyNames;
  readonly pulse: Pick<Pulse, "ageOf">;
}

/** Reads a fleet's feed step by step: a whole state, then what follows on it. */
export class StreamReader {
  readonly #from: StreamSource;
  readonly #reader: FeedReader;
  /** The entry that was read last; undefined: a whole state is to be read. */
  #after: string | undefined;
  /** Key of the whole state that all else follows on. */
  #whole = "";
  #heardAt = 0;
  #isOver = false;

  constructor(from: StreamSource, reader: FeedReader) {
    this.#from = from;
    this.#reader = reader;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Reads what is there, or waits for it a little. @throws what Redis fails with: then it is tried again from here */
  async step(): Promise<void> {
    if (this.#after === undefined) await this.#begin();
    else await this.#read(this.#after);
  }

  async #begin(): Promise<void> {
    const { redis, names } = this.#from;
    const [key, after, count, at] = await redis.hmget(names.newest, "key", "after", "count", "at");
    if (key == null || after == null) {
      if (!this.#isOver) this.#reader.nothing();
      await sleep(LOOK_EVERY_MS);
      return;
    }
    if (!this.#isOver) this.#reader.begin();
    let taken = 0;
    while (taken < Number(count)) {
      const entries = await redis.lrangeBuffer(key, taken, taken + ENTRIES_AT_ONCE - 1);
      // It has given way to a newer one meanwhile.
      if (entries.length === 0) return;
      taken += entries.length;
      if (!(await this.#take(entries.map((entry) => ({ entry, at: Number(at) }))))) {
        await sleep(AGAIN_AFTER_MS);
        return;
      }
    }
    this.#whole = key;
    this.#after = after;
    this.#heardAt = performance.now();
  }

  async #read(after: string): Promise<void> {
    const { redis, names } = this.#from;
    const answer = (await redis.xreadBuffer(
      ...(["COUNT", ENTRIES_AT_ONCE, "BLOCK", BLOCK_MS, "STREAMS", names.stream, after] as const),
    )) as Answer;
    const entries = answer?.[0]?.[1] ?? [];
    if (entries.length === 0) return this.#lookAgain();
    this.#heardAt = performance.now();
    for (const [id, fields] of entries) {
      const name = id.toString();
      if (!(await this.#take([{ entry: fields[1] as Buffer, at: Number(name.split("-")[0]) }]))) {
        this.#after = undefined;
        return;
      }
      this.#after = name;
    }
  }

  /** Hands entries over, with turns for others between them; whether all were taken. */
  async #take(entries: readonly { readonly entry: Buffer; readonly at: number }[]): Promise<boolean> {
    for (const { entry, at } of entries) {
      if (this.#isOver) return false;
      if (!this.#reader.take(entry, this.#from.pulse.ageOf(at))) return false;
      await breathe();
    }
    return true;
  }

  /** Begins anew where the stream has said nothing for long and its whole state is another: it was emptied, or dropped entries. */
  async #lookAgain(): Promise<void> {
    if (performance.now() - this.#heardAt < SILENT_MS) return;
    this.#heardAt = performance.now();
    const { redis, names } = this.#from;
    const key = await redis.hget(names.newest, "key");
    if (key !== this.#whole) this.#after = undefined;
  }
}
