import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DescMessage } from "@bufbuild/protobuf";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { file_swap_v1_swap } from "#gen/swap/v1/swap_pb.ts";
import { file_swap_v1_tokens } from "#gen/swap/v1/tokens_pb.ts";
import { USDC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import {
  apiDocument,
  type Operation,
  operationsAt,
  type PathItem,
  type Schema,
  typeName,
} from "../../../src/api/docs/document.ts";
import { createChargeCall } from "../../../src/api/limits/charge.ts";
import { createMemoryLimiter } from "../../../src/stores/memory/limiter.ts";
import { type Door, openDoor } from "../../support/door/http.ts";

const schemas = apiDocument.components.schemas;
const files = [file_swap_v1_swap, file_swap_v1_tokens];
const messages = new Map(files.flatMap((file) => file.messages.map((message) => [message.name, message] as const)));

/** One price, and the next is refused. */
const LIMIT = { unitsPerSecond: 0.001, burst: 1 };

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

function fieldsOf(message: DescMessage | undefined): string[] {
  return (message?.fields ?? []).map(({ jsonName }) => jsonName).sort();
}

/** Checks values against schemas of the document, with their patterns and formats. */
const checker = new Ajv2020({ strict: false, allErrors: true });
formats.default(checker);
checker.addSchema({ ...apiDocument, $id: "openapi" });

/** Everything in a value that its schema does not say, names that it does not have among it. */
function surprises(value: unknown, schema: Schema | undefined): readonly string[] {
  if (schema === undefined) return ["no schema"];
  const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
  const validate = checker.compile(JSON.parse(text));
  const wrong = validate(value) ? [] : (validate.errors ?? []);
  return [
    ...wrong.map(({ instancePath, message }) => `the answer${instancePath.replaceAll("/", ".")}: ${message}`),
    ...unknownNames(value, schema),
  ];
}

function unknownNames(value: unknown, schema: Schema | undefined, at = "the answer"): readonly string[] {
  const given = schema?.$ref === undefined ? schema : schemas[schema.$ref.split("/").at(-1) ?? ""];
  const inner = given?.oneOf?.[0];
  if (inner !== undefined) return value === null ? [] : unknownNames(value, inner, at);
  if (Array.isArray(value)) return value.flatMap((item, i) => unknownNames(item, given?.items, `${at}[${i}]`));
  const known = given?.properties;
  if (typeof value !== "object" || value === null || known === undefined) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    name in known ? unknownNames(field, known[name], `${at}.${name}`) : [`${at}.${name}: not described`],
  );
}

/** The first operation at a path. */
function operationAt(path: string): Operation {
  const [first] = operationsAt(apiDocument.paths[path] as PathItem);
  return (first as NonNullable<typeof first>).operation;
}

describe("openapi.json", () => {
  it("has every call that REST serves, and every field of every message", () => {
    const methods = file_swap_v1_swap.services[0]?.methods ?? [];
    const operations = Object.values(apiDocument.paths)
      .flatMap(operationsAt)
      .map(({ operation }) => operation);
    const described = operations.map(({ operationId }) => operationId);
    const open = ["tokenList", "status", "getPriceByPost"];
    expect(described.sort()).toEqual([...methods.map(({ localName }) => localName), ...open].sort());
    for (const { localName, input } of methods) {
      const operation = operations.find(({ operationId }) => operationId === localName);
      const { schema } = operation?.requestBody?.content["application/json"] ?? {};
      if (schema !== undefined) expect(typeName(schema)).toBe(input.name);
      else {
        const inQuery = input.fields.filter((field) => field.fieldKind !== "list" || field.listKind === "scalar");
        const names = inQuery.map(({ jsonName }) => jsonName).sort();
        expect(operation?.parameters.map(({ name }) => name).sort(), localName).toEqual(names);
      }
    }
    const ofMessages = Object.entries(schemas).filter(([name]) => messages.has(name));
    expect(ofMessages.length).toBeGreaterThan(10);
    for (const [name, schema] of ofMessages) {
      expect(Object.keys(schema.properties ?? {}).sort(), name).toEqual(fieldsOf(messages.get(name)));
    }
  });

  it("says something about everything, in the names that JSON has", () => {
    const texts = [
      ...Object.values(apiDocument.paths)
        .flatMap(operationsAt)
        .flatMap(({ operation }) => [operation, ...operation.parameters]),
      ...Object.values(schemas).flatMap((schema) => Object.values(schema.properties ?? {})),
    ].map(({ description }) => description);
    expect(texts.filter((text) => text === "").length).toBeLessThan(5);
    expect(texts.join(" ")).not.toMatch(/sell_amount|buy_amount|sell_token/);
  });

  it("refers only to what is there", () => {
    const references = [...JSON.stringify(apiDocument).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(20);
    for (const [, name] of references) expect(schemas, name).toHaveProperty(name as string);
  });

  it("describes the answers that the service gives, and its own example", async () => {
    const query = new URLSearchParams({ sellToken: WETH.address, buyToken: USDC.address, sellAmount: "1000" });
    for (const [path, status] of [
      [`/swap/v1/price?${query}`, "200"],
      [`/swap/v1/quote?${query}&integratorPercentageFee=0.01&integratorRecipientAddress=0x${"0f".repeat(20)}`, "200"],
      ["/swap/v1/sources", "200"],
      [`/swap/v1/ladder?${query}`.replace("sellAmount=1000", "sellAmounts=1000,2000"), "200"],
      ["/swap/v1/tokens?search=usd&pageSize=3", "200"],
      ["/swap/v1/tokens?pageSize=0", "400"],
      ["/swap/v1/chain", "200"],
      ["/swap/v1/price?sellToken=WETH", "400"],
      ["/status", "200"],
      ["/tokens.json", "200"],
    ] as const) {
      const { status: given, body } = await door.get(path);
      expect(String(given), path).toBe(status);
      const answer = operationAt(path.split("?")[0] ?? "").responses[status];
      expect(surprises(body, answer?.content["application/json"]?.schema), path).toEqual([]);
    }
    const shown = operationAt("/swap/v1/price").responses["200"]?.content["application/json"];
    expect(surprises(shown?.example, shown?.schema)).toEqual([]);
    const wrong = { ...(shown?.example as object), price: 1, buyAmount: "-1", sellTokenAddress: "WETH", fee: "0" };
    expect(surprises(wrong, shown?.schema)).toEqual([
      "the answer.price: must be string",
      expect.stringMatching(/^the answer.buyAmount: must match pattern/),
      expect.stringMatching(/^the answer.sellTokenAddress: must match pattern/),
      "the answer.fee: not described",
    ]);
  });

  it("tells what parameters look like, and their defaults", () => {
    const parameters = (path: string) =>
      new Map(operationAt(path).parameters.map(({ name, schema }) => [name, schema]));
    const [price, quote] = [parameters("/swap/v1/price"), parameters("/swap/v1/quote")];
    const holds = (name: string, value: string) => surprises(value, price.get(name)).length === 0;
    expect(["0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE", "WETH", "0x12"].map((it) => holds("sellToken", it))).toEqual([
      ...[true, false, false],
    ]);
    expect(["1", "0", "01", "1.5", "1e18"].map((it) => holds("sellAmount", it))).toEqual([
      ...[true, false, false, false, false],
    ]);
    expect(price.get("slippagePercentage")).toMatchObject({ default: "0.01" });
    expect([price, quote].map((it) => it.get("skipValidation"))).toMatchObject([{ default: true }, { default: false }]);
  });

  it("tells the headers that answers really have", async () => {
    const limited = await openDoor({}, undefined, 31337, { charge: createChargeCall(createMemoryLimiter(), LIMIT) });
    const query = new URLSearchParams({ sellToken: WETH.address, buyToken: USDC.address, sellAmount: "1000" });
    for (const status of ["200", "429"]) {
      const answer = await limited.get(`/swap/v1/price?${query}`);
      expect(String(answer.status)).toBe(status);
      const described = Object.keys(operationAt("/swap/v1/price").responses[status]?.headers ?? {});
      const given = ["x-request-id", "RateLimit", "RateLimit-Policy", "Retry-After"].filter((name) =>
        answer.headers.has(name),
      );
      expect(described.sort(), status).toEqual(given.sort());
    }
    await limited.server.drain(100);
  });
});

describe("the description that a service gives of itself", () => {
  const asked = (path: string, host: string, origin = door.origin) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(origin);
      const call = request({ hostname, port, path, headers: { host } }, (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => (text += part));
        answer.on("end", () => resolve(text));
      });
      call.on("error", reject);
      call.end();
    });

  it.each(["/openapi.json", "/docs", "/llms.txt"])("%s names the host that was asked, and the chain", async (path) => {
    const text = await asked(path, "Swap.Example:8443");
    expect(text).toContain("http://swap.example:8443");
    expect(text).toMatch(/Test Chain,? \(?chain 31337/);
    expect(text).not.toContain("origin.invalid");
    expect(text).not.toContain("127.0.0.1:8080");
  });

  it.each([`evil"><script>alert(1)</script>`, "a b", "a/../b", "user@host", "x'; rm -rf ~", "[::1", "a:99999"])(
    "the host %j is not repeated",
    async (host) => {
      for (const path of ["/openapi.json", "/docs", "/llms.txt"]) {
        const text = await asked(path, host);
        expect(text).toContain(`http://localhost:${door.port}`);
        expect(text).not.toContain(`//${host}`);
      }
    },
  );

  it("names tokens and sources of the service, and shows no answer of another chain", async () => {
    const elsewhere = await openDoor({}, undefined, 10);
    const document = JSON.parse(await asked("/openapi.json", "[::1]:80", elsewhere.origin));
    const { parameters, responses, "x-codeSamples": samples } = document.paths["/swap/v1/price"].get;
    const named = (name: string) => parameters.find((it: { name: string }) => it.name === name);
    expect(named("buyToken").example).toBe(USDC.address);
    expect(named("includedSources").schema.items.examples).toContain("Uniswap_V3");
    expect(responses[200].content["application/json"].example).toBeUndefined();
    expect(document.servers).toEqual([{ url: "http://[::1]:80", description: "Test Chain, chain 10" }]);
    expect(document.components.schemas.GetPriceResponse.properties.chainId.const).toBe(10);
    expect(samples[0].source).toContain(`'http://[::1]:80/swap/v1/price?sellToken=0xeeee`);
    await elsewhere.server.drain(100);
  });

  it("passes the linter of its kind", async () => {
    const folder = mkdtempSync(join(tmpdir(), "openapi-"));
    const file = join(folder, "openapi.json");
    writeFileSync(file, await asked("/openapi.json", "swap.example"));
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    await promisify(execFile)("node_modules/.bin/redocly", ["lint", file], { env });
    rmSync(folder, { recursive: true });
  });
});

describe("pages made from it", () => {
  it("are served without a key", async () => {
    for (const [path, type, says] of [
      ["/openapi.json", "application/json", /"openapi":"3\.1\.0"/],
      ["/docs", "text/html", /<script src="\/docs\/viewer.js" defer>/],
      ["/llms.txt", "text/plain", /^# Tributary\n/],
    ] as const) {
      const answer = await fetch(door.origin + path);
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get("content-type"), path).toContain(type);
      expect(await answer.text(), path).toMatch(says);
    }
  });

  it("tell a program that reads text every field of every message", async () => {
    const text = await (await fetch(`${door.origin}/llms.txt`)).text();
    expect(text).not.toContain("undefined");
    const sections = text.split(/^##+ /m);
    for (const [name, { properties }] of Object.entries(schemas)) {
      // A price's fields are a quote's.
      const title = /^Get(Quote|Price)Response$/.test(name) ? "Fields of a quote" : `${name}\n`;
      const section = sections.find((it) => it.startsWith(title));
      for (const field of Object.keys(properties ?? {}))
        expect(section, `${name}.${field}`).toContain(`\n- \`${field}\` (`);
    }
  });

  it("load nothing from elsewhere, and let no other script run", async () => {
    const html = await (await fetch(`${door.origin}/docs`)).text();
    const [, policy = ""] = /Content-Security-Policy" content="([^"]+)"/.exec(html) ?? [];
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    const loaded = [...html.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)].map(([, url]) => url);
    expect(loaded.length).toBeGreaterThan(2);
    for (const url of loaded.filter((it) => it !== "data:,")) {
      expect(url).toMatch(/^\/docs\//);
      expect((await fetch(`${door.origin}${url}`)).status, url).toBe(200);
    }
  });
});
