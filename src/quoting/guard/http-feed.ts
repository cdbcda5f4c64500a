import { messageOf } from "../../domain/message-of.ts";
import { type FeedRecord, parsePrice, type Reference, type ReferenceFeed } from "./reference.ts";

/** Milliseconds that an exchange may take. */
const TIMEOUT_MS = 3_000;
/** After failures the pause doubles, up to so many times the usual one. */
const MAX_PAUSES = 16;

/** Options for asking an exchange. */
interface HttpFeedOptions {
  readonly everyMs: number;
  /** One GET that follows no redirect and reads JSON of a bounded size. @throws Error without the URL in it */
  readonly ask: (url: URL, signal: AbortSignal) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number;
}

type HttpSource = Extract<FeedRecord["from"], { readonly url: URL }>;

/** A price of an exchange's public interface, asked for again and again: never more often, however many quotes there are. */
export class HttpFeed implements ReferenceFeed {
  readonly record: FeedRecord;
  readonly #from: HttpSource;
  readonly #options: HttpFeedOptions;
  readonly #stopped = new AbortController();
  #known: { readonly price: Reference["price"]; readonly at: number } | undefined;
  #trouble: string | undefined;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #first: Promise<void>;

  constructor(record: FeedRecord, from: HttpSource, options: HttpFeedOptions) {
    this.record = record;
    this.#from = from;
    this.#options = options;
    this.#first = this.#ask();
  }

  async at(): Promise<Reference | undefined> {
    // The first quotes wait for the first answer, which is there or has failed after a few seconds.
    await this.#first;
    return this.last();
  }

  last(): Reference | undefined {
    if (this.#known === undefined) return undefined;
    const { price, at } = this.#known;
    return { price, ageSeconds: (this.#options.elapsed() - at) / 1_000 };
  }

  trouble(): string | undefined {
    return this.#trouble;
  }

  stop(): void {
    this.#stopped.abort();
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    const { everyMs, ask, elapsed } = this.#options;
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const askedAt = elapsed();
    try {
      const { status, body } = await ask(this.#from.url, signal);
      const price = status === 200 ? priceIn(this.#from, body) : undefined;
      if (price === undefined) throw new Error(`HTTP ${status} without a price of ${this.#from.symbol}`);
      // As old as the question: the answer may have been under way.
      this.#known = { price, at: askedAt };
      [this.#trouble, this.#failures] = [undefined, 0];
    } catch (error) {
      [this.#trouble, this.#failures] = [messageOf(error), this.#failures + 1];
    }
    if (this.#stopped.signal.aborted) return;
    const pause = everyMs * Math.min(MAX_PAUSES, 2 ** Math.max(0, this.#failures - 1));
    this.#timer = setTimeout(() => void this.#ask(), pause);
    this.#timer.unref();
  }
}

/** The price in an answer, where it is one of the symbol that was asked for. */
function priceIn({ kind, symbol }: HttpSource, body: unknown): Reference["price"] | undefined {
  const wanted = symbol.toUpperCase();
  if (kind === "binance") {
    const answer = fieldsOf(body);
    return answer.symbol === wanted ? parsePrice(answer.price) : undefined;
  }
  const { base, currency, amount } = fieldsOf(fieldsOf(body).data);
  return `${base}-${currency}` === wanted ? parsePrice(amount) : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
