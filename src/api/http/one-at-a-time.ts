import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that may wait on a connection for the answer to the one before; one more ends the connection. */
const MOST_WAITING = 100;

type Turn = readonly [request: IncomingMessage, response: ServerResponse];

/**
 * Hands on the requests of each HTTP/1.1 connection one after the other: pipelined ones wait, their socket is not read
 * meanwhile, and they are dropped when it closes. Node itself would have all of them answered at once.
 */
export function oneAtATime(answer: RequestListener): RequestListener {
  /** What waits on each connection that has an answer under way. */
  const waiting = new WeakMap<Socket, Turn[]>();

  function begin(socket: Socket, [request, response]: Turn): void {
    response.once("close", () => next(socket));
    answer(request, response);
  }

  function next(socket: Socket): void {
    const turns = waiting.get(socket);
    // Nobody would be told the answers any more.
    if (socket.destroyed || socket.writableEnded) return void waiting.delete(socket);
    const turn = turns?.shift();
    if (turns?.length === 0) socket.resume();
    if (turn === undefined) waiting.delete(socket);
    else begin(socket, turn);
  }

  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed || socket.writableEnded) return;
    const turns = waiting.get(socket);
    if (turns === undefined) {
      waiting.set(socket, []);
      begin(socket, [request, response]);
    } else if (turns.length < MOST_WAITING) {
      turns.push([request, response]);
      socket.pause();
    } else socket.destroy();
  };
}
