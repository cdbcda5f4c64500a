import { Code, type ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterEach, describe, expect, test } from "vitest";
import { ErrorInfoSchema, QuotaFailureSchema, RetryInfoSchema } from "#gen/google/rpc/error_details_pb.ts";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { authenticate } from "../../../src/api/keys/authorize.ts";
import { keyText, newKeyId, newSecret } from "../../../src/api/keys/key-text.ts";
import { createPresetKeys } from "../../../src/api/keys/preset-keys.ts";
import { DEFAULT_BOUNDS } from "../../../src/api/limits/bounds.ts";
import { createLedger } from "../../../src/api/limits/ledger.ts";
import { createWrongKeys } from "../../../src/api/limits/wrong-keys.ts";
import { SwapError } from "../../../src/domain/errors/swap-error.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { PRICE, REQUEST } from "../../support/door/price-call.ts";

/** A store with one key as the service makes them, which nobody has used. */
function newKey() {
  const parts = { id: newKeyId(), secret: newSecret() };
  const key = keyText(parts);
  return { key, store: createPresetKeys(key) };
}

/** A guard at a time that the test sets, in front of one right key; says what each look at a key came to. */
function setUp(perMinute: number) {
  const time = { ms: 0 };
  const ledger = createLedger(() => time.ms);
  const wrongKeys = createWrongKeys(perMinute, ledger);
  const keys = createPresetKeys(KEY);
  const look = (key: string, network: string) => {
    try {
      return wrongKeys.guard(network, () => authenticate(keys, key).keyId);
    } catch (error) {
      if (!(error instanceof SwapError)) throw error;
      return error.reason === "TOO_MANY_WRONG_KEYS" ? error.retryAfterSeconds : error.reason;
    }
  };
  return { time, look };
}

describe("wrong keys of one address", () => {
  test("are told to wait after so many, and again with time", () => {
    const { time, look } = setUp(3);
    const wrong = () => look("wrong", "10.0.0.1");
    expect([wrong(), wrong(), wrong(), wrong()]).toEqual([...Array(3).fill("API_KEY_INVALID"), 20]);
    time.ms = 19_999;
    expect(wrong()).toBe(1);
    time.ms = 20_000;
    expect([wrong(), wrong()]).toEqual(["API_KEY_INVALID", 20]);
    time.ms = 200_000;
    expect([wrong(), wrong(), wrong(), wrong()]).toEqual([...Array(3).fill("API_KEY_INVALID"), 20]);
  });

  test("lock out neither others nor a right key that was never seen", () => {
    const { look } = setUp(1);
    expect([look("wrong", "10.0.0.2"), look("wrong", "10.0.0.2")]).toEqual(["API_KEY_INVALID", 60]);
    expect(look("wrong", "10.0.0.1")).toBe("API_KEY_INVALID");
    expect([look(KEY, "10.0.0.2"), look(KEY, "10.0.0.1")]).toEqual(["preset", "preset"]);
  });

  test("may be as many as they like when there is no limit", () => {
    const { look } = setUp(0);
    for (let i = 0; i < 1_000; i++) expect(look("wrong", "10.0.0.1")).toBe("API_KEY_INVALID");
  });
});

describe("at the door", () => {
  const doors: Door[] = [];
  afterEach(async () => {
    for (const door of doors.splice(0)) await door.server.drain(100);
  });
  async function narrowDoor(): Promise<Door> {
    const door = await openDoor({ bounds: { ...DEFAULT_BOUNDS, wrongKeysPerMinute: 2 } });
    doors.push(door);
    for (let i = 0; i < 2; i++) expect((await door.get(PRICE, { "api-key": `wrong-${i}` })).status).toBe(401);
    return door;
  }

  test("REST says when to come back, and calls without a key or with a right one are not touched", async () => {
    const door = await openDoor({ bounds: { ...DEFAULT_BOUNDS, wrongKeysPerMinute: 2 } });
    doors.push(door);
    expect((await door.get(PRICE)).status).toBe(200);
    for (let i = 0; i < 5; i++) expect((await fetch(door.origin + PRICE)).status).toBe(401);
    for (let i = 0; i < 2; i++) expect((await door.get(PRICE, { "api-key": "wrong" })).status).toBe(401);
    const { status, headers, body } = await door.get(PRICE, { "api-key": "wrong" });
    expect([status, headers.get("retry-after")]).toEqual([429, "30"]);
    expect(body).toMatchObject({ code: 103, reason: "TOO_MANY_WRONG_KEYS", docs: "/docs/errors#too_many_requests" });
    expect((await door.get(PRICE)).status).toBe(200);
    expect((await door.get("/livez")).status).toBe(200);
  });

  test("60 wrong keys from a proxy that is not known do not lock out a key that was never seen", async () => {
    const { key, store } = newKey();
    const door = await openDoor({}, store);
    doors.push(door);
    for (let i = 0; i < 70; i++) await door.get(PRICE, { "api-key": `wrong-${i}` });
    expect((await door.get(PRICE, { "api-key": "wrong" })).status).toBe(429);
    expect((await door.get(PRICE, { "api-key": key })).status).toBe(200);
  });

  test("are counted by the caller that a trusted proxy names", async () => {
    const door = await openDoor({
      trustedProxies: ["127.0.0.0/8"],
      bounds: { ...DEFAULT_BOUNDS, wrongKeysPerMinute: 1 },
    });
    doors.push(door);
    const wrong = async (headers: Record<string, string>) =>
      (await door.get(PRICE, { "api-key": "wrong", ...headers })).status;
    expect(await wrong({ "x-forwarded-for": "198.51.100.7" })).toBe(401);
    // Entries that the caller itself puts before its address change nothing.
    expect(await wrong({ "x-forwarded-for": "203.0.113.9, 198.51.100.7" })).toBe(429);
    expect(await wrong({ forwarded: 'for="198.51.100.7:4711"' })).toBe(429);
    expect(await wrong({ "x-forwarded-for": "198.51.100.8" })).toBe(401);
  });

  test.each([
    ["connect", (baseUrl: string) => createConnectTransport({ baseUrl, httpVersion: "1.1" })],
    ["grpc", (baseUrl: string) => createGrpcTransport({ baseUrl })],
    ["grpc-web", (baseUrl: string) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })],
  ])("%s is told the same", async (_, transportOf) => {
    const door = await narrowDoor();
    const failure = await createClient(SwapService, transportOf(door.origin))
      .getPrice(REQUEST, { headers: { "api-key": "wrong" } })
      .then(
        () => expect.fail("the call went through"),
        (error: ConnectError) => error,
      );
    expect(failure.code).toBe(Code.ResourceExhausted);
    expect(failure.findDetails(ErrorInfoSchema)[0]?.reason).toBe("TOO_MANY_WRONG_KEYS");
    expect(failure.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds).toBe(30n);
    expect(failure.findDetails(QuotaFailureSchema)[0]?.violations[0]?.subject).toBe("address");
    expect(door.quoting.asked).toHaveLength(0);
  });
});
