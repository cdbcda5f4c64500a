import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, type ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterEach, describe, expect, test } from "vitest";
import { ErrorInfoSchema, QuotaFailureSchema, RetryInfoSchema } from "#gen/google/rpc/error_details_pb.ts";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import type { Account } from "../../src/api/keys/key-store.ts";
import { createChargeCall } from "../../src/api/limits/charge.ts";
import { openAccounts } from "../../src/compose/stores.ts";
import { refuse, type SwapError } from "../../src/domain/errors/swap-error.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { createMemoryLimiter } from "../../src/stores/memory/limiter.ts";
import { openKeys, openStores, openUsage } from "../../src/stores/open-stores.ts";
import { callGrpcJs, type GrpcFailure } from "../support/door/grpc-js.ts";
import { type Door, KEY, openDoor } from "../support/door/http.ts";
import { PRICE, REQUEST } from "../support/door/price-call.ts";

const QUOTE = PRICE.replace("price", "quote");
const ALL = { from: 0, until: 2 ** 40 };
const SILENT = createLogger("silent");

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function doorOf(...parameters: Parameters<typeof openDoor>): Promise<Door> {
  const door = await openDoor(...parameters);
  ends.push(() => door.server.drain(100));
  return door;
}

/** Three units that come back one a second, at a time that stands still. */
async function narrowDoor(more: Partial<Account> = {}): Promise<Door> {
  const account = { keyId: "narrow", limit: { unitsPerSecond: 1, burst: 3 }, ...more };
  const charge = createChargeCall(
    createMemoryLimiter(() => 0),
    undefined,
  );
  return doorOf({}, { verify: () => account }, undefined, { charge });
}

const transports = (origin: string) => ({
  connect: createConnectTransport({ baseUrl: origin, httpVersion: "1.1" }),
  grpc: createGrpcTransport({ baseUrl: origin }),
  "grpc-web": createGrpcWebTransport({ baseUrl: origin, httpVersion: "1.1" }),
});

describe("the limit of an account", () => {
  test("stands in every answer, whatever it is", async () => {
    const door = await narrowDoor();
    const told = async (path: string) => {
      const { status, headers } = await door.get(path);
      return [status, headers.get("ratelimit-policy"), headers.get("ratelimit")];
    };
    expect(await told(PRICE)).toEqual([200, '"default";q=3;w=3', '"default";r=2;t=1']);
    expect(await told("/swap/v1/price")).toEqual([400, '"default";q=3;w=3', '"default";r=1;t=2']);
    expect(await told("/livez")).toEqual([200, null, null]);
    expect(await told("/swap/v1/sources")).toEqual([200, '"default";q=3;w=3', '"default";r=0;t=3']);
    expect(await told(PRICE)).toEqual([429, '"default";q=3;w=3', '"default";r=0;t=3']);
  });

  test("is charged for what searches took, up to a ceiling, also where there is no route", async () => {
    const account = { keyId: "costly", limit: { unitsPerSecond: 1, burst: 30 } };
    const charge = createChargeCall(
      createMemoryLimiter(() => 0),
      undefined,
    );
    const door = await doorOf({}, { verify: () => account }, undefined, { charge });
    const limitAfter = async (path: string, steps: number, refusal?: SwapError) => {
      door.quoting.before = async (_, { spent }) => {
        for (const part of [steps - 7, 7]) spent?.(part);
        if (refusal !== undefined) throw refusal;
      };
      const { headers } = await door.get(path);
      return headers.get("ratelimit");
    };
    expect(await limitAfter(PRICE, 24_999)).toBe('"default";r=29;t=1');
    expect(await limitAfter(PRICE, 25_000)).toBe('"default";r=27;t=3');
    const none = refuse("INSUFFICIENT_ASSET_LIQUIDITY", "no route");
    expect(await limitAfter(PRICE, 155_000, none)).toBe('"default";r=20;t=10');
    expect(await limitAfter(PRICE, 4_000_000)).toBe('"default";r=9;t=21');
    expect(await limitAfter(QUOTE, 4_000_000)).toBe('"default";r=0;t=36');
    const { status, headers } = await door.get(PRICE);
    // The account owes six units: they come back first.
    expect([status, headers.get("retry-after")]).toEqual([429, "7"]);
  });

  test.each(["connect", "grpc", "grpc-web"] as const)("is charged for searches over %s as well", async (protocol) => {
    const account = { keyId: "costly", limit: { unitsPerSecond: 1, burst: 30 } };
    const charge = createChargeCall(
      createMemoryLimiter(() => 0),
      undefined,
    );
    const door = await doorOf({}, { verify: () => account }, undefined, { charge });
    door.quoting.before = async (_, { spent }) => spent?.(100_000);
    const told: (string | null)[] = [];
    await createClient(SwapService, transports(door.origin)[protocol]).getPrice(REQUEST, {
      headers: { "api-key": "x" },
      onHeader: (header) => void told.push(header.get("ratelimit")),
    });
    expect(told).toEqual(['"default";r=25;t=5']);
  });

  test("used up is a 429 over REST, and quoting is not asked", async () => {
    const door = await narrowDoor();
    expect((await door.get(QUOTE)).status).toBe(200);
    const { status, headers, body } = await door.get(PRICE);
    expect({ status, retryAfter: headers.get("retry-after") }).toEqual({ status: 429, retryAfter: "1" });
    expect(body).toMatchObject({ code: 103, reason: "TOO_MANY_REQUESTS", docs: "/docs/errors#too_many_requests" });
    expect(body.description).toMatch(/1 units per second, 3 at once/);
    expect((await door.get(QUOTE)).headers.get("retry-after")).toBe("3");
    expect(door.quoting.asked).toHaveLength(1);
  });

  test("used up is RESOURCE_EXHAUSTED with RetryInfo and QuotaFailure on the others", async () => {
    const door = await narrowDoor();
    await door.get(QUOTE);
    for (const [name, transport] of Object.entries(transports(door.origin))) {
      const failure = await createClient(SwapService, transport)
        .getPrice(REQUEST, { headers: { "api-key": KEY } })
        .then(
          () => expect.fail("the call went through"),
          (error: ConnectError) => error,
        );
      expect(failure.code, name).toBe(Code.ResourceExhausted);
      expect(failure.findDetails(ErrorInfoSchema)[0]).toMatchObject({
        reason: "TOO_MANY_REQUESTS",
        metadata: { code: "103" },
      });
      expect(failure.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds).toBe(1n);
      expect(failure.findDetails(QuotaFailureSchema)[0]?.violations).toHaveLength(1);
      expect(failure.metadata.get("ratelimit"), name).toBe('"default";r=0;t=3');
      expect(failure.metadata.get("retry-after"), name).toBe("1");
    }
    const failure = await callGrpcJs(door.port, "getPrice", REQUEST).then(
      () => expect.fail("the call went through"),
      (error: GrpcFailure) => error,
    );
    expect(failure.code).toBe(8);
    expect(failure.metadata.get("ratelimit-policy")).toEqual(['"default";q=3;w=3']);
  });

  test("is not touched by calls that the key may not make", async () => {
    const door = await narrowDoor({ methods: ["GetPrice"] });
    for (let i = 0; i < 5; i++) expect((await door.get(QUOTE)).status).toBe(403);
    expect((await door.get(PRICE)).status).toBe(200);
  });
});

describe("usage", () => {
  async function openBook() {
    const dataDir = mkdtempSync(join(tmpdir(), "accounts-"));
    ends.push(() => rmSync(dataDir, { recursive: true }));
    const stores = await openStores({ dataDir, pepper: undefined });
    const accounts = await openAccounts(stores, { presetKey: KEY, limit: undefined, logger: SILENT });
    const end = () => {
      accounts.stop();
      return stores.close();
    };
    return { dataDir, accounts, end };
  }

  test("is every answered call, once, after a drain under load on all protocols", async () => {
    const { dataDir, accounts, end } = await openBook();
    const door = await openDoor({}, accounts.keys, undefined, accounts);
    let calls = 0;
    door.quoting.before = async () => {
      if (++calls % 5 === 0) throw refuse("UNAVAILABLE", "no fresh state");
      await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const headers = { "api-key": KEY };
    const clients = Object.values(transports(door.origin)).map((transport) => createClient(SwapService, transport));
    const answered = { ok: 0, UNAVAILABLE: 0 };
    let stopped = false;
    const caller = async (call: () => Promise<keyof typeof answered>) => {
      while (!stopped)
        try {
          answered[await call()]++;
        } catch {
          // Not answered: the door was closed.
          return;
        }
    };
    const overRest = async () => {
      const response = await fetch(door.origin + PRICE, { headers });
      await response.text();
      return response.status === 200 ? "ok" : "UNAVAILABLE";
    };
    const over = (client: (typeof clients)[number]) => () =>
      client.getPrice(REQUEST, { headers }).then(
        () => "ok" as const,
        (error: ConnectError) => {
          // Details tell the service's own refusals from a connection that is closed.
          if (error.code !== Code.Unavailable || error.findDetails(ErrorInfoSchema).length === 0) throw error;
          return "UNAVAILABLE" as const;
        },
      );
    const callers = [...clients.map(over), overRest, overRest].map(caller);
    await expect.poll(() => Math.min(answered.ok, answered.UNAVAILABLE)).toBeGreaterThan(10);
    stopped = true;
    await door.server.drain(5_000);
    await end();
    await Promise.all(callers);
    const book = openUsage(dataDir);
    ends.push(book.close);
    const sums = new Map<string, number>();
    for (const { keyId, method, outcome, requests, units } of await book.read(ALL)) {
      expect({ keyId, method, units }).toEqual({ keyId: "preset", method: "GetPrice", units: requests });
      sums.set(outcome, (sums.get(outcome) ?? 0) + requests);
    }
    expect(Object.fromEntries(sums)).toEqual(answered);
  });

  test("names the method, the outcome and the units, also of what was refused", async () => {
    const { dataDir, accounts, end } = await openBook();
    const narrow = { keyId: "narrow", methods: ["GetPrice", "GetQuote"], limit: { unitsPerSecond: 1, burst: 6 } };
    const door = await openDoor({}, { verify: (key) => (key === KEY ? narrow : undefined) }, undefined, accounts);
    for (const path of [QUOTE, "/swap/v1/price?x=1", PRICE, "/swap/v1/sources", "/livez"]) await door.get(path);
    await door.get(PRICE, { "api-key": "unknown" });
    await door.server.drain(1_000);
    await end();
    const book = openUsage(dataDir);
    ends.push(book.close);
    expect((await book.read(ALL)).map(({ minute: _, ...row }) => row)).toEqual([
      { keyId: "narrow", method: "GetPrice", outcome: "INVALID_PARAMETERS", requests: 1, units: 1 },
      { keyId: "narrow", method: "GetPrice", outcome: "TOO_MANY_REQUESTS", requests: 1, units: 0 },
      { keyId: "narrow", method: "GetQuote", outcome: "ok", requests: 1, units: 5 },
      { keyId: "narrow", method: "ListSources", outcome: "PERMISSION_DENIED", requests: 1, units: 0 },
    ]);
  });
});

test("keys that another process makes and revokes open and close the door of a running service", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "accounts-"));
  ends.push(() => rmSync(dataDir, { recursive: true }));
  const place = { dataDir, pepper: undefined };
  const stores = await openStores(place);
  const accounts = await openAccounts(stores, { presetKey: KEY, limit: undefined, logger: SILENT });
  ends.push(stores.close, accounts.stop);
  const door = await doorOf({}, accounts.keys, undefined, accounts);
  const { database } = openKeys(place);
  ends.push(database.close);
  const terms = {
    account: "acme",
    label: "",
    expiresAt: null,
    methods: null,
    origins: null,
    integrator: null,
    surplus: null,
  };
  const { key, record } = await database.create({ ...terms, limit: null });
  const answer = async () => {
    const { status, body } = await door.get(PRICE, { "api-key": key });
    return [status, body.reason];
  };
  await expect.poll(answer).toEqual([200, undefined]);
  await database.revoke(record.id);
  await expect.poll(answer).toEqual([401, "API_KEY_REVOKED"]);
  expect((await door.get(PRICE)).status).toBe(200);
});
