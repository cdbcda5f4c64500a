import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { knownChains, readChainRecord } from "../../../src/chain/chains/known-chains.ts";
import { createSources, VENUES } from "../../../src/venues/index.ts";

const CHAIN_IDS = {
  arbitrum: 42161,
  avalanche: 43114,
  base: 8453,
  berachain: 80094,
  bnb: 56,
  ethereum: 1,
  gnosis: 100,
  hyperevm: 999,
  ink: 57073,
  linea: 59144,
  monad: 143,
  optimism: 10,
  plasma: 9745,
  polygon: 137,
  robinhood: 4663,
  sonic: 146,
  unichain: 130,
  worldchain: 480,
};
/** Page that shows the form of `provenance`. */
const HOW = "docs/adding-a-fork.md#into-a-record-that-comes-along";
const ADDRESS = /"(0x[0-9a-fA-F]{40})"(?!:)/g;

describe("the chains that come along", () => {
  it("are these", () => {
    expect(Object.fromEntries(knownChains().map((name) => [name, readChainRecord({ name }, VENUES).chainId]))).toEqual(
      CHAIN_IDS,
    );
  });

  it.each(knownChains())("%s can be served by the sources that there are", (name) => {
    const record = readChainRecord({ name }, VENUES);
    const sources = createSources(record);
    expect(new Set(sources.map(({ id }) => id)).size).toBe(record.venues.length + 1);
    expect(record.referenceTokens).not.toContain(record.wrappedNative);
  });

  it.each(knownChains())("%s says of each address where it was found", (name) => {
    const path = fileURLToPath(new URL(`../../../src/chain/chains/records/${name}.json`, import.meta.url));
    const { provenance, ...rest } = JSON.parse(readFileSync(path, "utf8")) as { provenance: Record<string, string> };
    const addresses = new Set([...JSON.stringify(rest).matchAll(ADDRESS)].map((match) => match[1]!));
    expect(addresses.size).toBeGreaterThan(3);
    const untold = [...addresses].filter((address) => !(address in provenance));
    expect(untold, `say under provenance where these were found: ${HOW}`).toEqual([]);
    expect(Object.keys(provenance).filter((address) => !addresses.has(address))).toEqual([]);
    for (const [address, found] of Object.entries(provenance)) {
      expect(address).toBe(address.toLowerCase());
      expect(found).toMatch(/^(npm \S+ \d+\.\d+\.\d+|github \S+ [0-9a-f]{40}), \S+/);
    }
  });

  it.each(knownChains())("%s says where the first block of each search was found, or begins at 0", (name) => {
    const path = fileURLToPath(new URL(`../../../src/chain/chains/records/${name}.json`, import.meta.url));
    const { provenance } = JSON.parse(readFileSync(path, "utf8")) as { provenance: Record<string, string> };
    const { venues } = readChainRecord({ name }, VENUES);
    const announcing = venues.flatMap((venue) => {
      const { factory, vault } = venue as { readonly factory?: string; readonly vault?: string };
      const address = factory ?? vault;
      return address === undefined ? [] : [{ ...venue, found: provenance[address] ?? "" }];
    });
    expect(announcing).not.toEqual([]);
    for (const { source, fromBlock, found } of announcing) {
      if (fromBlock === 0n)
        expect(found, `${source}: ${HOW}`).toMatch(/; no source for its first block: the search begins at 0$/);
      else
        expect(found, `${source}: ${HOW}`).toMatch(
          /; first block: (npm \S+ \d+\.\d+\.\d+|github \S+ [0-9a-f]{40}), \S+/,
        );
    }
  });

  it("are all held against their chains each week", () => {
    const path = fileURLToPath(new URL("../../../.github/workflows/records.yml", import.meta.url));
    const listed = [...readFileSync(path, "utf8").matchAll(/chain: (\w+), secret: (\w+)/g)];
    expect(listed.map(([, chain]) => chain)).toEqual(knownChains());
    for (const [, chain, secret] of listed) expect(secret).toBe(`RPC_URL_${chain!.toUpperCase()}`);
  });

  it("are found in any letter case, and others are answered with a list", () => {
    expect(readChainRecord({ name: "Ethereum" }, VENUES).chainId).toBe(1);
    expect(() => readChainRecord({ name: "../base" }, VENUES)).toThrow(
      /is not a known chain: give one of arbitrum, avalanche/,
    );
  });
});
