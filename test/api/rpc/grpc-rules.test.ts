import { gunzipSync, gzipSync } from "node:zlib";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HealthCheckRequestSchema } from "#gen/grpc/health/v1/health_pb.ts";
import { GetPriceRequestSchema, GetPriceResponseSchema } from "#gen/swap/v1/swap_pb.ts";
import { callGrpcJs, type GrpcFailure } from "../../support/door/grpc-js.ts";
import { h2Request } from "../../support/door/h2-request.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { GRPC, REQUEST, RPC } from "../../support/door/price-call.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor({ messages: { readMaxBytes: 65_536, bodyTimeoutMs: 2_000 }, compressFromBytes: 500 });
});
afterAll(() => door.server.drain(1_000));

const MESSAGE = Buffer.from(toBinary(GetPriceRequestSchema, create(GetPriceRequestSchema, REQUEST)));

function envelope(flag: number, message: Buffer, length = message.length): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flag);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}

const WHOLE = envelope(0, MESSAGE);
const CALL = { ...GRPC, "api-key": KEY };
const [OK, INVALID_ARGUMENT, RESOURCE_EXHAUSTED, UNIMPLEMENTED, INTERNAL] = ["0", "3", "8", "12", "13"];

/** The status of a call, in whichever frame it came, with its headers and its first message. */
async function call(body: Buffer, headers: Record<string, string> = {}) {
  const answer = await h2Request(door.port, { ...CALL, ...headers }, body);
  const bytes = Buffer.from(answer.body, "latin1");
  return { ...answer, bytes, status: answer.headers["grpc-status"] ?? answer.trailerStatus };
}

function priceIn(bytes: Buffer) {
  const length = bytes.readUInt32BE(1);
  const message = bytes.subarray(5, 5 + length);
  return fromBinary(GetPriceResponseSchema, bytes[0] === 1 ? gunzipSync(message) : message);
}

describe("the framing of gRPC, as its own specification has it", () => {
  test.each<readonly [string, Buffer, Record<string, string>, string | undefined]>([
    ["one message", WHOLE, {}, OK],
    ["no message", Buffer.alloc(0), {}, UNIMPLEMENTED],
    ["two messages", Buffer.concat([WHOLE, WHOLE]), {}, UNIMPLEMENTED],
    ["half a head", WHOLE.subarray(0, 3), {}, INTERNAL],
    ["half a message", WHOLE.subarray(0, 20), {}, INTERNAL],
    ["a flag that means nothing", envelope(2, MESSAGE), {}, INTERNAL],
    ["bytes that are no message", envelope(0, Buffer.from([0xff, 0xff])), {}, INTERNAL],
    ["a compressed message and no encoding", envelope(1, gzipSync(MESSAGE)), {}, INTERNAL],
    ["a compressed message in identity", envelope(1, gzipSync(MESSAGE)), { "grpc-encoding": "identity" }, INTERNAL],
    ["a compressed message in gzip", envelope(1, gzipSync(MESSAGE)), { "grpc-encoding": "gzip" }, OK],
    ["a message that is not compressed in gzip", WHOLE, { "grpc-encoding": "gzip" }, OK],
    ["what is no gzip", envelope(1, MESSAGE), { "grpc-encoding": "gzip" }, INTERNAL],
    ["half of a gzip", envelope(1, gzipSync(MESSAGE).subarray(0, 40)), { "grpc-encoding": "gzip" }, INTERNAL],
    ["a length above the limit", envelope(0, MESSAGE, 65_537), {}, RESOURCE_EXHAUSTED],
    ["more than the limit", envelope(0, Buffer.alloc(65_537)), {}, RESOURCE_EXHAUSTED],
    [
      "more than the limit once it is decompressed",
      envelope(1, gzipSync(Buffer.alloc(65_537))),
      { "grpc-encoding": "gzip" },
      RESOURCE_EXHAUSTED,
    ],
    ["a timeout that is none", WHOLE, { "grpc-timeout": "1.5S" }, INTERNAL],
    ["a timeout of nine digits", WHOLE, { "grpc-timeout": "123456789S" }, INTERNAL],
    ["binary metadata that is no base64", WHOLE, { "trace-bin": "!!!!" }, OK],
    ["application/grpc+proto", WHOLE, { "content-type": "application/grpc+proto" }, OK],
    ["a content type with a parameter", WHOLE, { "content-type": "application/grpc;charset=utf-8" }, OK],
    ["a content type in capitals", WHOLE, { "content-type": "Application/gRPC" }, OK],
    ["JSON", envelope(0, Buffer.from(JSON.stringify(REQUEST))), { "content-type": "application/grpc+json" }, OK],
    ["JSON that is none", envelope(0, Buffer.from("{")), { "content-type": "application/grpc+json" }, INTERNAL],
    ["a format that is not known", WHOLE, { "content-type": "application/grpc+thrift" }, INVALID_ARGUMENT],
  ])("%s", async (_, body, headers, status) => {
    expect((await call(body, headers)).status).toBe(status);
  });

  test("te: trailers is not missed", async () => {
    const { te: _, ...headers } = CALL;
    expect((await h2Request(door.port, headers, WHOLE)).trailerStatus).toBe(OK);
  });

  test("a compression that is not read is answered with those that are", async () => {
    const { status, headers } = await call(WHOLE, { "grpc-encoding": "snappy" });
    expect(status).toBe(UNIMPLEMENTED);
    expect(headers["grpc-accept-encoding"]).toMatch(/\bgzip\b/);
  });

  test("a content type that is none of gRPC is a 415", async () => {
    const { headers } = await call(WHOLE, { "content-type": "application/octet-stream" });
    expect([headers[":status"], headers["grpc-status"]]).toEqual([415, undefined]);
  });

  test.each(["/swap.v1.SwapService/Nope", "/swap.v1.Nope/GetPrice"])("%s is UNIMPLEMENTED", async (path) => {
    expect((await call(WHOLE, { ":path": path })).status).toBe(UNIMPLEMENTED);
  });
});

describe("calls that need no key", () => {
  const path = "/grpc.health.v1.Health/Check";
  const ask = Buffer.from(
    toBinary(HealthCheckRequestSchema, create(HealthCheckRequestSchema, { service: "swap.v1.SwapService" })),
  );

  test.each<readonly [string, Buffer, Record<string, string>, string | undefined]>([
    ["one message", envelope(0, ask), {}, OK],
    ["a message in gzip", envelope(1, gzipSync(ask)), { "grpc-encoding": "gzip" }, OK],
    ["no message", Buffer.alloc(0), {}, UNIMPLEMENTED],
    ["half a message", envelope(0, ask).subarray(0, 8), {}, INTERNAL],
    ["another compression", envelope(0, ask), { "grpc-encoding": "snappy" }, UNIMPLEMENTED],
    [
      "a field that there is none of",
      envelope(0, Buffer.from('{"servise":"x"}')),
      { "content-type": "application/grpc+json" },
      INVALID_ARGUMENT,
    ],
  ])("%s", async (_, body, headers, status) => {
    expect((await call(body, { ":path": path, ...headers })).status).toBe(status);
  });
});

describe("compression over gRPC", () => {
  test("answers are in gzip for callers that accept it, and only for them", async () => {
    const plain = await call(WHOLE);
    const packed = await call(WHOLE, { "grpc-accept-encoding": "identity,deflate,gzip" });
    expect([plain.headers["grpc-encoding"], plain.bytes[0]]).toEqual([undefined, 0]);
    expect([packed.headers["grpc-encoding"], packed.bytes[0]]).toEqual(["gzip", 1]);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length);
    expect(priceIn(packed.bytes)).toEqual(priceIn(plain.bytes));
  });

  test("a client that compresses all that it sends is understood", async () => {
    const channel = { "grpc.default_compression_algorithm": 2 };
    expect(await callGrpcJs(door.port, "getPrice", REQUEST, { channel })).toMatchObject({ buyAmount: "2000" });
    const refused = callGrpcJs(door.port, "getPrice", { ...REQUEST, sellAmount: "x" }, { channel });
    await expect(refused).rejects.toMatchObject({ code: 3 });
  });

  test("a client whose compression is not read is told so", async () => {
    const channel = { "grpc.default_compression_algorithm": 1 };
    const failure = await callGrpcJs(door.port, "getPrice", REQUEST, { channel }).then(
      () => expect.fail("the call went through"),
      (error: GrpcFailure) => error,
    );
    expect([failure.code, failure.details]).toEqual([12, expect.stringContaining("send gzip")]);
  });
});

test("gRPC-Web in text is read and answered in base64", async () => {
  for (const suffix of ["", "+proto"]) {
    const response = await fetch(door.origin + RPC, {
      method: "POST",
      headers: { "api-key": KEY, "content-type": `application/grpc-web-text${suffix}` },
      body: WHOLE.toString("base64"),
    });
    expect(response.headers.get("content-type")).toMatch(/^application\/grpc-web-text/);
    const parts = (await response.text()).match(/[A-Za-z0-9+/]+={0,2}/g) ?? [];
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part, "base64")));
    expect(priceIn(bytes)).toMatchObject({ buyAmount: "2000" });
    expect(bytes.toString("latin1")).toMatch(/grpc-status: 0/);
  }
});
