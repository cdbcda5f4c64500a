import { readFile } from "node:fs/promises";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "#gen/google/rpc/error_details_pb.ts";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { REFUSALS, type RefusalKind, type RefusalReason } from "../../../src/domain/errors/refusals.ts";
import { refuse } from "../../../src/domain/errors/swap-error.ts";
import { VIOLATIONS, type Violation, type ViolationReason } from "../../../src/domain/errors/violations.ts";
import { callGrpcJs, type GrpcFailure } from "../../support/door/grpc-js.ts";
import { type Door, KEY, openDoor, rawExchange } from "../../support/door/http.ts";
import { PRICE, REQUEST, RPC } from "../../support/door/price-call.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

/** Lets quoting refuse while `look` runs. */
async function whileQuotingThrows<T>(error: unknown, look: () => Promise<T>): Promise<T> {
  door.quoting.before = async () => {
    throw error;
  };
  try {
    return await look();
  } finally {
    door.quoting.before = async () => {};
  }
}

const transports = {
  connect: () => createConnectTransport({ baseUrl: door.origin, httpVersion: "1.1" }),
  grpc: () => createGrpcTransport({ baseUrl: door.origin }),
  "grpc-web": () => createGrpcWebTransport({ baseUrl: door.origin, httpVersion: "1.1" }),
};

async function failureOver(protocol: keyof typeof transports, headers: Record<string, string> = { "api-key": KEY }) {
  const client = createClient(SwapService, transports[protocol]());
  const failure = await client.getPrice(REQUEST, { headers }).then(
    () => expect.fail("the call went through"),
    (error: unknown) => error,
  );
  if (!(failure instanceof ConnectError)) throw failure;
  return failure;
}

/** The contract's table: HTTP status, code of the body, status of gRPC and Connect. */
const QUOTING_CASES: readonly (readonly [RefusalKind, number, number, Code])[] = [
  ["INSUFFICIENT_ASSET_LIQUIDITY", 400, 100, Code.FailedPrecondition],
  ["PRICE_IMPACT_TOO_HIGH", 400, 100, Code.FailedPrecondition],
  ["TRANSACTION_REVERTS", 400, 105, Code.FailedPrecondition],
  ["TOO_MANY_REQUESTS", 429, 103, Code.ResourceExhausted],
  ["UNAVAILABLE", 503, 108, Code.Unavailable],
  ["SETTLEMENT_NOT_DEPLOYED", 503, 108, Code.FailedPrecondition],
  ["DEADLINE_EXCEEDED", 504, 108, Code.DeadlineExceeded],
  ["INTERNAL", 500, 110, Code.Internal],
];

const REASONS = Object.keys(REFUSALS) as RefusalReason[];

/** The contract's seconds after which to try again. */
const RETRY_AFTER: Readonly<Partial<Record<RefusalReason, string>>> = {
  TOO_MANY_REQUESTS: "1",
  UNAVAILABLE: "1",
  TOO_MANY_WATCHES: "5",
  REFERENCE_UNAVAILABLE: "5",
  SETTLEMENT_NOT_DEPLOYED: "60",
};

/** The contract's numbers of what is wrong with one field. */
const ITEMS: Readonly<Record<number, readonly ViolationReason[]>> = {
  1000: ["REQUIRED"],
  1001: [
    ...(["INVALID_TYPE", "INVALID_INTEGER", "INVALID_FRACTION", "TOO_MANY_DECIMALS"] as const),
    ...(["CONFLICT", "REPEATED_PARAMETER", "UNKNOWN_VALUE", "INVALID_CURSOR", "INVALID_LOG"] as const),
  ],
  1002: ["INVALID_ADDRESS", "INVALID_POOL", "INVALID_CHECKSUM", "ZERO_ADDRESS", "SYMBOL_INSTEAD_OF_ADDRESS"],
  1004: [
    ...(["OUT_OF_RANGE", "SELL_AMOUNT_TOO_SMALL", "BUY_AMOUNT_TOO_SMALL"] as const),
    ...(["INSUFFICIENT_ASSET_LIQUIDITY", "SOURCE_CANNOT_SERVE", "PRICE_IMPACT_TOO_HIGH"] as const),
  ],
  1006: [
    ...(["UNKNOWN_PARAMETER", "UNKNOWN_SOURCE", "NO_SOURCE_LEFT", "MISSING_PARTNER"] as const),
    ...(["INVALID_RECIPIENT", "NOT_WITH_WRAPPING", "NOT_WITH_TAX", "UNKNOWN_CONTRACT", "NOT_ALLOWED"] as const),
  ],
  1009: ["UNKNOWN_TOKEN", "TOKEN_NOT_SUPPORTED", "SAME_TOKEN", "NOT_APPROVABLE"],
  1011: ["PRICE_OFF_REFERENCE"],
};

describe.each(QUOTING_CASES)("%s", (kind, status, code, rpcCode) => {
  const error = refuse(kind, "this is why", { retryAfterSeconds: 1.2 });
  const violates = code === 100;

  test("over REST", async () => {
    const answer = await whileQuotingThrows(error, () => door.get(PRICE));
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      code,
      reason: kind,
      description: "this is why",
      ...(violates && {
        validationErrors: [{ field: "sellAmount", code: 1004, reason: kind, description: "this is why" }],
      }),
      requestId: answer.headers.get("x-request-id"),
      docs: `/docs/errors#${kind.toLowerCase()}`,
    });
    expect(answer.headers.get("retry-after")).toBe(violates ? null : "2");
  });

  test.each(Object.keys(transports) as (keyof typeof transports)[])("over %s", async (protocol) => {
    const failure = await whileQuotingThrows(error, () => failureOver(protocol));
    expect(failure.code).toBe(rpcCode);
    expect(failure.rawMessage).toBe("this is why");
    const [info] = failure.findDetails(ErrorInfoSchema);
    expect(info).toMatchObject({ reason: kind, domain: "swap.v1", metadata: { code: String(code) } });
    expect(failure.findDetails(RequestInfoSchema)[0]?.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(failure.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds).toBe(violates ? undefined : 2n);
    expect(failure.findDetails(BadRequestSchema)[0]?.fieldViolations.map((item) => item.field)).toEqual(
      violates ? ["sellAmount"] : undefined,
    );
  });

  test("over grpc-js", async () => {
    const failure = await whileQuotingThrows(error, () =>
      callGrpcJs(door.port, "getPrice", REQUEST).then(
        () => expect.fail("the call went through"),
        (thrown: GrpcFailure) => thrown,
      ),
    );
    expect({ code: failure.code, details: failure.details }).toEqual({ code: rpcCode, details: "this is why" });
    expect(failure.metadata.get("grpc-status-details-bin")).toHaveLength(1);
  });
});

test("a refusal of everything at once fits into what gRPC's C core takes of headers", async () => {
  const long = "x".repeat(80);
  const names = Array.from({ length: 12 }, (_, i) => `n${i}${"y".repeat(70)}`);
  const everything = {
    ...{ sellToken: long, buyToken: long, sellAmount: long, buyAmount: long, slippagePercentage: long },
    ...{ takerAddress: long, excludedSources: names, includedSources: names, gasPrice: long },
    ...{ integratorPercentageFee: long, integratorRecipientAddress: long, priceImpactProtectionPercentage: long },
  };
  const failure = await callGrpcJs(door.port, "getPrice", everything).then(
    () => expect.fail("the call went through"),
    (thrown: GrpcFailure) => thrown,
  );
  expect(failure.details).toMatch(/^the request has \d\d problems/);
  const sent: [string, string][] = Object.entries(failure.metadata.getMap()).map(([name, value]) => [
    name,
    typeof value === "string" ? value : value.toString("base64"),
  ]);
  const bytes = [...sent, [":status", "200"], ["grpc-status", "3"], ["grpc-message", failure.details]].reduce(
    (sum, [name = "", value = ""]) => sum + name.length + value.length + 32,
    0,
  );
  expect(bytes).toBeGreaterThan(4_096);
  expect(bytes).toBeLessThan(8_192);
});

test.each([
  ["UNAVAILABLE", "1"],
  ["TOO_MANY_REQUESTS", "1"],
  ["SETTLEMENT_NOT_DEPLOYED", "60"],
  ["DEADLINE_EXCEEDED", null],
] as const)("%s says when to try again even if nobody knows better", async (kind, expected) => {
  const { headers } = await whileQuotingThrows(refuse(kind, "this is why"), () => door.get(PRICE));
  expect(headers.get("retry-after")).toBe(expected);
});

describe("refusals at the door", () => {
  test("violations are the same on every protocol", async () => {
    const bad = { sellToken: "WETH", buyToken: "", sellAmount: "1.5", slippagePercentage: "2" };
    const { body } = await door.get(`/swap/v1/price?${new URLSearchParams(bad)}`);
    const overRest = body.validationErrors.map(({ code: _, ...item }: { code: number }) => item);
    expect(overRest).toHaveLength(4);
    for (const transport of Object.values(transports)) {
      const failure = await createClient(SwapService, transport())
        .getPrice(bad, { headers: { "api-key": KEY } })
        .catch((error: ConnectError) => error);
      if (!(failure instanceof ConnectError)) throw new Error("the call went through");
      expect(failure.code).toBe(Code.InvalidArgument);
      const [detail] = failure.findDetails(BadRequestSchema);
      expect(detail?.fieldViolations.map(({ field, reason, description }) => ({ field, reason, description }))).toEqual(
        overRest,
      );
    }
  });

  test.each([
    ["no key", {}, "API_KEY_MISSING"],
    ["an empty key", { "api-key": "" }, "API_KEY_MISSING"],
    ["a wrong key", { "api-key": "nope" }, "API_KEY_INVALID"],
    ["a key that is only the start", { "api-key": KEY.slice(0, -1) }, "API_KEY_INVALID"],
    ["an endless key", { "api-key": "k".repeat(5_000) }, "API_KEY_INVALID"],
  ])("%s", async (_, headers: Record<string, string>, reason) => {
    for (const path of [PRICE, "/swap/v1/quote", "/swap/v1/sources"]) {
      const response = await fetch(door.origin + path, { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe("ApiKey");
      expect(await response.json()).toMatchObject({ code: 107, reason });
    }
    for (const protocol of Object.keys(transports) as (keyof typeof transports)[]) {
      const failure = await failureOver(protocol, headers);
      expect(failure.code).toBe(Code.Unauthenticated);
      expect(failure.findDetails(ErrorInfoSchema)[0]?.reason).toBe(reason);
    }
  });

  test("a key that is sent twice is no key", async () => {
    const text = `GET ${PRICE} HTTP/1.1\r\nHost: x\r\napi-key: ${KEY}\r\napi-key: ${KEY}\r\nConnection: close\r\n\r\n`;
    expect(await rawExchange(door.port, text)).toMatch(/^HTTP\/1\.1 401 [\s\S]*API_KEY_INVALID/);
  });

  test("a message exactly as large as may be is read, and one byte more is not", async () => {
    const most = 4_000;
    const strict = await openDoor({ messages: { readMaxBytes: most, bodyTimeoutMs: 5_000 } });
    const room = most - JSON.stringify({ ...REQUEST, takerAddress: "" }).length;
    const of = async (length: number) => {
      const body = JSON.stringify({ ...REQUEST, takerAddress: "x".repeat(length) });
      const headers = { "api-key": KEY, "content-type": "application/json" };
      const response = await fetch(strict.origin + RPC, { method: "POST", headers, body });
      return ((await response.json()) as { details: { debug: { reason: string } }[] }).details[0]?.debug.reason;
    };
    expect([await of(room), await of(room + 1)]).toEqual(["INVALID_PARAMETERS", "BODY_TOO_LARGE"]);
    await strict.server.drain(100);
  });

  test("a key without the method or the origin", async () => {
    const account = { keyId: "narrow", methods: ["GetPrice"], origins: ["https://dapp.example"] };
    const narrow = await openDoor({}, { verify: () => account });
    expect((await narrow.get(PRICE)).status).toBe(200);
    expect((await narrow.get(PRICE, { origin: "https://dapp.example" })).status).toBe(200);
    const elsewhere = await narrow.get(PRICE, { origin: "https://evil.example" });
    expect(elsewhere).toMatchObject({ status: 403, body: { code: 107, reason: "ORIGIN_NOT_PERMITTED" } });
    const quote = await narrow.get(PRICE.replace("price", "quote"));
    expect(quote).toMatchObject({ status: 403, body: { code: 107, reason: "METHOD_NOT_PERMITTED" } });
    await narrow.server.drain(100);
  });

  test.each([
    "/swap",
    "/swap/v1",
    "/swap/v1/price//",
    "/swap/v1/Price",
    "/swap/v1/price%2f",
    "/swap.v1.SwapService/Nope",
  ])("nothing at %s", async (path) => {
    expect(await door.get(path)).toMatchObject({ status: 404, body: { code: 104, reason: "NOT_FOUND" } });
  });

  test.each([
    ["POST", PRICE.replace("price", "quote"), "GET, HEAD"],
    ["PUT", PRICE, "GET, HEAD, POST"],
    ["DELETE", "/swap/v1/sources", "GET, HEAD"],
    ["PUT", RPC, "POST, GET"],
    ["POST", "/livez", "GET, HEAD"],
  ])("%s %s", async (method, path, allow) => {
    const response = await fetch(door.origin + path, { method, headers: { "api-key": KEY } });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allow);
    expect(await response.json()).toMatchObject({ code: 104, reason: "METHOD_NOT_ALLOWED" });
  });

  test.each(["text/plain", "application/xml", "application/jsonx", ""])("a body of type %j", async (contentType) => {
    const response = await fetch(door.origin + RPC, {
      method: "POST",
      headers: { "api-key": KEY, "content-type": contentType },
      body: "{}",
    });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ code: 101, reason: "UNSUPPORTED_CONTENT_TYPE" });
  });

  test("a content type with parameters and capitals is the same type", async () => {
    const response = await fetch(door.origin + RPC, {
      method: "POST",
      headers: { "api-key": KEY, "content-type": "application/json; charset=UTF-8" },
      body: JSON.stringify(REQUEST),
    });
    expect(response.status).toBe(200);
  });

  test.each([
    ["application/proto", "\u00ff\u00ff", 400],
    ["application/grpc-web+proto", "\0\0\0\0\u0002\u00ff\u00ff", 200],
  ])("a body of %s that is no message", async (contentType, body, status) => {
    const response = await fetch(door.origin + RPC, {
      method: "POST",
      headers: { "api-key": KEY, "content-type": contentType },
      body: Buffer.from(body, "latin1"),
    });
    expect(response.status).toBe(status);
    const text = await response.text();
    if (status === 400) expect(text).toContain("MALFORMED_BODY");
    // As gRPC's own specification has it.
    else expect(text).toMatch(/grpc-status: 13\b/i);
  });

  describe("what breaks the rules of a protocol is told like everything else", () => {
    const json = Buffer.from(JSON.stringify(REQUEST));
    const envelope = (flags: number, length: number, message: Buffer) => {
      const head = Buffer.alloc(5);
      head.writeUInt8(flags);
      head.writeUInt32BE(length, 1);
      return Buffer.concat([head, message]);
    };
    const whole = envelope(0, json.length, json);
    const web = "application/grpc-web+json";

    /** Reason of the ErrorInfo, code of gRPC or Connect, and the request id of the RequestInfo. */
    async function told(body: Buffer, headers: Record<string, string>) {
      const response = await fetch(door.origin + RPC, {
        method: "POST",
        headers: { "api-key": KEY, ...headers },
        body,
      });
      const id = response.headers.get("x-request-id");
      if (headers["content-type"] === web) {
        const text = await response.text();
        const [, details] = /grpc-status-details-bin: (\S+)/i.exec(text)!;
        const bytes = Buffer.from(details!, "base64").toString("latin1");
        expect(bytes).toContain(id);
        return [/grpc-status: (\d+)/i.exec(text)![1], /[A-Z]{3,}_[A-Z_]+/.exec(bytes)![0]];
      }
      const error = (await response.json()) as { code: string; details: { debug: Record<string, unknown> }[] };
      expect(error.details[1]?.debug.requestId).toBe(id);
      return [error.code, error.details[0]?.debug.reason];
    }

    test.each([
      ["compression", { "content-encoding": "br" }, "unimplemented", "UNSUPPORTED_COMPRESSION"],
      ["a timeout", { "connect-timeout-ms": "soon" }, "invalid_argument", "MALFORMED_TIMEOUT"],
      ["a timeout of 11 digits", { "connect-timeout-ms": "12345678901" }, "invalid_argument", "MALFORMED_TIMEOUT"],
      ["another version", { "connect-protocol-version": "2" }, "invalid_argument", "UNKNOWN_VERSION"],
    ])("Connect: %s", async (_, headers, code, reason) => {
      expect(await told(json, { "content-type": "application/json", ...headers })).toEqual([code, reason]);
    });

    test.each([
      ["compression", whole, { "grpc-encoding": "deflate" }, "12", "UNSUPPORTED_COMPRESSION"],
      ["a compressed message", envelope(1, json.length, json), {}, "13", "COMPRESSED_WITHOUT_ENCODING"],
      ["gzip that is none", envelope(1, json.length, json), { "grpc-encoding": "gzip" }, "13", "BROKEN_COMPRESSION"],
      ["a timeout", whole, { "grpc-timeout": "10" }, "13", "MALFORMED_TIMEOUT"],
      ["no message", Buffer.alloc(0), {}, "12", "WRONG_MESSAGE_COUNT"],
      ["two messages", Buffer.concat([whole, whole]), {}, "12", "WRONG_MESSAGE_COUNT"],
      ["half a message", whole.subarray(0, 20), {}, "13", "BROKEN_ENVELOPE"],
      ["half a head", whole.subarray(0, 3), {}, "13", "BROKEN_ENVELOPE"],
      ["a length beyond all sense", envelope(0, 2 ** 32 - 1, json), {}, "8", "BODY_TOO_LARGE"],
      ["flags that mean nothing", envelope(64, json.length, json), {}, "13", "BROKEN_ENVELOPE"],
    ])("gRPC-Web: %s", async (_, body, headers, code, reason) => {
      expect(await told(body, { "content-type": web, ...headers })).toEqual([code, reason]);
    });

    test.each([
      ["no encoding", "message=%7B%7D", "invalid_argument", "UNSUPPORTED_CONTENT_TYPE"],
      ["another encoding", "encoding=xml&message=%7B%7D", "invalid_argument", "UNSUPPORTED_CONTENT_TYPE"],
      ["compression", "encoding=json&compression=br&message=%7B%7D", "unimplemented", "UNSUPPORTED_COMPRESSION"],
      ["another version", "encoding=json&connect=v2&message=%7B%7D", "invalid_argument", "UNKNOWN_VERSION"],
    ])("Connect GET: %s", async (_, query, code, reason) => {
      const { body } = await door.get(`${RPC}?${query}`);
      expect([body.code, body.details[0].debug.reason]).toEqual([code, reason]);
    });
  });

  test.each([
    ["proto", "____", "1"],
    ["proto", "%ff", "1"],
    ["json", "e30x", "1"],
    ["json", "{", "0"],
  ])("a Connect GET whose %s message is no message: %s", async (encoding, message, base64) => {
    const answer = await door.get(`${RPC}?encoding=${encoding}&message=${message}&base64=${base64}&connect=v1`);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_argument" } });
    expect(JSON.stringify(answer.body)).toMatch(/MALFORMED_BODY|REQUIRED/);
  });

  test("a Connect GET whose message has characters that base64 does not know", async () => {
    const message = Buffer.from(JSON.stringify(REQUEST)).toString("base64url");
    const ask = (text: string) => door.get(`${RPC}?encoding=json&base64=1&connect=v1&message=${text}`);
    expect((await ask(message)).status).toBe(200);
    for (const text of [
      `${message.slice(0, 20)}*!${message.slice(20)}`,
      `${message}$`,
      `${message.slice(0, 8)}%0A${message.slice(8)}`,
    ]) {
      const { status, body } = await ask(text);
      expect([status, body.details[0].debug.reason]).toEqual([400, "MALFORMED_BODY"]);
    }
  });

  test.each(["slippagePercentage=0.5", "message=%7B%7D", "connect=v1", "encoding=json"])(
    "a Connect GET whose query goes on with %s is refused, as REST refuses what it does not know",
    async (more) => {
      const message = encodeURIComponent(JSON.stringify(REQUEST));
      const ask = (text: string) => door.get(`${RPC}?encoding=json&connect=v1&message=${message}${text}`);
      expect((await ask("")).status).toBe(200);
      const { status, body } = await ask(`&${more}`);
      expect([status, body.details[0].debug.reason]).toEqual([400, "MALFORMED_BODY"]);
      expect(body.message).toContain(more.split("=")[0]);
    },
  );

  test("gRPC with JSON is checked like JSON", async () => {
    const json = Buffer.from(JSON.stringify({ ...REQUEST, nope: 1 }));
    const body = Buffer.concat([Buffer.from([0, 0, 0, json.length >> 8, json.length & 255]), json]);
    const response = await fetch(door.origin + RPC, {
      method: "POST",
      headers: { "api-key": KEY, "content-type": "application/grpc-web+json" },
      body,
    });
    expect(await response.text()).toMatch(/grpc-status: 3\b/i);
  });

  test("a REST request with a body", async () => {
    const answer = await rawExchange(
      door.port,
      `GET ${PRICE} HTTP/1.1\r\nHost: x\r\napi-key: ${KEY}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"reason":"MALFORMED_BODY"/);
  });

  test("a shutdown closes the connections that it answers", async () => {
    const closing = await openDoor();
    const held = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    closing.quoting.before = () => {
      started.resolve();
      return held.promise;
    };
    const inFlight = rawExchange(closing.port, `GET ${PRICE} HTTP/1.1\r\nHost: x\r\napi-key: ${KEY}\r\n\r\n`);
    await started.promise;
    const drained = closing.server.drain(5_000);
    held.resolve();
    expect(await inFlight).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*connection: close/i);
    await drained;
  });
});

describe("a defect", () => {
  test("tells nothing of the inside, is logged with the request id, and counted", async () => {
    const defects = async () => (await door.metrics.apiDefects.get()).values[0]?.value as number;
    const before = await defects();
    const answer = await whileQuotingThrows(new TypeError("secret inside"), () => door.get(PRICE));
    await expect.poll(defects).toBe(before + 1);
    expect(answer).toMatchObject({ status: 500, body: { code: 110, reason: "INTERNAL" } });
    expect(JSON.stringify(answer.body)).not.toContain("secret");
    const logged = door.log.find((line) => line.msg === "call failed" && line.requestId === answer.body.requestId);
    expect(JSON.stringify(logged)).toContain("secret inside");
    for (const protocol of Object.keys(transports) as (keyof typeof transports)[]) {
      const failure = await whileQuotingThrows(new TypeError("secret inside"), () => failureOver(protocol));
      expect(failure.code).toBe(Code.Internal);
      expect(failure.message).not.toContain("secret");
    }
  });
});

describe("deadlines", () => {
  const never = () => new Promise<void>(() => {});

  test("REST has a default, and quoting is told to stop", async () => {
    const hasty = await openDoor({ deadline: { defaultMs: 50, mostMs: 100 } });
    hasty.quoting.before = never;
    expect(await hasty.get(PRICE)).toMatchObject({ status: 504, body: { code: 108, reason: "DEADLINE_EXCEEDED" } });
    expect(hasty.quoting.asked[0]?.context.signal.aborted).toBe(true);
    await hasty.server.drain(100);
  });

  test("the client's own holds on Connect, gRPC and gRPC-Web", async () => {
    door.quoting.before = never;
    const first = door.quoting.asked.length;
    for (const transport of Object.values(transports)) {
      const call = createClient(SwapService, transport()).getPrice(REQUEST, {
        headers: { "api-key": KEY },
        timeoutMs: 500,
      });
      await expect(call).rejects.toMatchObject({ code: Code.DeadlineExceeded });
    }
    door.quoting.before = async () => {};
    const asked = door.quoting.asked.slice(first);
    expect(asked).toHaveLength(3);
    await expect.poll(() => asked.map(({ context }) => context.signal.aborted)).toEqual([true, true, true]);
  });

  test("a longer one than the service allows is cut", async () => {
    const hasty = await openDoor({ deadline: { defaultMs: 50, mostMs: 50 } });
    hasty.quoting.before = never;
    const failure = callGrpcJs(hasty.port, "getPrice", REQUEST, { deadlineMs: 60_000 });
    await expect(failure).rejects.toMatchObject({ code: 4 });
    await hasty.server.drain(100);
  });

  test("a caller that goes away stops the work", async () => {
    const started = Promise.withResolvers<void>();
    door.quoting.before = () => {
      started.resolve();
      return never();
    };
    const controller = new AbortController();
    const call = fetch(door.origin + PRICE, { headers: { "api-key": KEY }, signal: controller.signal });
    await started.promise;
    controller.abort();
    await expect(call).rejects.toThrow();
    door.quoting.before = async () => {};
    await expect.poll(() => door.quoting.asked.at(-1)?.context.signal.aborted).toBe(true);
  });
});

describe("the documentation", () => {
  test("every docs link leads to a section", async () => {
    const { headers, body } = await door.get("/docs/errors");
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    const page = await readFile(new URL("../../../docs/errors.md", import.meta.url), "utf8");
    for (const { kind } of Object.values(REFUSALS)) {
      expect(body).toContain(`<section id="${kind.toLowerCase()}">`);
      expect(page).toContain(`\n### ${kind}\n`);
    }
  });

  test("every reason and every item has a row", async () => {
    const { body } = await door.get("/docs/errors");
    const page = await readFile(new URL("../../../docs/errors.md", import.meta.url), "utf8");
    for (const reason of [...REASONS, ...Object.keys(VIOLATIONS)]) {
      expect(body).toMatch(new RegExp(`<code>${reason}</code>|<h2>${reason}</h2>`));
      expect(page).toMatch(new RegExp(`\\n(- |\\| )\`${reason}\`|\\n### ${reason}\\n`));
    }
  });
});

describe("the table of reasons", () => {
  test.each(REASONS)("has what is told of %s", async (reason) => {
    const { kind } = REFUSALS[reason];
    const error = refuse(reason, "this is why");
    const { body, headers } = await whileQuotingThrows(error, () => door.get(PRICE));
    expect(body).toMatchObject({ reason, docs: `/docs/errors#${kind.toLowerCase()}` });
    expect(headers.get("retry-after")).toBe(RETRY_AFTER[reason] ?? RETRY_AFTER[kind] ?? null);
    const [info] = (await whileQuotingThrows(error, () => failureOver("grpc"))).findDetails(ErrorInfoSchema);
    expect(info).toMatchObject({ reason, metadata: { code: String(body.code), docs: body.docs } });
  });

  test("has a number for every item, the one of the contract", async () => {
    const items = Object.entries(ITEMS).flatMap(([code, reasons]) =>
      reasons.map((reason) => ({ field: "sellAmount", code: Number(code), reason, description: `this is ${reason}` })),
    );
    const violations = items.map(({ code: _, ...violation }) => violation);
    const error = refuse("INVALID_PARAMETERS", "this is why", { violations });
    const { body } = await whileQuotingThrows(error, () => door.get(PRICE));
    expect(body.validationErrors).toEqual(items);
    expect(Object.keys(body.validationErrors[0])).toEqual(["field", "code", "reason", "description"]);
    expect(items.map(({ reason }) => reason).sort()).toEqual(Object.keys(VIOLATIONS).sort());
  });

  test("is all that compiles", () => {
    // @ts-expect-error No row of the table.
    expect(() => refuse("NO_SUCH_REASON", "this is why")).toThrow(TypeError);
    // @ts-expect-error No row of the table.
    const violation: Violation = { field: "sellAmount", reason: "NO_SUCH_REASON", description: "this is why" };
    expect(Object.keys(VIOLATIONS)).not.toContain(violation.reason);
  });
});
