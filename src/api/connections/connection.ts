import type { Socket } from "node:net";
import type { Response } from "../http/messages.ts";

/** Milliseconds that an HTTP/2 connection has to take its last answers in, once its address has sent too much. */
const LAST_ANSWERS_MS = 1_000;

/** End of a connection: at once, or with the answers that are under way. */
export interface Ends {
  cut(): void;
  finish(): void;
}

/** One connection, and what it may do. */
export class Connection {
  /** Names it in the ledger. */
  readonly id: string;
  readonly network: string;
  readonly isProxy: boolean;
  readonly #socket: Socket;
  #ends: Ends;
  #giveBack: (() => void) | undefined;
  /** Answers under way that keep it from being idle. */
  readonly #useful = new Set<Response>();
  #lastUseful = performance.now();
  #streams = 0;
  #isEnding = false;
  #bytesSeen = 0;
  keyId: string | undefined;

  constructor(id: string, peer: { readonly network: string; readonly isProxy: boolean }, socket: Socket) {
    this.id = id;
    this.network = peer.network;
    this.isProxy = peer.isProxy;
    this.#socket = socket;
    this.#ends = { cut: () => socket.destroy(), finish: () => socket.destroySoon() };
  }

  cut(): void {
    this.#ends.cut();
  }

  /** Sets how it ends, once its protocol is known. */
  endBy(ends: Ends): void {
    this.#ends = ends;
  }

  /** Milliseconds for which nothing was asked of it; streams that need no key count as nothing. */
  idleMs(now: number): number {
    return this.#useful.size > 0 ? 0 : now - this.#lastUseful;
  }

  get isIdle(): boolean {
    return this.#useful.size === 0;
  }

  /** Whether nothing but streams that need no key are open on it. */
  get onlyStreams(): boolean {
    return this.isIdle && this.#streams > 0;
  }

  /** Bytes that came on it since they were last taken. */
  takeBytes(): number {
    const bytes = this.#socket.bytesRead;
    const fresh = bytes - this.#bytesSeen;
    this.#bytesSeen = bytes;
    return fresh;
  }

  begin(response: Response): void {
    this.#useful.add(response);
    response.once("close", () => this.#end(response));
  }

  #end(response: Response): void {
    if (this.#useful.delete(response)) this.#lastUseful = performance.now();
  }

  /** A stream that needs no key: it does not keep the connection from being idle. */
  beginKeylessStream(response: Response): void {
    this.#end(response);
    this.#streams += 1;
    response.once("close", () => {
      this.#streams -= 1;
    });
  }

  /** Lets the connection end with an answer. @returns false when that was so before, and others keep coming */
  endWith(response: Response): boolean {
    if (!("stream" in response)) {
      if (!response.headersSent) response.setHeader("connection", "close");
      return true;
    }
    if (this.#isEnding) return false;
    this.#isEnding = true;
    this.#ends.finish();
    // A peer that does not hang up, or takes no answer, would keep it.
    if (this.keyId === undefined) setTimeout(() => this.cut(), LAST_ANSWERS_MS).unref();
    return true;
  }

  /** Gives back its place in the ledger, for another one or none. */
  moveTo(giveBack?: () => void): void {
    this.#giveBack?.();
    this.#giveBack = giveBack;
  }
}
