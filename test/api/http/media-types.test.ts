import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { REQUEST, RPC } from "../../support/door/price-call.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

const JSON_BODY = Buffer.from(JSON.stringify(REQUEST));

async function post(contentType: string, body: Buffer = JSON_BODY) {
  const headers = { "api-key": KEY, "content-type": contentType };
  const response = await fetch(door.origin + RPC, { method: "POST", headers, body });
  return { status: response.status, text: await response.text() };
}

describe("media types as RFC 9110 lets them be written", () => {
  test.each([
    "application/json",
    "Application/JSON",
    "application/json;charset=utf-8",
    'application/json; charset="utf-8"',
    "application/json; charset=UTF8",
    "application/json; charset=us-ascii",
    "application/json;",
    "application/json ; charset=utf-8",
    "application/json\t;\tcharset=utf-8",
    "application/json; charset=utf-8; profile=x",
    'application/json; profile="a;b=\\"c\\""; charset=utf-8',
    "application/json; profile=x",
    "application/json; charset=utf-8;",
  ])("%j is JSON", async (contentType) => {
    expect(await post(contentType)).toMatchObject({ status: 200 });
  });

  test.each(["application/proto; charset=utf-8", "application/proto;", "application/proto; charset=latin1"])(
    "%j is protobuf, of which a charset says nothing",
    async (contentType) => {
      const { status, text } = await post(contentType, Buffer.alloc(0));
      expect([status, text.includes("sellToken is required")]).toEqual([400, true]);
    },
  );

  test.each(['application/grpc-web+json; charset="utf-8"', "application/grpc-web+json ;"])(
    "%j is gRPC-Web",
    async (contentType) => {
      const head = Buffer.from([0, 0, 0, 0, JSON_BODY.length]);
      expect((await post(contentType, Buffer.concat([head, JSON_BODY]))).text).toMatch(/grpc-status: 0/);
    },
  );

  test.each(["latin1", "utf-16", '"iso-8859-1"', ""])("the charset %s is told to be UTF-8 instead", async (charset) => {
    const { status, text } = await post(`application/json; charset=${charset}`);
    expect(status).toBe(415);
    expect(JSON.parse(text)).toMatchObject({
      reason: "UNSUPPORTED_CONTENT_TYPE",
      description: expect.stringContaining("send application/json in UTF-8"),
    });
  });

  test.each(["application/json charset=utf-8", "application/jsonx", "text/json", "*/*", ";", "application"])(
    "%j is none that is taken",
    async (contentType) => {
      expect(await post(contentType)).toMatchObject({ status: 415 });
    },
  );
});
