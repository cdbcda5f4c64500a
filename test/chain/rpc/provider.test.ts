import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { inspect } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { WebSocketServer } from "ws";
import { createProvider, type Provider } from "../../../src/chain/rpc/provider.ts";
import {
  AnswerTooLargeError,
  MalformedAnswerError,
  RpcError,
  TransportError,
} from "../../../src/chain/rpc/provider-errors.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { until } from "../blocks/following.ts";

type Script = (request: { readonly id: number; readonly method: string }, response: ServerResponse) => void;

const SECRET = "key-in-the-path";
let closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing) close();
  closing = [];
});

/** A node that plays these answers one after another, the last for ever. */
async function node(...scripts: Script[]): Promise<{ provider: Provider; asked: () => number; url: string }> {
  let asked = 0;
  const server: Server = createServer(async (request: IncomingMessage, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const script = scripts[Math.min(asked, scripts.length - 1)]!;
    asked += 1;
    script(JSON.parse(body), response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${SECRET}`;
  const provider = createProvider({ url, timeoutMs: 300, logger: createLogger("silent") });
  closing.push(() => {
    provider.close();
    server.closeAllConnections();
    server.close();
  });
  return { provider, asked: () => asked, url };
}

const answers =
  (result: unknown): Script =>
  ({ id }, response) =>
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
const fails =
  (code: number, message: string, data?: unknown): Script =>
  ({ id }, response) =>
    response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } }));
const status =
  (code: number, headers: Record<string, string> = {}): Script =>
  (_, response) =>
    response.writeHead(code, headers).end("no");
const raw =
  (text: string): Script =>
  (_, response) =>
    response.end(text);
const nothing: Script = () => {};

describe("the provider", () => {
  it("gives the result as it is", async () => {
    const { provider } = await node(answers({ a: ["0x1", null] }));
    expect(await provider.request("eth_test", [])).toEqual({ a: ["0x1", null] });
  });

  it("sends the user and the password of a node's URL as a header", async () => {
    let seen: IncomingMessage | undefined;
    const server = createServer((request, response) => {
      seen = request;
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://me:50%of%40ss@127.0.0.1:${port}/path`;
    const provider = createProvider({ url, timeoutMs: 300, logger: createLogger("silent") });
    closing.push(() => {
      provider.close();
      server.closeAllConnections();
      server.close();
    });
    expect(await provider.request("eth_test", [])).toBe("0x1");
    expect(seen?.url).toBe("/path");
    expect(seen?.headers.authorization).toBe(`Basic ${Buffer.from("me:50%of@ss").toString("base64")}`);
  });

  it.each([
    ["429 with a wait", status(429, { "retry-after": "0" })],
    ["502", status(502)],
    ["a limit", fails(-32005, "limit exceeded")],
    ["half an answer", raw('{"jsonrpc":"2.0","id":1,"resu')],
    ["an answer to another request", raw('{"jsonrpc":"2.0","id":999,"result":"0x2"}')],
    ["an answer without content", raw('{"jsonrpc":"2.0","id":1}')],
    ["silence", nothing],
    ["a cut connection", (_: unknown, response: ServerResponse) => response.destroy()],
  ])("asks again after %s", async (_, script) => {
    const { provider, asked } = await node(script, answers("0x1"));
    expect(await provider.request("eth_test", [])).toBe("0x1");
    expect(asked()).toBe(2);
  });

  it("does not ask again when the node refuses", async () => {
    const { provider, asked } = await node(fails(3, "execution reverted", "0x08c379a0"));
    const error = await provider.request("eth_call", []).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: 3, data: "0x08c379a0" });
    expect(asked()).toBe(1);
  });

  it.each([
    ["silence", nothing, TransportError],
    ["an error page", status(500), TransportError],
    ["nonsense", raw("[]"), MalformedAnswerError],
    ["an error that is none", raw('{"jsonrpc":"2.0","id":1,"error":"no"}'), MalformedAnswerError],
    ["a redirect", status(302, { location: "http://127.0.0.1:1/" }), TransportError],
  ])("gives up on %s, and tells no secret", async (fault, script, kind) => {
    const { provider, asked } = await node(script);
    const error = await provider.request("eth_test", [], { attempts: 2, timeoutMs: 500 }).catch((caught) => caught);
    expect(error).toBeInstanceOf(kind);
    if (error instanceof TransportError) expect(error.timedOut).toBe(fault === "silence");
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(SECRET);
    expect(asked()).toBe(2);
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("reads an answer in %s, and asks again after one that is cut off", async (coding, compress) => {
    const compressed = (part: number): Script => {
      return ({ id }, response) => {
        const bytes = compress(JSON.stringify({ jsonrpc: "2.0", id, result: "0x1".repeat(1_000) }));
        response.writeHead(200, { "content-encoding": coding }).end(bytes.subarray(0, bytes.length * part));
      };
    };
    const { provider, asked } = await node(compressed(0.5), compressed(1));
    expect(await provider.request("eth_test", [])).toBe("0x1".repeat(1_000));
    expect(asked()).toBe(2);
  });

  it.each(["constructor", "__proto__", "toString", "identity"])(
    "reads an answer as it is whose coding is %s",
    async (name) => {
      const { provider } = await node(({ id }, response) => {
        response
          .writeHead(200, { "content-encoding": name })
          .end(JSON.stringify({ jsonrpc: "2.0", id, result: "0x1" }));
      });
      expect(await provider.request("eth_test", [], { attempts: 1 })).toBe("0x1");
    },
  );

  it("ends the connection to a node that answers without reading the request", async () => {
    const accepted = Promise.withResolvers<Socket>();
    const server = createTcpServer((socket) => {
      socket
        .on("error", () => {})
        .once("data", () => {
          socket.pause();
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 39\r\n\r\n{"jsonrpc":"2.0","id":1,"result":"0x1"}');
          accepted.resolve(socket);
        });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = createProvider({ url, timeoutMs: 10_000, logger: createLogger("silent") });
    closing.push(() => provider.close());
    expect(await provider.request("eth_test", ["x".repeat(40_000_000)], { attempts: 1 })).toBe("0x1");
    const socket = await accepted.promise;
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(40_000_000);
    server.close();
  });

  it("goes through the environment's proxy where Node is told to", async () => {
    const seen: (string | undefined)[] = [];
    const proxy = createServer((request, response) => {
      seen.push(request.url);
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" }));
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    const provider = createProvider({ url: "http://node.example/", timeoutMs: 5_000, logger: createLogger("silent") });
    vi.unstubAllEnvs();
    closing.push(() => {
      provider.close();
      proxy.closeAllConnections();
      proxy.close();
    });
    expect(await provider.request("eth_test", [], { attempts: 1 })).toBe("0x1");
    expect(seen).toEqual(["http://node.example/"]);
  });

  it("gives up on a node that changes to another protocol", async () => {
    const { provider } = await node((_, response) => {
      response.socket?.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n");
    });
    const error = await provider.request("eth_test", [], { attempts: 1, timeoutMs: 60_000 }).catch((caught) => caught);
    expect(error).toMatchObject({ timedOut: false });
  });

  it("takes no answer that becomes as much once it is unpacked", async () => {
    const bytes = gzipSync(Buffer.alloc(70 * 1024 * 1024, "x"));
    const { provider } = await node((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bytes);
    });
    const error = await provider.request("eth_test", [], { timeoutMs: 20_000 }).catch((caught) => caught);
    expect(error).toBeInstanceOf(AnswerTooLargeError);
  });

  it("takes no answer that is out of all proportion", async () => {
    const { provider, asked } = await node((_, response) => {
      const part = Buffer.alloc(4 * 1024 * 1024, "x");
      const write = () => {
        while (!response.destroyed && response.write(part));
        if (!response.destroyed) response.once("drain", write);
      };
      write();
    });
    const error = await provider.request("eth_test", [], { timeoutMs: 20_000 }).catch((caught) => caught);
    expect(error).toBeInstanceOf(AnswerTooLargeError);
    expect(asked()).toBe(1);
  });
});

describe("head hints", () => {
  it("come from the subscription, and again after the socket was lost", async () => {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    let subscriptions = 0;
    server.on("connection", (socket) => {
      socket.on("message", (text) => {
        expect(JSON.parse(String(text))).toMatchObject({ method: "eth_subscribe", params: ["newHeads"] });
        subscriptions += 1;
        socket.send("{}", () => {
          if (subscriptions === 1) socket.terminate();
        });
      });
    });
    await new Promise<void>((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const { url } = await node(answers("0x1"));
    const wsUrl = `ws://127.0.0.1:${port}`;
    const provider = createProvider({ url, wsUrl, timeoutMs: 300, logger: createLogger("silent") });
    closing.push(() => {
      provider.close();
      server.close();
    });
    let hints = 0;
    const unlisten = provider.onHeadHint(() => {
      hints += 1;
    });
    await until(() => subscriptions === 2 && hints >= 2);
    unlisten();
  });
});
