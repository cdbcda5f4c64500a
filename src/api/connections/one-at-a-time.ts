import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Bytes that are parsed at a time: what one connection has waiting is no more than they hold. */
const SLICE_BYTES = 1_024;

type Turn = readonly [request: IncomingMessage, response: ServerResponse];

/** Has one request of each HTTP/1.1 connection answered at a time. */
export interface OneAtATime {
  readonly onRequest: RequestListener;
  /** To be called with each socket once Node's own server listens to it. */
  attach(socket: Socket): void;
}

/**
 * Hands on the requests of a connection one after the other. While pipelined ones wait, nothing more is parsed and the
 * socket is not read; they are dropped when it closes. Node would parse all that it reads and have all of it answered at once.
 */
export function oneAtATime(answer: RequestListener): OneAtATime {
  const lines = new WeakMap<Socket, Line>();
  return {
    onRequest(request, response) {
      lines.get(request.socket)?.arrive([request, response]);
    },
    attach(socket) {
      lines.set(socket, new Line(socket, answer));
    },
  };
}

/** The requests of one connection. */
class Line {
  readonly #socket: Socket;
  readonly #answer: RequestListener;
  readonly #parse: (bytes: Buffer) => void;
  readonly #waiting: Turn[] = [];
  #unparsed: Buffer = Buffer.alloc(0);
  #isAnswering = false;

  constructor(socket: Socket, answer: RequestListener) {
    this.#socket = socket;
    this.#answer = answer;
    const [parse] = socket.listeners("data");
    this.#parse = (bytes) => void parse?.call(socket, bytes);
    socket.removeAllListeners("data");
    socket.on("data", (bytes: Buffer) => this.#read(bytes));
  }

  arrive(turn: Turn): void {
    if (this.#isOver) return;
    if (this.#isAnswering) this.#waiting.push(turn);
    else this.#begin(turn);
  }

  /** Whether nobody would be told the answers any more. */
  get #isOver(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded;
  }

  #begin([request, response]: Turn): void {
    this.#isAnswering = true;
    response.once("close", () => {
      // Answers that are there at once would follow each other without a turn for any other connection.
      if (this.#waiting.length > 0 || this.#unparsed.length > 0) setImmediate(() => this.#next());
      else this.#isAnswering = false;
    });
    this.#answer(request, response);
  }

  #next(): void {
    if (this.#isOver) return void this.#waiting.splice(0);
    const turn = this.#waiting.shift();
    if (turn === undefined) this.#isAnswering = false;
    else this.#begin(turn);
    if (this.#waiting.length === 0) this.#parseMore();
  }

  #read(bytes: Buffer): void {
    this.#unparsed = this.#unparsed.length === 0 ? bytes : Buffer.concat([this.#unparsed, bytes]);
    this.#parseMore();
  }

  #parseMore(): void {
    const hadSome = this.#unparsed.length > 0;
    while (this.#unparsed.length > 0 && this.#waiting.length === 0 && !this.#socket.destroyed) {
      const slice = this.#unparsed.subarray(0, SLICE_BYTES);
      this.#unparsed = this.#unparsed.subarray(SLICE_BYTES);
      this.#parse(slice);
    }
    if (this.#waiting.length > 0) this.#socket.pause();
    else if (hadSome || this.#socket.isPaused()) this.#socket.resume();
  }
}
