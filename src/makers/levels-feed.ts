import { type RawData, WebSocket } from "ws";
import { messageOf } from "../domain/message-of.ts";
import { assertPublicHost, publicLookup } from "./guarded-lookup.ts";
import { askPeer, MAX_ANSWER_BYTES, parseJson, reasonOfStatus } from "./guarded-request.ts";
import type { MakerRecord } from "./maker-record.ts";

/** Brings a maker's messages, for ever. What goes wrong is told in a few words and tried again. */
export interface LevelsFeed {
  stop(): void;
}

/** Listeners for a feed's messages and faults. */
export interface FeedEvents {
  /** One message's JSON; undefined when it is none. */
  message(json: unknown): void;
  fault(reason: string): void;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;
const HANDSHAKE_MS = 5_000;
/** A socket's messages are read no more often, the newest each time: a maker that never rests must not keep the thread. */
const READ_EVERY_MS = 50;
/** And for so many times as long as reading took none is read, up to a second: the largest take 20 to 30 ms. */
const RESTS = 19;
const MAX_REST_MS = 1_000;

/** Dependencies and limits of a feed. */
interface FeedOptions {
  readonly maker: MakerRecord;
  /** A socket's message as JSON, undefined if it is none. Absent: its text is JSON. */
  readonly parse?: ((bytes: Buffer) => unknown) | undefined;
  /** Most bytes of one message. Absent: MAX_ANSWER_BYTES. */
  readonly maxBytes?: number | undefined;
  /** A socket without a message for so long is dropped and made anew; an answer to a poll may take as long. */
  readonly silentMs: number;
  readonly events: FeedEvents;
  /** Milliseconds, of a clock that never goes back. */
  readonly elapsed: () => number;
}

/** Undefined for a maker that shows no levels. */
export function createLevelsFeed(options: FeedOptions): LevelsFeed | undefined {
  const { levels } = options.maker;
  if (levels === undefined) return undefined;
  return levels.transport === "socket"
    ? new SocketFeed(levels.url, options)
    : poll(levels.url, levels.everyMs, options);
}

/** Twice as long after each failure in a row. */
function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 10), MAX_PAUSE_MS);
}

function restAfter(readMs: number): number {
  return Math.min(RESTS * readMs, MAX_REST_MS);
}

/** Levels from a socket, which is made anew whenever it ends. */
class SocketFeed implements LevelsFeed {
  readonly #url: URL;
  readonly #options: FeedOptions;
  #socket: WebSocket | undefined;
  #silence: NodeJS.Timeout | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #reading: NodeJS.Timeout | undefined;
  #newest: RawData | undefined;
  #failures = 0;
  #stopped = false;

  constructor(url: URL, options: FeedOptions) {
    this.#url = url;
    this.#options = options;
    this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#silence);
    clearTimeout(this.#reconnect);
    clearTimeout(this.#reading);
    this.#socket?.terminate();
  }

  #connect(): void {
    const { maker } = this.#options;
    try {
      if (!maker.allowPrivateNetwork) assertPublicHost(this.#url);
    } catch (error) {
      this.#again(messageOf(error));
      return;
    }
    const socket = new WebSocket(this.#url, {
      headers: { ...maker.headers },
      maxPayload: this.#options.maxBytes ?? MAX_ANSWER_BYTES,
      handshakeTimeout: HANDSHAKE_MS,
      followRedirects: false,
      perMessageDeflate: false,
      ...(!maker.allowPrivateNetwork && { lookup: publicLookup }),
    });
    this.#socket = socket;
    this.#listen(socket);
  }

  #listen(socket: WebSocket): void {
    let reason = "the connection was closed";
    const waitForMore = () => {
      clearTimeout(this.#silence);
      this.#silence = setTimeout(() => {
        reason = "the socket is mute";
        socket.terminate();
      }, this.#options.silentMs);
    };
    socket.on("open", waitForMore);
    socket.on("message", (data) => {
      this.#failures = 0;
      waitForMore();
      this.#newest = data;
      if (this.#reading === undefined) this.#read();
    });
    socket.on("unexpected-response", (request, response) => {
      reason = reasonOfStatus(response.statusCode ?? 0);
      request.destroy();
      socket.terminate();
    });
    socket.on("error", (error) => {
      if (socket.readyState === WebSocket.CLOSED) return;
      reason = "code" in error && typeof error.code === "string" ? `no connection (${error.code})` : "no connection";
      socket.terminate();
    });
    socket.on("close", () => this.#again(reason));
  }

  #again(reason: string): void {
    clearTimeout(this.#silence);
    if (this.#stopped) return;
    this.#options.events.fault(reason);
    this.#reconnect = setTimeout(() => this.#connect(), pauseAfter(this.#failures));
    this.#failures += 1;
  }

  #read(): void {
    this.#reading = undefined;
    if (this.#newest === undefined) return;
    const { events, elapsed, parse = textOf } = this.#options;
    const begun = elapsed();
    const json = parse(this.#newest as Buffer);
    this.#newest = undefined;
    events.message(json);
    this.#reading = setTimeout(() => this.#read(), Math.max(READ_EVERY_MS, restAfter(elapsed() - begun)));
  }
}

const textOf = (bytes: Buffer) => parseJson(bytes.toString("utf8"));

function poll(url: URL, everyMs: number, options: FeedOptions): LevelsFeed {
  const { maker, silentMs, events, elapsed, maxBytes } = options;
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;

  async function turn(): Promise<void> {
    let restMs = 0;
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(silentMs), stopping.signal]);
      const { status, body } = await askPeer(url, { ...maker, maxBytes }, signal);
      if (status !== 200) throw new Error(reasonOfStatus(status));
      failures = 0;
      const begun = elapsed();
      events.message(body);
      restMs = restAfter(elapsed() - begun);
    } catch (error) {
      if (stopping.signal.aborted) return;
      failures += 1;
      events.fault(messageOf(error));
    }
    const pauseMs = Math.max(everyMs, failures === 0 ? restMs : pauseAfter(failures - 1));
    timer = setTimeout(turn, pauseMs);
  }

  void turn();
  return {
    stop() {
      stopping.abort();
      clearTimeout(timer);
    },
  };
}
