import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readChainFile } from "../../../src/chain/chains/chain-file.ts";
import { VENUES } from "../../../src/venues/index.ts";

const ADDRESS = `0x${"1".repeat(40)}`;
const venue = (source: string, factory = ADDRESS) => ({ protocol: "uniswap-v3", source, factory, fromBlock: 0 });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "chain-file-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(venues: readonly object[]): string {
  const file = join(folder, "chain.json");
  const native = { symbol: "ETH", name: "Ether" };
  const rest = { wrappedNative: ADDRESS, multicall3: ADDRESS, blockTimeMs: 12_000, finalityDepth: 64 };
  writeFileSync(file, JSON.stringify({ chainId: 1, name: "Example", native, ...rest, venues }));
  return file;
}

describe("a chain's record", () => {
  it("names its venues", () => {
    const sources = readChainFile(fileWith([venue("One"), venue("Two")]), VENUES).venues.map(({ source }) => source);
    expect(sources).toEqual(["One", "Two"]);
  });

  // Pools are told by their source's name: of two the second would trade the first one's.
  it.each([
    [["One", "One"], "One"],
    [["One", "Two", "ONE"], "ONE"],
    [["One", "wrapped_native"], "wrapped_native"],
    [["MultiHop"], "MultiHop"],
  ])("with sources called %j is refused for %s", (names, twice) => {
    const file = fileWith(names.map((name) => venue(name)));
    const says = `venues.${names.length - 1}.source: ${twice} is the name of another source already: choose another`;
    expect(() => readChainFile(file, VENUES)).toThrow(says);
  });
});
