import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readTokenListFile } from "../../../src/chain/chains/token-list-file.ts";
import { againstTokenListSchema } from "./token-list-schema.ts";

const folder = mkdtempSync(join(tmpdir(), "token-list-"));
afterAll(() => rmSync(folder, { recursive: true }));

const LOWER = `0x${"ab".repeat(20)}` as const;
const CHECKSUMMED = "0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB";
const token = { chainId: 1, address: `0x${"Ab".repeat(20)}`, symbol: "USD", name: "Dollar", decimals: 6 };

function read(list: unknown, chainId = 1) {
  const file = join(folder, "list.json");
  writeFileSync(file, JSON.stringify(list));
  return readTokenListFile(file, chainId);
}

it("of a list for many chains only the own one's tokens are known and shown", () => {
  const version = { major: 1, minor: 2, patch: 3 };
  const timestamp = "2026-01-02T03:04:05.000Z";
  const { list, tokens } = read({ name: "All", version, timestamp, tokens: [{ ...token, chainId: 56 }, token] });
  expect(list).toEqual({ name: "All", version, timestamp, tokens: [{ ...token, address: CHECKSUMMED }] });
  expect(tokens).toEqual([{ address: LOWER, symbol: "USD", name: "Dollar", decimals: 6 }]);
});

it("shows symbols and names without what cannot be seen, as those that contracts tell", () => {
  const given = { ...token, symbol: " US\u202eD\u0000\u001b[2J ", name: `\u2028Doll\u200bar${"s".repeat(80)}` };
  const { list, tokens } = read({ name: "All", tokens: [given] });
  expect(tokens).toEqual([{ address: LOWER, symbol: "USD[2J", name: `Dollar${"s".repeat(58)}`, decimals: 6 }]);
  expect(list.tokens).toMatchObject([{ symbol: "USD[2J", name: `Dollar${"s".repeat(54)}` }]);
});

describe("what is shown follows the schema of tokenlists.org, whatever the file holds", () => {
  const logoURI = "https://tokens.example/usd.png";
  it.each([
    ["a list that follows it", { name: "All", logoURI, tokens: [{ ...token, logoURI }] }, { logoURI }],
    ["a name with signs", { name: "Anna's list: v2 (beta), the longest of them all", tokens: [token] }, {}],
    ["a name of signs alone", { name: "???", tokens: [token] }, { name: "Tokens" }],
    ["half a version", { name: "All", version: { major: 1, minor: -1 }, tokens: [token] }, { version: { major: 1 } }],
    ["a version that is none", { name: "All", version: "1.0", timestamp: "yesterday", tokens: [token] }, {}],
    ["no picture", { name: "All", logoURI: "x", tokens: [{ ...token, logoURI: "not a picture" }] }, {}],
    ["further fields", { name: "All", tags: 7, tokens: [{ ...token, tags: ["a b"], extensions: [], wild: 1 }] }, {}],
    ["spaces in symbols", { name: "All", tokens: [{ ...token, symbol: "USD Coin\tof the far north" }] }, {}],
    ["characters of two units", { name: "All", tokens: [{ ...token, symbol: `a${"💧".repeat(30)}` }] }, {}],
    ["more tokens than it allows", { name: "All", tokens: Array.from({ length: 10_001 }, () => token) }, {}],
  ])("%s", (_, file, shown) => {
    const { list } = read(file);
    expect(againstTokenListSchema(list)).toEqual([]);
    expect(list).toMatchObject(shown);
  });
});

it("says what is wrong with a file that is no token list", () => {
  expect(() => read({ name: "All", tokens: [{ ...token, address: "0x12" }] })).toThrow(
    /tokens.0.address must be an address/,
  );
});
