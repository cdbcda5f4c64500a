import {
  clone,
  create,
  createFileRegistry,
  type DescFile,
  type DescService,
  type MessageInitShape,
  setExtension,
} from "@bufbuild/protobuf";
import { FieldOptionsSchema, FileDescriptorProtoSchema, MethodOptionsSchema } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DeprecationSchema, field_deprecation, method_deprecation } from "#gen/rest/v1/options_pb.ts";
import { file_swap_v1_swap, SwapService } from "#gen/swap/v1/swap_pb.ts";
import { createDeprecationHeaders } from "../../../src/api/calls/deprecation.ts";
import { markOf } from "../../../tools/openapi/forms.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { PRICE, REQUEST } from "../../support/door/price-call.ts";

type Dates = MessageInitShape<typeof DeprecationSchema>;

/** The service's contract, with deprecated parts: `Message.field` or `Method` with its dates, or without. */
function contractWith(parts: Readonly<Record<string, Dates | undefined>>): DescService {
  const proto = clone(FileDescriptorProtoSchema, file_swap_v1_swap.proto);
  for (const [name, dates] of Object.entries(parts)) {
    const [first, field] = name.split(".");
    if (field === undefined) {
      const method = proto.service[0]!.method.find((each) => each.name === first)!;
      method.options ??= create(MethodOptionsSchema);
      method.options.deprecated = true;
      if (dates !== undefined) setExtension(method.options, method_deprecation, dates as never);
      continue;
    }
    const found = proto.messageType.find((each) => each.name === first)?.field.find((each) => each.name === field);
    found!.options ??= create(FieldOptionsSchema);
    found!.options.deprecated = true;
    if (dates !== undefined) setExtension(found!.options, field_deprecation, dates as never);
  }
  const files = new Map<string, DescFile>();
  const note = (file: DescFile) => {
    files.set(`${file.name}.proto`, file);
    file.dependencies.forEach(note);
  };
  note(file_swap_v1_swap);
  const service = createFileRegistry(proto, (name) => files.get(name)).getService(SwapService.typeName);
  if (service === undefined) throw new Error("the contract has no service");
  return service;
}

const LINK = '</docs>; rel="deprecation"; type="text/html"';
/** 2026-03-01 and 2026-05-01, as RFC 9745 has a date. */
const [MARCH, MAY] = ["@1772323200", "@1777593600"];
const SUNSET = "Tue, 01 Dec 2026 00:00:00 GMT";

const CONTRACT = contractWith({
  "GetPriceRequest.gas_price": { since: "2026-05-01" },
  "GetPriceRequest.taker_address": { since: "2026-03-01", sunset: "2026-12-01" },
  "PendingLog.data": { since: "2026-05-01" },
  ListSources: { since: "2026-03-01", sunset: "2026-12-01" },
});

let door: Door;
beforeAll(async () => {
  door = await openDoor({ corsOrigins: ["*"] }, undefined, undefined, { contract: CONTRACT });
});
afterAll(() => door.server.drain(1_000));

const told = (headers: Headers) => ["deprecation", "sunset", "link"].map((name) => headers.get(name));

describe("a deprecated part of the contract", () => {
  const TAKER = "0x1111111111111111111111111111111111111111";

  test("is told by the headers of calls that use it, over REST", async () => {
    const answers = async (path: string) => told((await door.get(path)).headers);
    expect(await answers(PRICE)).toEqual([null, null, null]);
    expect(await answers(`${PRICE}&gasPrice=5`)).toEqual([MAY, null, LINK]);
    expect(await answers(`${PRICE}&gasPrice=5&takerAddress=${TAKER}`)).toEqual([MARCH, SUNSET, LINK]);
    expect(await answers("/swap/v1/sources")).toEqual([MARCH, SUNSET, LINK]);
    expect(await answers(PRICE.replace("price", "quote"))).toEqual([null, null, null]);
  });

  test("is told by a refusal too, and where the same request is asked again", async () => {
    const refused = await door.get(`${PRICE}&gasPrice=5&maxHops=0`);
    expect([refused.status, ...told(refused.headers)]).toEqual([400, MAY, null, LINK]);
    door.state.epoch = {};
    for (const _ of [1, 2, 3]) expect(told((await door.get(`${PRICE}&gasPrice=7`)).headers)[0]).toBe(MAY);
    door.state.epoch = undefined;
  });

  test("is told inside messages of a list", async () => {
    const log = { address: TAKER, topics: [`0x${"1".repeat(64)}`] };
    const post = async (data?: string) => {
      const overrides = [{ ...log, ...(data && { data }) }];
      const headers = { "api-key": KEY, "content-type": "application/json" };
      const path = `${door.origin}/swap/v1/price`;
      return fetch(path, { method: "POST", headers, body: JSON.stringify({ ...REQUEST, overrides }) });
    };
    expect(told((await post()).headers)[0]).toBeNull();
    expect(told((await post("0x12")).headers)[0]).toBe(MAY);
  });

  test.each([
    ["gRPC", () => createGrpcTransport({ baseUrl: door.origin })],
    ["gRPC-Web", () => createGrpcWebTransport({ baseUrl: door.origin, httpVersion: "1.1" })],
    ["Connect", () => createConnectTransport({ baseUrl: door.origin, httpVersion: "1.1" })],
  ])("is told by %s", async (_, transport) => {
    const client = createClient(SwapService, transport());
    let seen: (string | null)[] = [];
    const options = {
      headers: { "api-key": KEY },
      onHeader: (headers: Headers) => {
        seen = told(headers);
      },
    };
    await client.getPrice(REQUEST, options);
    expect(seen).toEqual([null, null, null]);
    await client.getPrice({ ...REQUEST, takerAddress: TAKER }, options);
    expect(seen).toEqual([MARCH, SUNSET, LINK]);
    await client.listSources({}, options);
    expect(seen).toEqual([MARCH, SUNSET, LINK]);
  });

  test("can be read by pages", async () => {
    const { headers } = await door.get(PRICE, { origin: "https://a.example" });
    expect(headers.get("access-control-expose-headers")).toMatch(/deprecation, sunset, link$/);
  });

  test("has a date, and a date has its mark", () => {
    expect(() => createDeprecationHeaders(SwapService)).not.toThrow();
    expect(() => createDeprecationHeaders(contractWith({ ListSources: undefined }))).toThrow(/go together/);
    expect(() => createDeprecationHeaders(contractWith({ GetChain: { since: "1 May" } }))).toThrow(/no day/);
    const dated = contractWith({ "GetPriceRequest.gas_price": { since: "2026-05-01" } });
    dated.method.getPrice!.input.field.gasPrice!.proto.options!.deprecated = false;
    Object.assign(dated.method.getPrice!.input.field.gasPrice!, { deprecated: false });
    expect(() => createDeprecationHeaders(dated)).toThrow(/go together/);
  });

  test("is marked in OpenAPI", () => {
    const { input } = CONTRACT.method.getPrice!;
    expect([input.field.gasPrice!, input.field.sellToken!, CONTRACT.method.listSources!].map(markOf)).toEqual([
      { deprecated: true },
      {},
      { deprecated: true },
    ]);
  });
});
