import { type RawData, WebSocket } from "ws";
import { messageOf } from "../domain/message-of.ts";
import { assertPublicHost, publicLookup } from "./guarded-lookup.ts";
import { askPeer, MAX_ANSWER_BYTES, parseJson } from "./guarded-request.ts";
import type { MakerRecord } from "./maker-record.ts";

/** Brings a maker's messages, for ever. What goes wrong is told in a few words and tried again. */
export interface LevelsFeed {
  stop(): void;
}

/** What a feed does with what it gets. */
export interface FeedEvents {
  /** One message's JSON; undefined when it is none. */
  message(json: unknown): void;
  fault(reason: string): void;
}

const FIRST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 15_000;
const HANDSHAKE_MS = 5_000;
/** A socket's messages are read no more often, the newest each time: a maker that never rests must not keep the thread. */
const READ_EVERY_MS = 50;
/** And for so many times as long as reading took none is read, up to a second: the largest take 20 to 30 ms. */
const RESTS = 19;
const MOST_REST_MS = 1_000;

/**
 * `silentMs`: a socket without a message for so long is dropped and made anew; an answer to a poll may take as long.
 * `elapsed`: milliseconds, of a clock that never goes back.
 */
export function createLevelsFeed(
  maker: MakerRecord,
  silentMs: number,
  events: FeedEvents,
  elapsed: () => number,
): LevelsFeed | undefined {
  const { levels } = maker;
  if (levels === undefined) return undefined;
  return levels.transport === "socket"
    ? followSocket(levels.url, maker, silentMs, events, elapsed)
    : poll(levels.url, levels.everyMs, maker, silentMs, events, elapsed);
}

/** Twice as long after each failure in a row. */
function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 10), MOST_PAUSE_MS);
}

function restAfter(readMs: number): number {
  return Math.min(RESTS * readMs, MOST_REST_MS);
}

function followSocket(
  url: URL,
  maker: MakerRecord,
  silentMs: number,
  events: FeedEvents,
  elapsed: () => number,
): LevelsFeed {
  let socket: WebSocket | undefined;
  let silence: NodeJS.Timeout | undefined;
  let reconnect: NodeJS.Timeout | undefined;
  let reading: NodeJS.Timeout | undefined;
  let newest: RawData | undefined;
  let failures = 0;
  let stopped = false;

  function again(reason: string): void {
    clearTimeout(silence);
    if (stopped) return;
    events.fault(reason);
    reconnect = setTimeout(connect, pauseAfter(failures));
    failures += 1;
  }

  function read(): void {
    reading = undefined;
    if (newest === undefined) return;
    const begun = elapsed();
    const json = parseJson(newest.toString());
    newest = undefined;
    events.message(json);
    reading = setTimeout(read, Math.max(READ_EVERY_MS, restAfter(elapsed() - begun)));
  }

  function connect(): void {
    try {
      if (!maker.allowPrivateNetwork) assertPublicHost(url);
    } catch (error) {
      again(messageOf(error));
      return;
    }
    const current = new WebSocket(url, {
      headers: { ...maker.headers },
      maxPayload: MAX_ANSWER_BYTES,
      handshakeTimeout: HANDSHAKE_MS,
      followRedirects: false,
      perMessageDeflate: false,
      ...(!maker.allowPrivateNetwork && { lookup: publicLookup }),
    });
    socket = current;
    let reason = "the connection was closed";
    const listen = () => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        reason = "the socket is mute";
        current.terminate();
      }, silentMs);
    };
    current.on("open", listen);
    current.on("message", (data) => {
      failures = 0;
      listen();
      newest = data;
      if (reading === undefined) read();
    });
    current.on("error", (error) => {
      reason = "code" in error && typeof error.code === "string" ? `no connection (${error.code})` : "no connection";
      current.terminate();
    });
    current.on("close", () => again(reason));
  }

  connect();
  return {
    stop() {
      stopped = true;
      clearTimeout(silence);
      clearTimeout(reconnect);
      clearTimeout(reading);
      socket?.terminate();
    },
  };
}

function poll(
  url: URL,
  everyMs: number,
  maker: MakerRecord,
  silentMs: number,
  events: FeedEvents,
  elapsed: () => number,
): LevelsFeed {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;

  async function turn(): Promise<void> {
    let restMs = 0;
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(silentMs), stopping.signal]);
      const { status, body } = await askPeer(url, maker, signal);
      if (status !== 200) throw new Error(`HTTP ${status}`);
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
