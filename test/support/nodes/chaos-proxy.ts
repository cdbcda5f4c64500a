import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { relay } from "../../../fixtures/node/socket-relay.ts";
import { createRandom } from "../../../fixtures/random.ts";

/** Mischief of a chaos proxy to a request or a socket. */
export type Mischief =
  /** HTTP 500, HTTP 429 with Retry-After, a JSON-RPC error. */
  | "error"
  | "limit"
  | "refusal"
  /** No answer; the connection is cut; half of the answer. */
  | "silence"
  | "cut"
  | "half"
  /** `eth_getLogs` by block hash answers none, or leaves the last out. */
  | "emptyLogs"
  | "cutLogs"
  /** `latest` is a block that was the newest a while ago. */
  | "staleHead";

/** A node as it is seen through a bad line: everything passes, but for what `shares` says. Loopback only. */
export interface ChaosProxy {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Parts of all requests that each mischief meets; an empty record is a good line. */
  setShares(shares: Partial<Readonly<Record<Mischief, number>>>): void;
  /** Cuts all sockets that are open now. */
  cutSockets(): void;
  /** While muted, open sockets stay open and nothing comes out of them. */
  muteSockets(muted: boolean): void;
  /**
   * Does `work`, which changes the chain, while the node answers nobody else: while anvil mines, it answers an `eth_call` at
   * the newest block's hash now and then with the state of the next one, which is no mischief of a line.
   */
  whileStill<Result>(work: () => Promise<Result>): Promise<Result>;
  readonly seen: ReadonlyMap<Mischief, number>;
  stop(): Promise<void>;
}

interface RpcRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}

const STALE_HEADS = 8;

export async function startChaosProxy(options: {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly seed: number;
}): Promise<ChaosProxy> {
  const { unit } = createRandom(options.seed);
  const seen = new Map<Mischief, number>();
  const heads: unknown[] = [];
  let shares: readonly (readonly [Mischief, number])[] = [];
  let muted = false;
  const answering = new Set<Promise<unknown>>();
  let still: Promise<unknown> | undefined;

  async function ask(body: string): Promise<string> {
    while (still !== undefined) await still;
    const asked = fetch(options.rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    }).then((answer) => answer.text());
    answering.add(asked);
    return asked.finally(() => answering.delete(asked));
  }

  function choose({ method, params }: RpcRequest): Mischief | undefined {
    let left = unit();
    const isBlockLogs = method === "eth_getLogs" && Object.hasOwn((params?.[0] ?? {}) as object, "blockHash");
    const isHead = method === "eth_getBlockByNumber" && params?.[0] === "latest";
    for (const [mischief, share] of shares) {
      left -= share;
      if (left >= 0) continue;
      if (/Logs$/.test(mischief) && !isBlockLogs) return undefined;
      if (mischief === "staleHead" && !isHead) return undefined;
      seen.set(mischief, (seen.get(mischief) ?? 0) + 1);
      return mischief;
    }
    return undefined;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const call = JSON.parse(body) as RpcRequest;
    const mischief = choose(call);
    if (mischief === "silence") return;
    if (mischief === "cut") return void response.destroy();
    if (mischief === "error") return void response.writeHead(500).end("no");
    if (mischief === "limit") return void response.writeHead(429, { "retry-after": "0" }).end("slower");
    const reply = (fields: object) => response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, ...fields }));
    if (mischief === "refusal") return void reply({ error: { code: -32000, message: "header not found" } });
    const text = await ask(body);
    if (mischief === "half") return void response.end(text.slice(0, text.length / 2));
    const answer = JSON.parse(text) as { result?: unknown };
    if (mischief === "emptyLogs") return void reply({ result: [] });
    if (mischief === "cutLogs" && Array.isArray(answer.result))
      return void reply({ result: answer.result.slice(0, -1) });
    if (call.method === "eth_getBlockByNumber" && call.params?.[0] === "latest") {
      if (mischief === "staleHead" && heads.length > 0) return void reply({ result: heads[0] });
      heads.push(answer.result);
      if (heads.length > STALE_HEADS) heads.shift();
    }
    response.end(text);
  }

  const http = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ server: http });
  sockets.on("connection", (outer) => relay(outer, options.wsUrl, () => !muted));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;

  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    setShares(next) {
      shares = Object.entries(next) as [Mischief, number][];
    },
    cutSockets() {
      for (const socket of sockets.clients) socket.terminate();
    },
    muteSockets(next) {
      muted = next;
    },
    async whileStill(work) {
      const done = Promise.withResolvers<void>();
      still = done.promise;
      await Promise.allSettled(answering);
      try {
        return await work();
      } finally {
        still = undefined;
        done.resolve();
      }
    },
    seen,
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
