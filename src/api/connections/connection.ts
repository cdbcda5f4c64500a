import type { Response } from "./messages.ts";

/** Requests beyond their address's rate after which an HTTP/2 connection is cut. */
const MOST_STRIKES = 3;

/** One connection, and what it is good for. */
export class Connection {
  /** Names it in the ledger. */
  readonly id: string;
  readonly network: string;
  readonly isProxy: boolean;
  #cut: () => void;
  #giveBack: (() => void) | undefined;
  /** Answers under way that keep it from being idle. */
  readonly #useful = new Set<Response>();
  #lastUseful = performance.now();
  #streams = 0;
  #strikes = 0;
  keyId: string | undefined;

  constructor(id: string, peer: { readonly network: string; readonly isProxy: boolean }, cut: () => void) {
    this.id = id;
    this.network = peer.network;
    this.isProxy = peer.isProxy;
    this.#cut = cut;
  }

  cut(): void {
    this.#cut();
  }

  /** How it ends, once its protocol is known. */
  cutBy(cut: () => void): void {
    this.#cut = cut;
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

  /** A request beyond what its address may send: the connection ends with the answer, or after some more of these. */
  strike(response: Response): void {
    if (this.isProxy) return;
    if (!("stream" in response)) {
      if (!response.headersSent) response.setHeader("connection", "close");
      return;
    }
    this.#strikes += 1;
    if (this.#strikes >= MOST_STRIKES) this.#cut();
  }

  /** Gives back its place in the ledger, for another one or none. */
  moveTo(giveBack?: () => void): void {
    this.#giveBack?.();
    this.#giveBack = giveBack;
  }
}
