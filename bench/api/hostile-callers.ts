/** All attackers of `hostile.ts`, in a process of their own: each attack goes on until the process is ended. */
import { randomBytes } from "node:crypto";
import { Agent, request as httpRequest } from "node:http";
import http2 from "node:http2";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { create, toBinary } from "@bufbuild/protobuf";
import { cancelFrame, preface, requestFrames } from "../../fixtures/door/http2-frames.ts";
import { ServerReflectionRequestSchema } from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import { keyText, newKeyId, newSecret } from "../../src/api/keys/key-text.ts";

/** Port, keys and requests of an attack. */
export interface Attack {
  readonly port: number;
  readonly keys: readonly string[];
  /** A request that is well formed. */
  readonly request: Readonly<Record<string, string>>;
  /** Names of attacks; absent: all. */
  readonly only?: readonly string[];
}

/** Addresses of the loopback network that attackers without a key come from. */
const ADDRESSES = Array.from({ length: 20 }, (_, i) => `127.0.0.${10 + i}`);
const HEALTH = "/grpc.health.v1.Health/Watch";
const REFLECTION = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";

/** Counts of each attack's results. */
const counts = new Map<string, number>();
const count = (what: string, by = 1) => counts.set(what, (counts.get(what) ?? 0) + by);

let turn = 0;
const nextAddress = () => ADDRESSES[turn++ % ADDRESSES.length]!;

function session(port: number, localAddress: string): http2.ClientHttp2Session {
  const options = { localAddress } as http2.ClientSessionOptions;
  return http2.connect(`http://127.0.0.1:${port}`, options).on("error", () => {});
}

function grpcStream(from: http2.ClientHttp2Session, path: string, message = new Uint8Array()): http2.ClientHttp2Stream {
  const stream = from.request({
    ...{ ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" },
  });
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  stream.on("error", () => {}).resume();
  stream.write(Buffer.concat([head, message]));
  return stream;
}

/** Keeps `most` connections of a kind open: one that was ended is opened again, so many in a second. */
async function keepOpen(
  most: number,
  perSecond: number,
  open: () => { once(event: "close", then: () => void): unknown },
) {
  let held = 0;
  for (;;) {
    if (held < most) {
      held += 1;
      open().once("close", () => {
        held -= 1;
      });
    }
    await wait(1_000 / perSecond);
  }
}

/** Sends a GET and counts how it ended. */
function get(
  name: string,
  { port }: Attack,
  path: string,
  options: { readonly key?: string; readonly localAddress?: string; readonly agent?: Agent } = {},
): Promise<void> {
  const { key, localAddress, agent = false } = options;
  const headers = key === undefined ? {} : { "api-key": key };
  return new Promise((resolve) => {
    const call = httpRequest(
      { agent, host: "127.0.0.1", port, path, headers, ...(localAddress !== undefined && { localAddress }) },
      (response) => {
        count(`${name} ${response.statusCode}`);
        response.resume().once("close", resolve);
      },
    );
    call.setTimeout(30_000, () => call.destroy());
    call.once("error", () => {
      count(`${name} cut`);
      resolve();
    });
    call.end();
  });
}

/** Makes `atOnce` callers do something one time after the other, each after a pause. */
function callers(atOnce: number, pauseMs: number, call: () => Promise<void>): void {
  for (let i = 0; i < atOnce; i++) {
    void (async () => {
      for (;;) {
        await call();
        await wait(pauseMs);
      }
    })();
  }
}

const withQuery = (path: string, parameters: Readonly<Record<string, string>>) =>
  `${path}?${new URLSearchParams(parameters)}`;

let fresh = 0n;
/** The well-formed request with another amount each time. */
function freshRequest({ request }: Attack): Record<string, string> {
  fresh += 1n;
  return { ...request, sellAmount: String(BigInt(request.sellAmount ?? 0) * 3n + fresh) };
}

/** Rows of the table in the issue "A door that holds"; those with a key are numbered by it. */
const ATTACKS: Readonly<Record<string, (attack: Attack) => void>> = {
  /** Watches of health on 288 connections, 100 each. */
  health({ port }) {
    void keepOpen(288, 40, () => {
      const opened = session(port, nextAddress());
      opened.once("connect", () => {
        for (let i = 0; i < 100 && !opened.destroyed; i++) {
          grpcStream(opened, HEALTH).once("response", (headers) =>
            count(headers["grpc-status"] === undefined ? "health open" : "health refused"),
          );
        }
      });
      return opened;
    });
  },
  /** 500 connections of HTTP/2 with one watch each. */
  connections({ port }) {
    void keepOpen(500, 50, () => {
      const opened = session(port, nextAddress());
      opened.once("connect", () => {
        count("connections opened");
        grpcStream(opened, HEALTH);
      });
      return opened;
    });
  },
  /** 100 wrong keys a second, half of them well formed. */
  keys(attack) {
    const agents = ADDRESSES.map((localAddress) => new Agent({ keepAlive: true, localAddress }));
    callers(20, 200, () => {
      const key =
        fresh++ % 2n === 0n ? randomBytes(24).toString("hex") : keyText({ id: newKeyId(), secret: newSecret() });
      const agent = agents[turn++ % agents.length]!;
      return get("wrong key", attack, withQuery("/swap/v1/price", attack.request), { key, agent });
    });
  },
  /** 20 connections with 60 kB of requests on each; half of them hang up at once. */
  pipelining({ port }) {
    const text = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n".repeat(2_000);
    void keepOpen(20, 40, () => {
      const socket: Socket = connect({ port, host: "127.0.0.1", localAddress: nextAddress() }, () => {
        count("pipelined connections");
        socket.write(text);
      });
      if (turn % 2 === 0) setTimeout(() => socket.destroy(), 50);
      setTimeout(() => socket.destroy(), 5_000);
      return socket.resume().on("error", () => {});
    });
  },
  /** Addresses that nobody knows, 5 a second. */
  addresses(attack) {
    const key = attack.keys[0]!;
    callers(5, 1_000, () => {
      const buyToken = `0x${randomBytes(20).toString("hex")}`;
      return get("unknown address", attack, withQuery("/swap/v1/price", { ...attack.request, buyToken }), { key });
    });
  },
  /** 100 parameters that nobody knows, of 64 characters. */
  parameters(attack) {
    const key = attack.keys[1]!;
    const agent = new Agent({ keepAlive: true });
    const names = Array.from({ length: 100 }, () => randomBytes(32).toString("hex"));
    const path = withQuery("/swap/v1/price", Object.fromEntries(names.map((name) => [name, "1"])));
    callers(8, 20, () => get("unknown parameters", attack, path, { key, agent }));
  },
  /** Requests without a route, as many at a time as there are places for searches. */
  routes(attack) {
    const key = attack.keys[2]!;
    const agent = new Agent({ keepAlive: true });
    callers(32, 20, () => {
      const sellAmount = String(10n ** 30n + fresh++);
      return get("no route", attack, withQuery("/swap/v1/price", { ...attack.request, sellAmount }), { key, agent });
    });
  },
  /** 200 streams of prices with a taker. */
  watches(attack) {
    const key = attack.keys[0]!;
    const agent = new Agent({ keepAlive: true });
    callers(200, 1_000, () => {
      const takerAddress = `0x${randomBytes(20).toString("hex")}`;
      const path = withQuery("/swap/v1/price/stream", { ...freshRequest(attack), takerAddress });
      return get("watch with taker", attack, path, { key, agent });
    });
  },
  /** Resets on 133 connections. */
  resets({ port }) {
    void keepOpen(133, 100, () => {
      const socket: Socket = connect({ port, host: "127.0.0.1", localAddress: nextAddress() }, () => {
        count("reset connections");
        socket.write(preface());
        let stream = 1;
        const burst = () => {
          if (socket.destroyed) return;
          const frames: Buffer[] = [];
          for (let i = 0; i < 100; i++, stream += 2) {
            frames.push(requestFrames(stream, { ":path": "/livez" }, true), cancelFrame(stream));
          }
          count("resets sent", 100);
          socket.write(Buffer.concat(frames));
        };
        const timer = setInterval(burst, 20);
        socket.once("close", () => clearInterval(timer));
      });
      return socket.resume().on("error", () => {});
    });
  },
  /** The schema, again and again; every other stream is reset while it comes. */
  reflection({ port }) {
    const message = toBinary(
      ServerReflectionRequestSchema,
      create(ServerReflectionRequestSchema, {
        messageRequest: { case: "fileContainingSymbol", value: "swap.v1.SwapService" },
      }),
    );
    void keepOpen(40, 20, () => {
      const opened = session(port, nextAddress());
      const timer = setInterval(() => {
        if (opened.destroyed || opened.closed) return;
        const stream = grpcStream(opened, REFLECTION, message);
        stream.on("data", (chunk: Buffer) => count("reflection bytes", chunk.length));
        if (fresh++ % 2n === 0n) stream.close(http2.constants.NGHTTP2_CANCEL);
        else stream.end();
      }, 50);
      opened.once("close", () => clearInterval(timer));
      return opened;
    });
  },
};

process.on("message", (message: Attack | "report") => {
  if (message === "report") {
    const rows = [...counts].sort(([one], [other]) => one.localeCompare(other));
    return void process.send?.(rows.map(([what, times]) => `  ${what}: ${times}`).join("\n"));
  }
  const unknown = (message.only ?? []).filter((name) => ATTACKS[name] === undefined);
  if (unknown.length > 0)
    throw new Error(`no such attack: ${unknown.join()}; there are ${Object.keys(ATTACKS).join()}`);
  for (const [name, attack] of Object.entries(ATTACKS)) if (message.only?.includes(name) !== false) attack(message);
});
