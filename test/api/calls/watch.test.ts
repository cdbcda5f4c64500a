import { type CallOptions, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { createConnectTransport as createWebConnect } from "@connectrpc/connect-web";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BadRequestSchema } from "#gen/google/rpc/error_details_pb.ts";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import type { Account } from "../../../src/api/keys/key-store.ts";
import { refuse } from "../../../src/domain/errors/swap-error.ts";
import type { WatchLimits } from "../../../src/quoting/watch/price-watches.ts";
import { type Door, KEY, openDoor, rawExchange } from "../../support/door/http.ts";
import { REQUEST } from "../../support/door/price-call.ts";

const STREAM = "/swap/v1/price/stream";
const PATH = `${STREAM}?${new URLSearchParams(REQUEST)}`;

let door: Door;
/** Keys can be taken away while a test runs. */
const keys = { valid: true, verify: (): Account | undefined => (keys.valid ? { keyId: "one" } : undefined) };

beforeEach(async () => {
  keys.valid = true;
  door = await openDoor({ recheckKeysEveryMs: 50 }, keys);
});
afterEach(() => door.server.drain(1_000));

/** Sends the next block, at which there is no route (true) or a price (false). */
function publish(refused: boolean): void {
  door.quoting.before = async () => {
    if (refused) throw refuse("INSUFFICIENT_ASSET_LIQUIDITY", "no route");
  };
  door.market.publish();
}

interface Event {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: events are looked at field by field
  readonly data: any;
}

/** The events of a stream, read the way a browser's fetch gives them. */
async function* eventsOf(response: Response): AsyncGenerator<Event> {
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(block.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
      yield { type: fields.get("event") ?? "message", data: JSON.parse(fields.get("data")!) };
    }
  }
}

const sse = (path = PATH, init: RequestInit = {}) =>
  fetch(door.origin + path, { ...init, headers: { "api-key": KEY, ...init.headers } });

const transports: Record<string, () => Transport> = {
  gRPC: () => createGrpcTransport({ baseUrl: door.origin }),
  "gRPC-Web over HTTP/1.1": () => createGrpcWebTransport({ baseUrl: door.origin, httpVersion: "1.1" }),
  "Connect JSON over HTTP/1.1": () => createConnectTransport({ baseUrl: door.origin, httpVersion: "1.1" }),
  "Connect binary over HTTP/2": () =>
    createConnectTransport({ baseUrl: door.origin, httpVersion: "2", useBinaryFormat: true }),
  "Connect in a browser": () => createWebConnect({ baseUrl: door.origin }),
};

const watch = (transport: Transport, request: object = REQUEST, options: CallOptions = {}) =>
  createClient(SwapService, transport).watchPrice(request, { headers: { "api-key": KEY }, ...options });

/** Blocks that change nothing, one for each fifth of a heartbeat's time, until `isOver`. */
async function publishQuietly(calm: Door, heartbeatMs: number, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await vi.advanceTimersByTimeAsync(heartbeatMs / 5);
    calm.market.publish();
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("blocks that come faster than heartbeats and change nothing", () => {
  const watchLimits = { mostWatches: 1, mostRequests: 1, heartbeatMs: 1_000 };
  let calm: Door;
  beforeEach(async () => {
    calm = await openDoor({}, undefined, 31337, { watchLimits });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await calm.server.drain(1_000);
  });

  test.each(Object.entries(transports))("let heartbeats through over %s", async (_, transport) => {
    const ended = new AbortController();
    door = calm;
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const { update } of watch(transport(), REQUEST, { signal: ended.signal })) {
        seen.push(update.case === "heartbeat" ? update.value.blockNumber : update.case);
        if (seen.length === 3) return;
      }
    })();
    await publishQuietly(calm, 1_000, () => seen.length === 3);
    await reading;
    expect(seen).toEqual(["price", "100", "100"]);
  });

  test("let heartbeats through over server-sent events", async () => {
    const response = await fetch(calm.origin + PATH, { headers: { "api-key": KEY } });
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const { data } of eventsOf(response)) {
        seen.push(data.heartbeat?.blockNumber ?? Object.keys(data)[0]);
        if (seen.length === 3) return;
      }
    })();
    await publishQuietly(calm, 1_000, () => seen.length === 3);
    await reading;
    expect(seen).toEqual(["price", "100", "100"]);
  });
});

describe.each(Object.entries(transports))("WatchPrice over %s", (_, transport) => {
  test("tells prices and why there is none, and ends UNAVAILABLE when the service shuts down", async () => {
    const seen: (string | undefined)[] = [];
    const ended = (async () => {
      for await (const { update } of watch(transport())) {
        if (update.case === "price") {
          expect(update.value).toMatchObject({ chainId: 31337, sellAmount: "1000", buyAmount: "2000" });
          expect(update.value.orders[0]?.fillData).toEqual({ pool: expect.stringMatching(/^0x/) });
        }
        if (update.case === "status") {
          expect(update.value).toMatchObject({
            reason: "INSUFFICIENT_ASSET_LIQUIDITY",
            violations: [{ field: "sellAmount", code: 1004, reason: "INSUFFICIENT_ASSET_LIQUIDITY" }],
          });
        }
        seen.push(update.case);
        if (seen.length === 1) publish(true);
        if (seen.length === 2) publish(false);
        if (seen.length === 3) void door.server.drain(5_000);
      }
    })();
    await expect(ended).rejects.toMatchObject({ code: Code.Unavailable });
    expect(seen).toEqual(["price", "status", "price"]);
    expect(door.watches.counts()).toEqual({ watches: 0, requests: 0 });
  });

  test("refuses what GetPrice refuses, with every violation", async () => {
    const bad = { sellToken: "WETH", buyAmount: "1", sellAmount: "1.5" };
    const error = await (async () => {
      for await (const _update of watch(transport(), bad)) expect.fail("a price came");
    })().then(
      () => expect.fail("the call went through"),
      (thrown) => ConnectError.from(thrown),
    );
    expect(error.code).toBe(Code.InvalidArgument);
    const [details] = error.findDetails(BadRequestSchema);
    expect(details?.fieldViolations.map(({ field, reason }) => `${field} ${reason}`)).toEqual(
      expect.arrayContaining(["sellToken SYMBOL_INSTEAD_OF_ADDRESS", "buyToken REQUIRED", "sellAmount CONFLICT"]),
    );
  });

  test("needs a key, and ends when it is revoked", async () => {
    const ended = (async () => {
      for await (const _update of watch(transport())) keys.valid = false;
    })();
    await expect(ended).rejects.toMatchObject({ code: Code.Unauthenticated });
    await expect(watch(transport())[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: Code.Unauthenticated,
    });
    expect(door.watches.counts().watches).toBe(0);
  });

  test("ends at the caller's deadline, and frees its place when the caller leaves", async () => {
    const late = (async () => {
      for await (const _update of watch(transport(), REQUEST, { timeoutMs: 200 }));
    })();
    await expect(late).rejects.toMatchObject({ code: Code.DeadlineExceeded });
    const stop = new AbortController();
    const left = (async () => {
      for await (const _update of watch(transport(), REQUEST, { signal: stop.signal })) stop.abort();
    })();
    await expect(left).rejects.toMatchObject({ code: Code.Canceled });
    await expect.poll(() => door.watches.counts().watches).toBe(0);
  });
});

describe("GET /swap/v1/price/stream", () => {
  test("sends each message as an event, and why it ends as the last", async () => {
    const response = await sse();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    const { body: price } = await door.get(`/swap/v1/price?${new URLSearchParams(REQUEST)}`);
    const seen: Event[] = [];
    for await (const event of eventsOf(response)) {
      seen.push(event);
      if (seen.length === 1) publish(true);
      if (seen.length === 2) void door.server.drain(5_000);
    }
    expect(seen).toEqual([
      { type: "message", data: { price } },
      {
        type: "message",
        data: {
          status: {
            reason: "INSUFFICIENT_ASSET_LIQUIDITY",
            description: "no route",
            violations: [
              { field: "sellAmount", code: 1004, reason: "INSUFFICIENT_ASSET_LIQUIDITY", description: "no route" },
            ],
          },
        },
      },
      { type: "error", data: expect.objectContaining({ code: 108, reason: "SHUTTING_DOWN" }) },
    ]);
  });

  test("is refused in the documented way before the first event", async () => {
    const bad = await sse(`${STREAM}?sellToken=WETH&slippagePercantage=1`);
    expect(bad.status).toBe(400);
    expect(((await bad.json()) as { validationErrors: unknown[] }).validationErrors.length).toBeGreaterThan(3);
    expect((await sse(PATH, { method: "POST" })).headers.get("allow")).toBe("GET, HEAD");
    keys.valid = false;
    expect((await sse()).status).toBe(401);
    expect(door.watches.counts().watches).toBe(0);
  });

  test("ends with 107 when the key is revoked", async () => {
    const seen: Event[] = [];
    for await (const event of eventsOf(await sse())) {
      seen.push(event);
      keys.valid = false;
    }
    expect(seen.at(-1)).toMatchObject({ type: "error", data: { code: 107, reason: "API_KEY_INVALID" } });
    expect(door.watches.counts().watches).toBe(0);
  });

  test("has heartbeats while nothing changes, and refuses what is too much", async () => {
    const watchLimits = { mostWatches: 1, mostRequests: 1, heartbeatMs: 20 };
    const calm = await openDoor({}, undefined, 31337, { watchLimits });
    const response = await fetch(calm.origin + PATH, { headers: { "api-key": KEY } });
    const seen: Event[] = [];
    for await (const event of eventsOf(response)) {
      seen.push(event);
      if (seen.length === 3) break;
    }
    const heartbeat = {
      type: "message",
      data: { heartbeat: { blockNumber: "100", blockHash: `0x${"ab".repeat(32)}` } },
    };
    expect(seen.slice(1)).toEqual([heartbeat, heartbeat]);
    await expect.poll(() => calm.watches.counts().watches).toBe(0);
    const open = new AbortController();
    const first = await fetch(calm.origin + PATH, { headers: { "api-key": KEY }, signal: open.signal });
    expect(first.status).toBe(200);
    const { status, headers, body } = await calm.get(PATH);
    expect([status, headers.get("retry-after"), body.code, body.reason]).toEqual([503, "5", 108, "TOO_MANY_WATCHES"]);
    open.abort();
    await calm.server.drain(500);
  });

  test("answers HEAD with the headers alone", async () => {
    const response = await sse(PATH, { method: "HEAD" });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(await response.text()).toBe("");
    await expect.poll(() => door.watches.counts().watches).toBe(0);
  });

  test("frees its place when the caller leaves", async () => {
    const request = `GET ${PATH} HTTP/1.1\r\nHost: x\r\napi-key: ${KEY}\r\n\r\n`;
    expect(await rawExchange(door.port, request, (answer) => answer.includes("data: "))).toContain("200 OK");
    await expect.poll(() => door.watches.counts().watches).toBe(0);
  });
});

describe("streams of one key", () => {
  const account = (key: string): Account => ({ keyId: key });
  let crowd: Door;
  /** Opens a door for a test with these limits. */
  async function crowded(watchLimits: Partial<WatchLimits>): Promise<void> {
    crowd = await openDoor({}, { verify: account }, 31337, { watchLimits });
  }
  afterEach(() => crowd.server.drain(1_000));

  const path = (amount: number) => `${STREAM}?${new URLSearchParams({ ...REQUEST, sellAmount: String(amount) })}`;
  const stream = (key: string, amount = 1) => fetch(crowd.origin + path(amount), { headers: { "api-key": key } });
  /** Opens streams one after the other until one is refused; how many it opened, and why no more. */
  async function openAll(key: string, amountOf: (n: number) => number): Promise<readonly [number, string]> {
    for (let n = 0; ; n += 1) {
      const response = await stream(key, amountOf(n));
      if (response.status !== 200) return [n, ((await response.json()) as { reason: string }).reason];
    }
  }

  test("are bound, on every protocol", async () => {
    await crowded({ mostWatchesPerKey: 2 });
    const open = await Promise.all([stream("greedy-key"), stream("greedy-key")]);
    expect(open.map(({ status }) => status)).toEqual([200, 200]);
    const refused = await stream("greedy-key");
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 103, reason: "TOO_MANY_STREAMS" });
    const watched = (key: string) =>
      createClient(SwapService, createGrpcTransport({ baseUrl: crowd.origin }))
        .watchPrice(REQUEST, { headers: { "api-key": key } })
        [Symbol.asyncIterator]();
    await expect(watched("greedy-key").next()).rejects.toMatchObject({ code: Code.ResourceExhausted });
    expect((await watched("other-key").next()).value?.update.case).toBe("price");
    await open[0]!.body!.cancel();
    await expect.poll(() => crowd.watches.counts().watches).toBe(2);
    expect((await stream("greedy-key")).status).toBe(200);
  });

  test.each([
    ["streams", { mostWatches: 12, mostWatchesPerKey: 12 }, () => 1],
    ["different requests", { mostRequests: 12, mostRequestsPerKey: 12 }, (n: number) => 1 + n],
  ])("leave some %s for keys that have none, however many keys want all", async (_, limits, amountOf) => {
    await crowded(limits);
    const taken: number[] = [];
    for (const key of ["key-1", "key-2", "key-3", "key-4"]) {
      const from = 1_000 * taken.length;
      const [opened, reason] = await openAll(key, (n) => from + amountOf(n));
      expect([opened > 0, reason]).toEqual([true, "TOO_MANY_STREAMS"]);
      taken.push(opened);
    }
    expect(taken).toEqual([4, 3, 2, 1]);
    expect((await stream("key-of-a-newcomer", 9_000)).status).toBe(200);
    expect((await stream("key-1", 9_001)).status).toBe(429);
  });

  test("may watch what others watch, without a search of their own", async () => {
    await crowded({ mostRequests: 3, mostRequestsPerKey: 1 });
    expect((await stream("key-1", 1)).status).toBe(200);
    expect((await stream("key-1", 2)).status).toBe(429);
    expect((await stream("key-2", 1)).status).toBe(200);
    expect((await stream("key-1", 1)).status).toBe(200);
    expect(crowd.watches.counts()).toEqual({ watches: 3, requests: 1 });
  });
});
