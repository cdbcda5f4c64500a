import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { createConnectTransport as createWebConnect } from "@connectrpc/connect-web";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BadRequestSchema, ErrorInfoSchema, RequestInfoSchema } from "#gen/google/rpc/error_details_pb.ts";
import { GetPriceRequestSchema, GetQuoteResponseSchema, SwapService } from "#gen/swap/v1/swap_pb.ts";
import type { KeyStore } from "../../src/api/keys/key-store.ts";
import { refuse } from "../../src/domain/errors/swap-error.ts";
import type { Violation, ViolationReason } from "../../src/domain/errors/violations.ts";
import { callGrpcJs } from "../support/door/grpc-js.ts";
import { type Door, KEY, openDoor } from "../support/door/http.ts";
import { isMessage } from "../support/door/parameter-calls.ts";
import { SWAP, VALID } from "./parameters/tables/swap.ts";

let door: Door;
const transports: Record<string, Transport> = {};
beforeAll(async () => {
  door = await openDoor();
  for (const protocol of PROTOCOLS) transports[protocol] = transportOf(protocol, door.origin);
});
afterAll(() => door.server.drain(1_000));

const TRANSPORTS: Readonly<Record<string, (baseUrl: string) => Transport>> = {
  "connect JSON": (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1" }),
  "connect binary": (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "2", useBinaryFormat: true }),
  "connect GET": (baseUrl) => createWebConnect({ baseUrl, useHttpGet: true }),
  grpc: (baseUrl) => createGrpcTransport({ baseUrl }),
  "grpc-web": (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
};
const PROTOCOLS = Object.keys(TRANSPORTS);

function transportOf(protocol: string, baseUrl: string): Transport {
  return TRANSPORTS[protocol]!(baseUrl);
}

const headers = { "api-key": KEY };
/** Messages of refused rows. */
const refused = SWAP.bad.flatMap(([name, row]) =>
  isMessage(GetPriceRequestSchema, row) ? [[name, { ...VALID, ...row }] as const] : [],
);

test("gRPC through a client that shares no code refuses the same", async () => {
  for (const [name, message] of refused.filter((__, i) => i % 5 === 0)) {
    await expect(callGrpcJs(door.port, "getPrice", message), name).rejects.toMatchObject({ code: 3 });
  }
});

test("a whole quote has the same bytes on every protocol", async () => {
  const answers = await Promise.all(
    Object.values(transports).map((transport) => createClient(SwapService, transport).getQuote(VALID, { headers })),
  );
  const bytes = answers.map((answer) => toBinary(GetQuoteResponseSchema, create(GetQuoteResponseSchema, answer)));
  for (const other of bytes) expect(other).toEqual(bytes[0]);
  expect(bytes[0]!.length).toBeGreaterThan(400);
});

test("binary protobuf ignores unknown fields, as it must", async () => {
  const known = toBinary(GetPriceRequestSchema, create(GetPriceRequestSchema, VALID));
  // Field 100, a varint.
  const body = Buffer.concat([known, Buffer.from([0xa0, 0x06, 0x01])]);
  const response = await fetch(`${door.origin}/swap.v1.SwapService/GetPrice`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/proto" },
    body,
  });
  expect(response.status).toBe(200);
});

describe.each(PROTOCOLS)("refusals over %s that REST tells too", (protocol) => {
  /** Makes one call over REST and over the protocol, at a door with these keys. */
  async function both(keys: KeyStore, more: Record<string, string> = {}) {
    const strict = await openDoor({ messages: { readMaxBytes: 2_000, bodyTimeoutMs: 1_000 } }, keys);
    const rest = await strict.get(`/swap/v1/quote?${new URLSearchParams(VALID)}`, more);
    const failure = await createClient(SwapService, transportOf(protocol, strict.origin))
      .getQuote(VALID, { headers: { ...headers, ...more } })
      .then(
        () => expect.fail("the call went through"),
        (error: ConnectError) => error,
      );
    await strict.server.drain(100);
    const [info] = failure.findDetails(ErrorInfoSchema);
    expect({ reason: info?.reason, code: info?.metadata.code, docs: info?.metadata.docs }).toEqual({
      reason: rest.body.reason,
      code: String(rest.body.code),
      docs: rest.body.docs,
    });
    expect(failure.metadata.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    return [rest.status, rest.body.code, rest.body.reason, failure.code];
  }
  const origins = ["https://dapp.example"];

  test.each([
    ["an unknown key", undefined, {}, [401, 107, "API_KEY_INVALID", Code.Unauthenticated]],
    ["an expired key", "EXPIRED", {}, [401, 107, "API_KEY_EXPIRED", Code.Unauthenticated]],
    ["a revoked key", "REVOKED", {}, [401, 107, "API_KEY_REVOKED", Code.Unauthenticated]],
    [
      "a key for other calls",
      { keyId: "k", methods: ["GetPrice"] },
      {},
      [403, 107, "METHOD_NOT_PERMITTED", Code.PermissionDenied],
    ],
    [
      "a key for another origin",
      { keyId: "k", origins },
      { origin: "https://evil.example" },
      [403, 107, "ORIGIN_NOT_PERMITTED", Code.PermissionDenied],
    ],
  ] as const)("%s", async (_, verdict, more, expected) => {
    expect(await both({ verify: () => verdict }, more)).toEqual(expected);
  });

  test("keys that cannot be read", async () => {
    const verify = () => {
      throw refuse("KEYS_UNREADABLE", "the keys cannot be checked now");
    };
    expect(await both({ verify })).toEqual([503, 108, "KEYS_UNREADABLE", Code.Unavailable]);
  });

  test("a message that is too large", async () => {
    // A query is not a body.
    if (protocol === "connect GET") return;
    const strict = await openDoor({ messages: { readMaxBytes: 2_000, bodyTimeoutMs: 1_000 } });
    const failure = createClient(SwapService, transportOf(protocol, strict.origin)).getPrice(
      { ...VALID, takerAddress: "x".repeat(3_000) },
      { headers },
    );
    const error = await failure.catch((thrown: ConnectError) => thrown);
    if (!(error instanceof ConnectError)) throw new Error("the call went through");
    expect(error.code).toBe(Code.ResourceExhausted);
    expect(error.findDetails(ErrorInfoSchema)[0]).toMatchObject({
      reason: "BODY_TOO_LARGE",
      metadata: { code: "101" },
    });
    await strict.server.drain(100);
  });
});

describe.each(PROTOCOLS)("what the market says over %s is what REST says", (protocol) => {
  const items = (reasons: readonly (readonly [string, ViolationReason])[]): readonly Violation[] =>
    reasons.map(([field, reason]) => ({ field, reason, description: `${field} says ${reason}.` }));

  test.each([
    [
      "no route, with each source's reason",
      refuse("INSUFFICIENT_ASSET_LIQUIDITY", "no route", {
        violations: items([
          ["sellAmount", "INSUFFICIENT_ASSET_LIQUIDITY"],
          ["Uniswap_V2", "SOURCE_CANNOT_SERVE"],
          ["SushiSwap", "SOURCE_CANNOT_SERVE"],
        ]),
      }),
      [400, 100, Code.FailedPrecondition, 3],
    ],
    [
      "a sale that nets nothing",
      refuse("INVALID_PARAMETERS", "too small", { violations: items([["sellAmount", "SELL_AMOUNT_TOO_SMALL"]]) }),
      [400, 100, Code.InvalidArgument, 1],
    ],
    ["too much price impact", refuse("PRICE_IMPACT_TOO_HIGH", "5 %"), [400, 100, Code.FailedPrecondition, 1]],
    ["a revert", refuse("TRANSACTION_REVERTS", "Pancake: K"), [400, 105, Code.FailedPrecondition, 0]],
  ] as const)("%s", async (_, error, expected) => {
    door.quoting.before = async () => {
      throw error;
    };
    const rest = await door.get(`/swap/v1/quote?${new URLSearchParams(VALID)}`);
    const failure = await createClient(SwapService, transports[protocol]!)
      .getQuote(VALID, { headers })
      .then(
        () => expect.fail("the call went through"),
        (thrown: ConnectError) => thrown,
      )
      .finally(() => {
        door.quoting.before = async () => {};
      });
    const told = failure.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
    expect([rest.status, rest.body.code, failure.code, told.length]).toEqual(expected);
    expect(told.map(({ field, reason, description }) => ({ field, reason, description }))).toEqual(
      (rest.body.validationErrors ?? []).map(({ code: __, ...item }: { code: number }) => item),
    );
    expect([failure.rawMessage, rest.body.description]).toEqual([error.message, error.message]);
  });
});

test("the request id of every protocol is the caller's, in answers and in refusals", async () => {
  for (const [protocol, transport] of Object.entries(transports)) {
    const ids: (string | null)[] = [];
    const onHeader = (received: Headers) => ids.push(received.get("x-request-id"));
    const client = createClient(SwapService, transport);
    const own = { ...headers, "x-request-id": "my-own.id" };
    await client.getPrice(VALID, { headers: own, onHeader });
    const failure = await client.getPrice({}, { headers: own, onHeader }).catch((thrown: ConnectError) => thrown);
    if (!(failure instanceof ConnectError)) throw new Error("the call went through");
    expect(ids[0], protocol).toBe("my-own.id");
    expect(failure.metadata.get("x-request-id"), protocol).toBe("my-own.id");
    expect(failure.findDetails(RequestInfoSchema)[0]?.requestId, protocol).toBe("my-own.id");
  }
});

test("the docs link of every refusal leads to its section", async () => {
  const seen = new Set<string>();
  for (const [path, more] of [
    ["/swap/v1/price", {}],
    ["/swap/v1/price", { "api-key": "wrong" }],
    ["/swap/v1/nope", {}],
    ["/swap.v1.SwapService/GetPrice?encoding=xml", {}],
  ] as const) {
    const { body } = await door.get(path, more);
    const docs: string = body.docs ?? body.details[0].debug.metadata.docs;
    const [page, section] = docs.split("#");
    expect((await door.get(page!)).body).toContain(`<section id="${section}">`);
    seen.add(docs);
  }
  expect(seen.size).toBe(4);
});

describe("absent, null and empty", () => {
  const post = async (body: object) => {
    const response = await fetch(`${door.origin}/swap.v1.SwapService/GetPrice`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return [response.status, await response.text()] as const;
  };

  test("a price has no field of a quote, on any protocol", async () => {
    const quoteOnly = ["guaranteedPrice", "to", "data", "expiry", "issues"];
    const rest = await door.get(`/swap/v1/price?${new URLSearchParams(VALID)}`);
    const [, connect] = await post(VALID);
    for (const body of [rest.body, JSON.parse(connect)]) {
      for (const name of quoteOnly) expect(body).not.toHaveProperty(name);
      expect(body.sources[0]).toMatchObject({ intermediateTokens: [], hops: [] });
    }
    expect(rest.body).toMatchObject({ estimatedPriceImpact: null, expectedSlippage: null });
  });

  const names = GetPriceRequestSchema.fields.map((field) => field.jsonName);

  test.each(names)("%s that is null is absent, and one that is empty is not", async (name) => {
    const { [name]: _, ...without } = VALID as Record<string, unknown>;
    const problemsOf = async (body: object) => {
      const [status, text] = await post(body);
      const details = (JSON.parse(text) as { details?: { debug: { fieldViolations?: unknown[] } }[] }).details ?? [];
      return [status, details.flatMap(({ debug }) => debug.fieldViolations ?? [])] as const;
    };
    const absent = await problemsOf(without);
    expect(await problemsOf({ ...without, [name]: null })).toEqual(absent);
    const [status, problems] = await problemsOf({ ...without, [name]: "" });
    expect(status).toBe(400);
    expect(problems).toContainEqual(expect.objectContaining({ field: name }));
    expect(problems).not.toEqual(absent[1]);
    const isRequired = name === "sellToken" || name === "buyToken" || name === "sellAmount";
    expect(absent[0]).toBe(isRequired ? 400 : 200);
  });

  test.each(["excludedSources", "includedSources"])("an empty list of %s is none", async (name) => {
    for (const list of [[], [""], [","]]) expect((await post({ ...VALID, [name]: list }))[0]).toBe(200);
  });

  test("no number has an exponent, however large or small it is", async () => {
    for (const sellAmount of ["1", String(2n ** 256n - 1n)]) {
      const { body } = await door.get(`/swap/v1/quote?${new URLSearchParams({ ...VALID, sellAmount })}`);
      const texts = JSON.stringify(body).match(/"[-+.\deE]+"/g) ?? [];
      expect(texts.length).toBeGreaterThan(20);
      for (const text of texts) expect(text).toMatch(/^"(0|[1-9]\d*)(\.\d*[1-9])?"$/);
    }
  });

  test("numbers are JSON numbers where the contract says so, and texts everywhere else", async () => {
    const numbers = new Set<string>();
    const look = (value: unknown, path: string): void => {
      if (typeof value === "number") numbers.add(path);
      if (Array.isArray(value)) for (const element of value) look(element, `${path}[]`);
      else if (typeof value === "object" && value !== null)
        for (const [name, inner] of Object.entries(value)) look(inner, path === "" ? name : `${path}.${name}`);
    };
    look((await door.get(`/swap/v1/quote?${new URLSearchParams(VALID)}`)).body, "");
    look((await door.get("/swap/v1/sources")).body, "");
    expect([...numbers].sort()).toEqual(["chainId", "orders[].type", "route.tokens[].decimals"]);
  });
});
