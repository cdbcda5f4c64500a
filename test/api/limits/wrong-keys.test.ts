import { Code, type ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterEach, describe, expect, test } from "vitest";
import { ErrorInfoSchema, QuotaFailureSchema, RetryInfoSchema } from "#gen/google/rpc/error_details_pb.ts";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { authenticate } from "../../../src/api/keys/authorize.ts";
import { createPresetKeys } from "../../../src/api/keys/preset-keys.ts";
import { createWrongKeys } from "../../../src/api/limits/wrong-keys.ts";
import { SwapError } from "../../../src/domain/swap-error.ts";
import { type Door, KEY, openDoor } from "../../support/http.ts";
import { PRICE, REQUEST } from "../../support/price-call.ts";

/** A guard at a time that the test sets, in front of one right key; says what each look at a key came to. */
function setUp(perMinute: number) {
  const time = { ms: 0 };
  const wrongKeys = createWrongKeys(perMinute, () => time.ms);
  const keys = createPresetKeys(KEY);
  let looks = 0;
  const look = (key: string, address: string) => {
    try {
      return wrongKeys.guard(
        key,
        () => address,
        () => {
          looks += 1;
          return authenticate(keys, key).keyId;
        },
      );
    } catch (error) {
      if (!(error instanceof SwapError)) throw error;
      return error.reason === "TOO_MANY_WRONG_KEYS" ? error.retryAfterSeconds : error.reason;
    }
  };
  return { time, look, looks: () => looks };
}

describe("wrong keys of one address", () => {
  test("are not looked at any more after so many, and again with time", () => {
    const { time, look, looks } = setUp(3);
    const wrong = () => look("wrong", "10.0.0.1");
    expect([wrong(), wrong(), wrong(), wrong()]).toEqual([...Array(3).fill("API_KEY_INVALID"), 20]);
    expect(looks()).toBe(3);
    time.ms = 19_999;
    expect(wrong()).toBe(1);
    time.ms = 20_000;
    expect([wrong(), wrong()]).toEqual(["API_KEY_INVALID", 20]);
    time.ms = 200_000;
    expect([wrong(), wrong(), wrong(), wrong()]).toEqual([...Array(3).fill("API_KEY_INVALID"), 20]);
  });

  test("do not lock out others, nor keys that were right before", () => {
    const { look } = setUp(1);
    expect(look(KEY, "10.0.0.1")).toBe("preset");
    expect([look("wrong", "10.0.0.2"), look("wrong", "10.0.0.2")]).toEqual(["API_KEY_INVALID", 60]);
    expect(look("wrong", "10.0.0.1")).toBe("API_KEY_INVALID");
    expect([look(KEY, "10.0.0.2"), look(KEY, "10.0.0.1"), look(KEY, "10.0.0.3")]).toEqual(Array(3).fill("preset"));
  });

  test("hold back a guess, even a right one", () => {
    const { look, looks } = setUp(1);
    expect([look("wrong", "10.0.0.2"), look(KEY, "10.0.0.2")]).toEqual(["API_KEY_INVALID", 60]);
    expect(looks()).toBe(1);
  });

  test.each([
    ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true],
    ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
    ["2001:db8::1", "2001:db8:0:0:5::", true],
    ["::1", "::2", true],
    ["::ffff:10.0.0.1", "10.0.0.1", true],
    ["::ffff:10.0.0.1", "::ffff:10.0.0.2", false],
  ])("%s and %s are one network: %s", (one, other, same) => {
    const { look } = setUp(1);
    look("wrong", one);
    expect(look("wrong", other)).toBe(same ? 60 : "API_KEY_INVALID");
  });

  test("take no more memory than for 10,000 addresses: the oldest are forgotten", () => {
    const { look } = setUp(1);
    for (let i = 0; i <= 10_000; i++) look("wrong", `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    expect(look("wrong", "10.0.39.16")).toBe(60);
    expect(look("wrong", "10.0.0.0")).toBe("API_KEY_INVALID");
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
    const door = await openDoor({ wrongKeysPerMinute: 2 });
    doors.push(door);
    for (let i = 0; i < 2; i++) expect((await door.get(PRICE, { "api-key": `wrong-${i}` })).status).toBe(401);
    return door;
  }

  test("REST says when to come back, and calls without a key or with a right one are not touched", async () => {
    const door = await openDoor({ wrongKeysPerMinute: 2 });
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
