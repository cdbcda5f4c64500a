import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { connectionOf } from "./database.ts";

/** Data that another process may have changed. */
export type Topic = "keys" | "switches";

const CHANNEL = "tributary_changes";

/** Milliseconds until a connection has to be there, and until a sign of life has to be answered. */
const ANSWER_TIMEOUT_MS = 3_000;

/** Milliseconds between two signs of life of the connection: one that is dead tells nothing. */
const PING_EVERY_MS = 2_000;

/** Milliseconds between two tries to connect: this many, and up to as many more, so that replicas do not all come at once. */
const RETRY_AFTER_MS = 500;

/**
 * Hears by LISTEN when another process has changed something. Words get lost while there is no connection, and through poolers
 * that share connections by transaction: who listens looks by itself as well. After each new connection everybody is told.
 */
export class ChangeListener {
  readonly #url: string;
  readonly #told = new Map<Topic, Set<() => void>>();
  readonly #ended = new AbortController();
  #client: pg.Client | undefined;
  #running: Promise<void> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Calls `told` after each change; connects with the first of these. What is returned ends it. */
  on(topic: Topic, told: () => void): () => void {
    const listeners = this.#told.get(topic) ?? new Set();
    this.#told.set(topic, listeners.add(told));
    this.#running ??= this.#run();
    return () => void listeners.delete(told);
  }

  async close(): Promise<void> {
    this.#ended.abort();
    // A pending wait ends with the connection.
    this.#drop();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        await this.#listen();
      } catch {
        // Listeners look by themselves, and report the error.
      } finally {
        this.#drop();
      }
      const pause = RETRY_AFTER_MS * (1 + Math.random());
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Listens until the connection ends. @throws Error when it ends otherwise than by `close` */
  async #listen(): Promise<void> {
    const client = new pg.Client({
      ...connectionOf(this.#url),
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    });
    this.#client = client;
    let broken: unknown;
    client.on("error", (error) => {
      broken = error;
    });
    client.on("notification", ({ payload }) => this.#tell((topic) => topic === payload));
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
    this.#tell(() => true);
    while (!this.#ended.signal.aborted) {
      await sleep(PING_EVERY_MS, undefined, { signal: this.#ended.signal, ref: false }).catch(() => {});
      if (broken !== undefined) throw broken;
      if (!this.#ended.signal.aborted) await client.query("SELECT 1");
    }
  }

  #tell(concerns: (topic: Topic) => boolean): void {
    for (const [topic, listeners] of this.#told) if (concerns(topic)) for (const told of listeners) told();
  }

  #drop(): void {
    // Ends at once: its other side may not be there to say farewell to.
    const socket = (this.#client as unknown as { readonly connection?: { readonly stream: { destroy(): void } } })
      ?.connection;
    socket?.stream.destroy();
    this.#client = undefined;
  }
}
