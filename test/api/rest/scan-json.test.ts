import { expect, it } from "vitest";
import { GetPriceRequestSchema } from "#gen/swap/v1/swap_pb.ts";
import { decodeJsonText } from "../../../src/api/rest/json-fields.ts";
import { scanJson } from "../../../src/api/rest/scan-json.ts";

const many = Array.from({ length: 900 }, (_, index) => `"${index}":1`).join();
const inside = (key: string) => `{"${key}":{${many}}}`;

it("tells keys by their places, and none that no message can have a place for", () => {
  expect(scanJson('{"requests":[{"a":1},{"b":{"c":2}}]}')).toEqual({
    keys: [
      { place: "", key: "requests" },
      { place: "requests[0].", key: "a" },
      { place: "requests[1].", key: "b" },
      { place: "requests[1].b.", key: "c" },
    ],
  });
  // Names of one length beyond 16,383 characters are one hash: looking up 900 of them took seconds.
  const long = "x".repeat(50_000);
  expect(scanJson(inside(long))).toEqual({ keys: [{ place: "", key: long }] });
  expect(scanJson(inside("x"))).toMatchObject({ keys: { length: 901 } });
});

it("refuses a message with such a key for the key", () => {
  const decoded = decodeJsonText(GetPriceRequestSchema, inside("x".repeat(50_000)));
  expect(decoded).toMatchObject({ json: {}, problems: [{ kind: "unknown" }] });
});
