import { messageOf } from "../../domain/message-of.ts";
import { MAX_QUOTES } from "../../quoting/record/quote-log.ts";
import type { Outbox } from "../sqlite/outbox.ts";
import type { Database } from "./database.ts";
import { addQuotes, trimQuotes } from "./quote-log.ts";
import { countBatch } from "./usage-database.ts";

/** Milliseconds between two deliveries; twice as many after one that failed. */
const DELIVER_EVERY_MS = 1_000;

/** Quotes that go out in one statement. */
const QUOTES_AT_A_TIME = 200;

/** Quotes delivered between two looks whether there are too many. */
const TRIM_EVERY = 1_000;

/** Days after which a writer that nobody heard of is forgotten, looked for every so many batches. */
const WRITER_DAYS = 90;
const FORGET_WRITERS_EVERY = 10_000;

/** Milliseconds that the last delivery may take: what has not arrived then waits for the next start. */
const LAST_DELIVERY_MS = 3_000;

export interface DeliveryOptions {
  /** Quotes that are kept; older ones are dropped. */
  readonly mostQuotes?: number;
  readonly everyMs?: number;
  /** Told once of each outage. */
  readonly onFault?: (reason: string) => void;
  readonly onRecovery?: () => void;
}

/**
 * Brings what waits in an outbox to the database, in its order, once. When the answer to a delivery is lost it is sent again
 * under its name, and the database takes it once.
 */
export class Delivery {
  readonly #outbox: Outbox;
  readonly #database: Database;
  readonly #options: DeliveryOptions;
  #delivering: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failing = false;
  #stopped = false;
  #untilTrim = TRIM_EVERY;
  #untilForget = FORGET_WRITERS_EVERY;

  constructor(outbox: Outbox, database: Database, options: DeliveryOptions = {}) {
    this.#outbox = outbox;
    this.#database = database;
    this.#options = options;
  }

  /** Delivers from now on, until `stop`. */
  start(): void {
    const again = () => this.#flushed().then(next);
    const next = () => {
      const { everyMs = DELIVER_EVERY_MS } = this.#options;
      if (!this.#stopped) this.#timer = setTimeout(again, this.#failing ? 2 * everyMs : everyMs).unref();
    };
    next();
  }

  /** Delivers all that waits now. @throws Error when it cannot, and what has not arrived waits on */
  async flush(): Promise<void> {
    // A flush waits for a delivery under way and makes another: that one may have passed what was added since.
    await this.#delivering?.catch(() => {});
    this.#delivering ??= this.#deliver().finally(() => {
      this.#delivering = undefined;
    });
    await this.#delivering;
  }

  /** Whether the last try has failed. */
  get failing(): boolean {
    return this.#failing;
  }

  /** Delivers what it can within seconds, and no more after that. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.race([this.#flushed(), new Promise((resolve) => setTimeout(resolve, LAST_DELIVERY_MS).unref())]);
    this.#stopped = true;
  }

  async #flushed(): Promise<void> {
    const { onFault, onRecovery } = this.#options;
    try {
      await this.flush();
      if (this.#failing) onRecovery?.();
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) onFault?.(messageOf(error));
      this.#failing = true;
    }
  }

  async #deliver(): Promise<void> {
    for (let batch = this.#outbox.nextBatch(); batch !== undefined; batch = this.#outbox.nextBatch()) {
      await countBatch(this.#database, batch);
      // It is sent again from the next start on, and not counted again.
      if (this.#stopped) return;
      this.#outbox.dropBatch(batch);
      this.#untilForget -= 1;
    }
    for (;;) {
      const quotes = this.#outbox.nextQuotes(QUOTES_AT_A_TIME);
      if (quotes.length === 0) break;
      await addQuotes((text, values) => this.#database.query(text, values), quotes);
      if (this.#stopped) return;
      this.#outbox.dropQuotes(quotes.at(-1)!.number);
      this.#untilTrim -= quotes.length;
    }
    await this.#tidy();
  }

  async #tidy(): Promise<void> {
    if (this.#untilTrim <= 0) {
      await trimQuotes(this.#database, this.#options.mostQuotes ?? MAX_QUOTES);
      this.#untilTrim = TRIM_EVERY;
    }
    if (this.#untilForget <= 0) {
      const days = `${WRITER_DAYS} days`;
      await this.#database.query("DELETE FROM tributary.writers WHERE seen_at < now() - $1::interval", [days]);
      this.#untilForget = FORGET_WRITERS_EVERY;
    }
  }
}
