import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Hex } from "viem";
import { WebSocketServer } from "ws";
import { type Address, toAddress } from "../../domain/address.ts";
import type { Logger } from "../../ops/logger.ts";
import { devnetLayout } from "../markets/devnet-layout.ts";
import { devnetAccounts } from "../node/accounts.ts";
import { DEVNET_CHAIN_ID } from "../node/anvil.ts";
import { createJsonRpc } from "../node/json-rpc.ts";
import type { Book } from "./book.ts";
import { bookAround } from "./book.ts";
import { createReferenceDesk } from "./desk.ts";
import { ASKED_PAIRS, SHOWN_PAIRS, stockMaker } from "./inventory.ts";
import { readMiddles } from "./middles.ts";

/** A market maker of the devnet, which speaks what docs/makers.md says. */
export interface ReferenceMaker {
  /** WebSocket of its levels; the same path over HTTP answers a poll. */
  readonly levelsUrl: string;
  readonly ordersUrl: string;
  /** Whose tokens it sells. */
  readonly account: Address;
  /** The pairs that it trades for who asks, and shows no levels of. */
  readonly askedPairs: readonly (readonly [Address, Address])[];
  /** What it wants to find in the header `authorization`. */
  readonly authorization: string;
  stop(): Promise<void>;
}

const HOST = "127.0.0.1";
/** How often it looks for a new block, and how often at the least it tells its levels. */
const LOOK_EVERY_MS = 200;
const TELL_EVERY_MS = 1_000;
const MOST_BODY_BYTES = 16 * 1024;

/**
 * Gives the maker its inventory and opens its desk. Its levels follow from the newest block's reserves alone.
 * @throws Error when the node is not a devnet, or the port is taken
 */
export async function startReferenceMaker(options: {
  /** The devnet's node. */
  readonly rpcUrl: string;
  /** OrderSettlement, deployed. */
  readonly settlement: Address;
  /** TCP port on 127.0.0.1; 0 takes a free one. */
  readonly port: number;
  /** What callers have to send as `authorization`. */
  readonly authorization: string;
  readonly logger: Logger;
}): Promise<ReferenceMaker> {
  const { settlement, authorization, logger } = options;
  const rpc = createJsonRpc(options.rpcUrl);
  const chainId = Number(await rpc.call<Hex>("eth_chainId"));
  if (chainId !== DEVNET_CHAIN_ID) {
    throw new Error(
      `the node serves chain ${chainId}: the reference maker trades on a devnet (${DEVNET_CHAIN_ID}) only`,
    );
  }
  const { whale, maker: account } = devnetAccounts();
  const layout = devnetLayout(whale);
  await stockMaker(rpc, layout, { whale, maker: account.address }, settlement);
  const desk = createReferenceDesk({
    chainId: DEVNET_CHAIN_ID,
    settlement,
    account,
    // Nonces of one run lie side by side, which is cheaper on chain, and above those of the runs before.
    firstNonce: BigInt(Date.now()) << 64n,
  });
  const pairs = [...SHOWN_PAIRS, ...ASKED_PAIRS];
  let books: readonly Book[] = [];
  let seen: Hex | undefined;
  let text = desk.levels([]);
  let toldAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const server = createServer((request, response) => void serve(request, response));
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1_024 });
  server.on("upgrade", (request, socket, head) => {
    if (request.url !== "/levels" || !isAllowed(request, authorization)) {
      socket.end("HTTP/1.1 401 Unauthorized\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on("error", () => client.terminate());
      client.send(text);
    });
  });

  function tell(): void {
    toldAt = Date.now();
    for (const client of sockets.clients) client.send(text);
  }

  async function look(): Promise<void> {
    const { hash } = await rpc.call<{ readonly hash: Hex }>("eth_getBlockByNumber", ["latest", false]);
    if (hash !== seen) {
      books = (await readMiddles(rpc, layout, pairs, hash)).map(bookAround);
      seen = hash;
      const now = desk.levels(books.slice(0, SHOWN_PAIRS.length));
      if (now !== text) {
        text = now;
        tell();
      }
    }
    if (Date.now() - toldAt >= TELL_EVERY_MS) tell();
  }

  async function run(): Promise<void> {
    try {
      await look();
    } catch (error) {
      if (!stopped) logger.debug({ err: error }, "the reference maker could not read the devnet");
    }
    if (!stopped) timer = setTimeout(() => void run(), LOOK_EVERY_MS);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isAllowed(request, authorization)) return send(response, 401, { declined: "unknown caller" });
    if (request.method === "GET" && request.url === "/levels") return sendText(response, 200, text);
    if (request.method !== "POST" || request.url !== "/orders")
      return send(response, 404, { declined: "no such path" });
    try {
      send(response, 200, await desk.answer(books, JSON.parse(await readBody(request))));
    } catch {
      send(response, 400, { declined: "the question cannot be read" });
    }
  }

  await look();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, HOST, resolve);
  });
  void run();
  const { port } = server.address() as AddressInfo;
  return {
    levelsUrl: `ws://${HOST}:${port}/levels`,
    ordersUrl: `http://${HOST}:${port}/orders`,
    account: toAddress(account.address),
    askedPairs: ASKED_PAIRS.map(([a, b]) => [layout.token(a).address, layout.token(b).address]),
    authorization,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function isAllowed({ headers }: IncomingMessage, authorization: string): boolean {
  const [given, wanted] = [Buffer.from(headers.authorization ?? ""), Buffer.from(authorization)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
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
    if (size > MOST_BODY_BYTES) throw new Error("the question is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
