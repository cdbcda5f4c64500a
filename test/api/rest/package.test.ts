import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FOLDER = new URL("../../../src/api/rest/", import.meta.url);

/** Dependencies of a package of its own: protobuf, the rules of google.api.http, and the options of rest.v1. */
const ALLOWED = [
  "@bufbuild/protobuf",
  "@bufbuild/protobuf/wkt",
  "#gen/google/api/annotations_pb.ts",
  "#gen/rest/v1/options_pb.ts",
];

const files = readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER), "utf8")] as const);

test("the transcoder imports nothing of this service, nor of Node", () => {
  const imports = files.flatMap(([name, text]) =>
    [...text.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, target]) => `${name}: ${target}`),
  );
  expect(imports.length).toBeGreaterThan(10);
  const own = new Set(files.map(([name]) => `./${name}`));
  const known = (entry: string) => ALLOWED.includes(entry.split(": ")[1]!) || own.has(entry.split(": ")[1]!);
  expect(imports.filter((entry) => !known(entry))).toEqual([]);
});

test("the transcoder does not speak of swaps", () => {
  const words = /swap|price|quote|sellToken|buyToken|slippage|taker|liquidity|wallet|ethereum|\bchain\b/i;
  const told = files.flatMap(([name, text]) =>
    text.split("\n").flatMap((line, i) => (words.test(line) ? [`${name}:${i + 1} ${line.trim()}`] : [])),
  );
  expect(told).toEqual([]);
});
