import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

const HOST = "127.0.0.1";
const MAX_BODY_BYTES = 16 * 1024;

interface MakerServerOptions {
  /** Value of the `authorization` header that callers have to send. */
  readonly authorization: string;
  /** The levels as they are told now. */
  readonly levels: () => string;
  /** Answers the question for an order. @throws Error where it cannot be read */
  readonly order: (question: unknown) => Promise<object>;
}

/** Server of a maker: its levels at /levels, polled or over a WebSocket, and its orders at /orders. */
export class MakerServer {
  readonly #options: MakerServerOptions;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: 1_024 });

  constructor(options: MakerServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.on("upgrade", (request, socket, head) => {
      if (request.url !== "/levels" || !this.#isAllowed(request)) {
        socket.end("HTTP/1.1 401 Unauthorized\r\n\r\n");
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (client) => {
        client.on("error", () => client.terminate());
        client.send(options.levels());
      });
    });
  }

  /** Sends the levels to all who listen. */
  tell(): void {
    for (const client of this.#sockets.clients) client.send(this.#options.levels());
  }

  /** @returns host and port. @throws Error when the port is taken */
  async open(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, HOST, resolve);
    });
    return `${HOST}:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate();
    this.#sockets.close();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#isAllowed(request)) return send(response, 401, { declined: "unknown caller" });
    if (request.method === "GET" && request.url === "/levels") return sendText(response, 200, this.#options.levels());
    if (request.method !== "POST" || request.url !== "/orders")
      return send(response, 404, { declined: "no such path" });
    try {
      send(response, 200, await this.#options.order(JSON.parse(await readBody(request))));
    } catch {
      send(response, 400, { declined: "the question cannot be read" });
    }
  }

  #isAllowed({ headers }: IncomingMessage): boolean {
    const [given, wanted] = [Buffer.from(headers.authorization ?? ""), Buffer.from(this.#options.authorization)];
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  sendText(response, status, JSON.stringify(body));
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(text);
}

/** @throws Error when it is too large */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw new Error("the question is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
