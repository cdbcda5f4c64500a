import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { messageOf } from "../../domain/message-of.ts";
import { type FeedReader, LeaseLostError, type Question, type SharedFeed } from "../../market/feed/shared-feed.ts";
import type { Logger } from "../../ops/logger.ts";
import type { KeyNames } from "./connection.ts";
import type { Pulse } from "./pulse.ts";
import { APPEND, NEWEST } from "./scripts.ts";
import { StreamReader } from "./stream-reader.ts";

/** Milliseconds that what is kept outlives its writer, and a whole state the next one, for those who read it. */
const KEPT_MS = 86_400_000;
const READ_STILL_MS = 60_000;
/** Bytes of a whole state in one command. */
const BYTES_AT_ONCE = 1_000_000;

interface StreamCommands {
  tributaryAppend(...values: readonly (string | number | Uint8Array)[]): Promise<string | null>;
  tributaryNewest(...values: readonly (string | number)[]): Promise<number | null>;
}

interface StreamOptions {
  /** For commands, for reading what comes (which blocks it), and for questions. */
  readonly connections: { readonly writing: Redis; readonly reading: Redis; readonly hearing: Redis };
  readonly names: KeyNames;
  readonly pulse: Pulse;
  readonly logger: Logger;
}

/** The market's feed over a stream of Redis and a list with the newest whole state. Every writing is fenced by the lease. */
export class MarketStream implements SharedFeed {
  readonly #options: StreamOptions;
  readonly #questions = new Set<(question: Question) => void>();
  #wholes = 0;

  constructor(options: StreamOptions) {
    const { connections, names } = options;
    const { writing, hearing } = connections;
    this.#options = options;
    writing.defineCommand("tributaryAppend", { numberOfKeys: 2, lua: APPEND });
    writing.defineCommand("tributaryNewest", { numberOfKeys: 3, lua: NEWEST });
    hearing.on("ready", () => void hearing.subscribe(names.questions).catch(() => {}));
    hearing.on("message", (_channel: string, text: string) => this.#hear(text));
  }

  get lease() {
    return this.#options.pulse.lease;
  }

  onLease(listener: () => void): () => void {
    return this.#options.pulse.onLease(listener);
  }

  compete(wants: boolean): void {
    this.#options.pulse.compete(wants);
  }

  async append(token: number, entry: Uint8Array): Promise<string> {
    const { lease, stream } = this.#options.names;
    const id = await this.#commands.tributaryAppend(lease, stream, token, Buffer.from(entry));
    if (id === null) throw new LeaseLostError(token);
    return id;
  }

  async keepWhole(token: number, entries: readonly Uint8Array[], after: string | undefined): Promise<void> {
    const { connections, names } = this.#options;
    const { writing } = connections;
    this.#wholes += 1;
    const key = names.whole(token, this.#wholes);
    for (const group of inGroups(entries)) {
      await writing.rpush(key, ...group);
      // Set after each group, so that the key expires even if this process ends here: nobody else knows it.
      await writing.pexpire(key, READ_STILL_MS);
    }
    const { lease, stream, newest } = names;
    const values = [token, key, after ?? "", entries.length, KEPT_MS, READ_STILL_MS];
    const isKept = await this.#commands.tributaryNewest(lease, stream, newest, ...values);
    if (isKept === null) throw new LeaseLostError(token);
  }

  follow(reader: FeedReader): () => void {
    const { connections, names, pulse, logger } = this.#options;
    const following = new StreamReader({ redis: connections.reading, names, pulse }, reader);
    void this.#read(following, logger);
    return () => following.stop();
  }

  ask(question: Question): void {
    const { connections, names } = this.#options;
    connections.writing.publish(names.questions, JSON.stringify(question)).catch(() => {});
  }

  onQuestion(listener: (question: Question) => void): () => void {
    this.#questions.add(listener);
    return () => this.#questions.delete(listener);
  }

  get #commands(): StreamCommands {
    return this.#options.connections.writing as unknown as StreamCommands;
  }

  async #read(following: StreamReader, logger: Logger): Promise<void> {
    for (let faults = 0; !following.isOver; ) {
      try {
        await following.step();
        faults = 0;
      } catch (error) {
        if (faults === 0 && !following.isOver) logger.debug({ reason: messageOf(error) }, "the feed could not be read");
        faults += 1;
        await sleep(Math.min(50 * 2 ** Math.min(faults, 8), 500));
      }
    }
  }

  #hear(text: string): void {
    try {
      const question = JSON.parse(text) as Partial<Record<"kind" | "tokens" | "pools", unknown>>;
      const names = question.kind === "recheck" ? question.pools : question.tokens;
      if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) return;
      for (const listener of this.#questions) listener(question as Question);
    } catch (error) {
      this.#options.logger.debug({ reason: messageOf(error) }, "a question of the fleet was none");
    }
  }
}

function* inGroups(entries: readonly Uint8Array[]): Generator<Buffer[]> {
  let group: Buffer[] = [];
  let bytes = 0;
  for (const entry of entries) {
    group.push(Buffer.from(entry));
    bytes += entry.length;
    if (bytes < BYTES_AT_ONCE) continue;
    yield group;
    [group, bytes] = [[], 0];
  }
  if (group.length > 0) yield group;
}
