import type { DescMessage } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { file_swap_v1_swap } from "#gen/swap/v1/swap_pb.ts";
import { apiDocument, type Schema } from "../../../src/api/docs/document.ts";
import { USDC, WETH } from "../../support/fake-quoting.ts";
import { type Door, openDoor } from "../../support/http.ts";

const schemas = apiDocument.components.schemas;
const messages = new Map(file_swap_v1_swap.messages.map((message) => [message.name, message]));

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

function fieldsOf(message: DescMessage | undefined): string[] {
  return (message?.fields ?? []).map(({ jsonName }) => jsonName).sort();
}

/** Everything in a value that its schema does not say. */
function surprises(value: unknown, schema: Schema | undefined, at = "the answer"): readonly string[] {
  if (schema === undefined) return [`${at}: no schema`];
  if (schema.$ref !== undefined) return surprises(value, schemas[schema.$ref.split("/").at(-1) ?? ""], at);
  if (schema.oneOf !== undefined) {
    return schema.oneOf.some((one) => surprises(value, one, at).length === 0)
      ? []
      : [`${at}: none of the alternatives`];
  }
  if (Array.isArray(value)) return value.flatMap((item, i) => surprises(item, schema.items, `${at}[${i}]`));
  const type = value === null ? "null" : Number.isInteger(value) ? "integer" : typeof value;
  if (![schema.type].flat().includes(type)) return [`${at}: ${type} instead of ${schema.type}`];
  if (typeof value !== "object" || value === null || schema.properties === undefined) return [];
  const missing = (schema.required ?? []).filter((name) => !(name in value)).map((name) => `${at}: no ${name}`);
  const wrong = Object.entries(value).flatMap(([name, inner]) =>
    surprises(inner, schema.properties?.[name], `${at}.${name}`),
  );
  return [...missing, ...wrong];
}

describe("openapi.json", () => {
  it("has every call that REST serves, and every field of every message", () => {
    const methods = file_swap_v1_swap.services[0]?.methods ?? [];
    expect(
      Object.values(apiDocument.paths)
        .map(({ get }) => get.operationId)
        .sort(),
    ).toEqual(methods.map(({ localName }) => localName).sort());
    for (const { localName, input } of methods) {
      const operation = Object.values(apiDocument.paths).find(({ get }) => get.operationId === localName)?.get;
      expect(operation?.parameters.map(({ name }) => name).sort(), localName).toEqual(fieldsOf(input));
    }
    const described = Object.entries(schemas).filter(([name]) => messages.has(name));
    expect(described.length).toBeGreaterThan(10);
    for (const [name, schema] of described) {
      expect(Object.keys(schema.properties ?? {}).sort(), name).toEqual(fieldsOf(messages.get(name)));
    }
  });

  it("says something about everything, in the names that JSON has", () => {
    const texts = [
      ...Object.values(apiDocument.paths).flatMap(({ get }) => [get, ...get.parameters]),
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
      ["/swap/v1/price?sellToken=WETH", "400"],
    ] as const) {
      const { status: given, body } = await door.get(path);
      expect(String(given), path).toBe(status);
      const answer = apiDocument.paths[path.split("?")[0] ?? ""]?.get.responses[status];
      expect(surprises(body, answer?.content["application/json"]?.schema), path).toEqual([]);
    }
    const shown = apiDocument.paths["/swap/v1/price"]?.get.responses["200"]?.content["application/json"];
    expect(surprises(shown?.example, shown?.schema)).toEqual([]);
    expect(surprises({ ...(shown?.example as object), price: 1 }, shown?.schema)).toEqual([
      "the answer.price: integer instead of string",
    ]);
  });
});

describe("pages made from it", () => {
  it("are served without a key", async () => {
    for (const [path, type, says] of [
      ["/openapi.json", "application/json", /"openapi":"3\.1\.0"/],
      ["/docs", "text/html", /<h2><small>GET<\/small> \/swap\/v1\/price<\/h2>/],
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

  it("load nothing from elsewhere", async () => {
    const html = await (await fetch(`${door.origin}/docs`)).text();
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|(src|href)="https?:/);
    const ids = new Set([...html.matchAll(/ id="(\w+)"/g)].map(([, id]) => id));
    for (const [, target] of html.matchAll(/href="#(\w+)"/g)) expect(ids, target).toContain(target);
  });
});
