import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import http2 from "node:http2";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { binary, enveloped, json, method, protocolHeaders, query } from "./fuzz-requests.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const RUNS = LONG ? 200_000 : 800;
const AT_ONCE = 20;
const SEED = Number(process.env.TRIBUTARY_SEED ?? 20261121);
/** Samples that are made at a time. */
const LOT = 1_000;
/** Milliseconds that an answer may take: of computing, or of waiting while nothing computes. */
const SLOWEST = 1_000;
/** A request that takes longer is sent again so many times: a busy machine is not its fault. */
const AGAIN = 2;

/** Requests on one HTTP/2 session: a client that ends watch after watch on the same one is taken for a rapid resetter. */
const PER_SESSION = 2_000;

let door: Door;
let session: http2.ClientHttp2Session;
let askedOnSession = 0;
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  door = await openDoor();
  session = http2.connect(door.origin);
});
afterAll(async () => {
  session.close();
  agent.destroy();
  await door.server.drain(1_000);
});

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Asks over HTTP/1.1. A stream is read to the end of its first event or message. */
function ask(path: string, headers: Record<string, string>, body?: Buffer): Promise<Received> {
  const options = { agent, host: "127.0.0.1", port: door.port, path, headers: { "api-key": KEY, ...headers } };
  return new Promise((resolve, reject) => {
    const call = httpRequest({ ...options, method: body === undefined ? "GET" : "POST" }, (response) => {
      const chunks: Buffer[] = [];
      const done = () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      const streams = /event-stream|connect\+/.test(response.headers["content-type"] ?? "");
      const goesOn = streams || (path.endsWith("/WatchPrice") && response.statusCode === 200);
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        if (!goesOn) return;
        done();
        call.destroy();
      });
      response.once("end", done).on("error", () => {});
    });
    call.once("error", reject);
    call.end(body);
  });
}

/** Asks over HTTP/2, and gives the trailers with the headers. */
function askHttp2(path: string, headers: Record<string, string>, body: Buffer): Promise<Received> {
  if (++askedOnSession > PER_SESSION) {
    session.close();
    session = http2.connect(door.origin);
    askedOnSession = 1;
  }
  const stream = session.request({ ":method": "POST", ":path": path, "api-key": KEY, te: "trailers", ...headers });
  let received: IncomingHttpHeaders & { ":status"?: number } = {};
  return new Promise((resolve, reject) => {
    const take = (more: http2.IncomingHttpHeaders) => {
      received = { ...received, ...more };
    };
    stream.on("response", take).on("trailers", take).on("error", reject);
    stream.on("data", () => {
      // The first message of a watch: there will be no end to it.
      if (path.endsWith("/WatchPrice")) stream.close(http2.constants.NGHTTP2_CANCEL);
    });
    stream.on("close", () => resolve({ status: received[":status"] ?? 0, headers: received, body: Buffer.alloc(0) }));
    stream.end(body);
  });
}

/** Faults of answers, with the requests; more than a few say no more. */
type Complaints = string[];

/**
 * Sends RUNS samples, some at once. `send` says what came back, or throws when that is not documented.
 * @returns how often each answer came
 */
async function countAnswers<T>(protocol: string, arbitrary: fc.Arbitrary<T>, send: (sample: T) => Promise<string>) {
  const counts = new Map<string, number>();
  const complaints: Complaints = [];
  let slowestMs = 0;
  const timed = async (sample: T) => {
    const [cpu, loop, start] = [process.cpuUsage(), performance.eventLoopUtilization(), performance.now()];
    const answer = await send(sample);
    slowestMs = Math.max(slowestMs, performance.now() - start);
    const { user, system } = process.cpuUsage(cpu);
    // Between the two lies what the machine does for others.
    return { answer, ms: Math.max((user + system) / 1_000, performance.eventLoopUtilization(loop).idle) };
  };
  const one = async (sample: T) => {
    try {
      let { answer, ms } = await timed(sample);
      counts.set(answer, (counts.get(answer) ?? 0) + 1);
      for (let again = 0; ms > SLOWEST && again < AGAIN; again += 1) ms = (await timed(sample)).ms;
      must(ms <= SLOWEST, `took ${ms} ms`);
    } catch (error) {
      complaints.push(`${error instanceof Error ? error.message : error}: ${fc.stringify(sample).slice(0, 500)}`);
    }
  };
  for (let done = 0; done < RUNS && complaints.length === 0; done += LOT) {
    const lot = fc.sample(arbitrary, { numRuns: Math.min(LOT, RUNS - done), seed: SEED + done });
    for (let at = 0; at < lot.length; at += AT_ONCE) {
      await Promise.all(lot.slice(at, at + AT_ONCE).map(one));
      for (const line of door.log) {
        if (Number(line.level) >= 50 || "defect" in line) complaints.push(`logged: ${JSON.stringify(line)}`);
      }
      door.quoting.asked.length = 0;
      door.log.length = 0;
    }
  }
  const sent = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const summary = [...counts].sort().map(([answer, count]) => `${answer}: ${count}`);
  process.stdout.write(`${protocol}: ${sent} requests, slowest ${Math.round(slowestMs)} ms; ${summary.join(", ")}\n`);
  expect(complaints).toEqual([]);
  expect(sent).toBe(RUNS);
  // Callers that have left watch nothing any more.
  await expect.poll(() => door.watches.counts().watches).toBe(0);
  return counts;
}

/** Throws unless it holds. A matcher would cost more than the request. */
function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

function checkId({ headers }: Received): void {
  must(/^[\w.~-]{1,64}$/.test(headers["x-request-id"]?.toString() ?? ""), "no x-request-id");
}

/** Status of gRPC and how it came: in the headers, or in a message's trailers. Refusals must have their details. */
function checkGrpc({ headers, body }: Received, isWatch: boolean): string {
  const text = body.toString("latin1");
  const status = headers["grpc-status"] ?? /grpc-status: (\d+)/i.exec(text)?.[1];
  if (status === undefined) {
    must(isWatch, "no grpc-status");
    return "watched";
  }
  if (status === "0") return "0";
  must(["3", "8", "12", "13"].includes(String(status)), `grpc-status ${status}`);
  const details = headers["grpc-status-details-bin"] ?? /grpc-status-details-bin: (\S+)/i.exec(text)?.[1];
  const told = Buffer.from(String(details ?? ""), "base64").toString("latin1");
  must(told.includes("swap.v1") && told.includes("/docs/errors#"), `details: ${told}`);
  return String(status);
}

const rpcPath = (name: string) => `/swap.v1.SwapService/${name}`;
const REST_PATHS: Readonly<Record<string, string>> = {
  GetPrice: "/swap/v1/price",
  GetQuote: "/swap/v1/quote",
  WatchPrice: "/swap/v1/price/stream",
};

describe("whatever is sent is answered in the documented way", { timeout: LONG ? 7_200_000 : 120_000 }, () => {
  test("REST and its server-sent events", async () => {
    const counts = await countAnswers("REST", fc.tuple(method, query), async ([name, text]) => {
      const received = await ask(`${REST_PATHS[name]}?${text}`, {});
      checkId(received);
      const { status, headers, body } = received;
      if (status === 200 && name === "WatchPrice") {
        must(/^data: \{"(price|status)":/.test(body.toString()), "no event");
        return "watched";
      }
      const answer = JSON.parse(body.toString());
      if (status === 200) must(answer.chainId === 31337, "no price");
      else {
        must(status === 400 && answer.code === 100 && answer.reason === "INVALID_PARAMETERS", `status ${status}`);
        must(answer.docs === "/docs/errors#invalid_parameters", "no docs");
        must(answer.requestId === headers["x-request-id"], "no request id");
        must(answer.validationErrors.length > 0, "no violation");
        for (const item of answer.validationErrors)
          must(Object.keys(item).join() === "field,code,reason,description", "an item of another form");
      }
      return String(status);
    });
    expect([...counts.keys()].sort()).toEqual(["200", "400", "watched"]);
    for (const count of counts.values()) expect(count).toBeGreaterThan(RUNS / 200);
  });

  test("Connect", async () => {
    const posts = fc.oneof(
      { weight: 4, arbitrary: fc.tuple(fc.constant("json"), json) },
      { weight: 2, arbitrary: fc.tuple(fc.constant("proto"), binary) },
      { weight: 1, arbitrary: fc.tuple(fc.constant("GET json"), json) },
      { weight: 1, arbitrary: fc.tuple(fc.constant("connect+json"), enveloped(json)) },
    );
    const counts = await countAnswers("Connect", fc.tuple(method, posts, protocolHeaders), async (sample) => {
      const [asked, [kind, body], more] = sample;
      const streams = kind === "connect+json";
      const name = streams ? "WatchPrice" : asked === "WatchPrice" ? "GetPrice" : asked;
      const get = `${rpcPath(name)}?connect=v1&encoding=json&base64=1&message=${body.toString("base64url")}`;
      const received = await (kind === "GET json"
        ? ask(get, more)
        : ask(rpcPath(name), { ...more, "content-type": `application/${kind}` }, body));
      checkId(received);
      const { status } = received;
      if (status === 200 && kind === "proto") return "200";
      const answer = JSON.parse(received.body.subarray(streams && status === 200 ? 5 : 0).toString());
      if (streams && status === 200 && answer.error === undefined) return "watched";
      if (status === 200 && !streams) {
        must(answer.chainId === 31337, "no price");
        return "200";
      }
      const error = answer.error ?? answer;
      must(["invalid_argument", "resource_exhausted", "unimplemented"].includes(error.code), `code ${error.code}`);
      must(error.details?.[0]?.type === "google.rpc.ErrorInfo", "no ErrorInfo");
      return String(error.code);
    });
    for (const name of ["200", "invalid_argument", "unimplemented", "watched"])
      expect(counts.get(name), name).toBeGreaterThan(RUNS / 200);
  });

  test("gRPC", async () => {
    const message = enveloped(binary);
    const counts = await countAnswers(
      "gRPC",
      fc.tuple(method, message, protocolHeaders),
      async ([name, body, more]) => {
        const received = await askHttp2(rpcPath(name), { ...more, "content-type": "application/grpc" }, body);
        checkId(received);
        must(received.status === 200, `HTTP ${received.status}`);
        return checkGrpc(received, name === "WatchPrice");
      },
    );
    for (const status of ["0", "3", "12", "13", "watched"])
      expect(counts.get(status), status).toBeGreaterThan(RUNS / 200);
  });

  test("gRPC-Web", async () => {
    const message = fc.oneof(
      { weight: 3, arbitrary: fc.tuple(fc.constant("application/grpc-web"), enveloped(binary)) },
      { weight: 1, arbitrary: fc.tuple(fc.constant("application/grpc-web+json"), enveloped(json)) },
    );
    const counts = await countAnswers("gRPC-Web", fc.tuple(method, message, protocolHeaders), async (sample) => {
      const [name, [contentType, body], more] = sample;
      const received = await ask(rpcPath(name), { ...more, "content-type": contentType }, body);
      checkId(received);
      must(received.status === 200, `HTTP ${received.status}`);
      return checkGrpc(received, name === "WatchPrice");
    });
    for (const status of ["0", "3", "12", "watched"]) expect(counts.get(status), status).toBeGreaterThan(RUNS / 200);
  });
});
