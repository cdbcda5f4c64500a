import { describe, expect, it } from "vitest";
import { NATIVE_TOKEN, toAddress } from "../../src/domain/address.ts";
import type { Token } from "../../src/domain/token.ts";
import type { TokenRegistry } from "../../src/quoting/ports.ts";

const NOBODY = toAddress(`0x${"12".repeat(20)}`);

/** A registry, and what it ought to know. */
export interface RegistryUnderTest {
  readonly registry: TokenRegistry;
  /** All that it lists, the native token included. */
  readonly tokens: readonly Token[];
  /** Tokens that it finds without listing them. */
  readonly unlisted?: readonly Token[];
}

/** Holds every implementation of TokenRegistry to the same. */
export function describeTokenRegistry(name: string, create: () => RegistryUnderTest): void {
  describe(`tokens ${name}`, () => {
    it("are found by their address, whoever asks and whichever way", async () => {
      const { registry, tokens, unlisted = [] } = create();
      expect(tokens.length).toBeGreaterThan(2);
      for (const token of [...tokens, ...unlisted]) {
        expect(registry.known(token.address)).toEqual(token);
        expect(await registry.find(token.address)).toEqual(token);
        expect(await registry.find(token.address, "somebody")).toEqual(token);
        expect(await registry.describe(token.address)).toEqual(token);
      }
    });

    it("have the native token among them, with 18 decimals", async () => {
      const { registry } = create();
      expect(await registry.find(NATIVE_TOKEN)).toMatchObject({ address: NATIVE_TOKEN, decimals: 18 });
    });

    it("are the same object each time", async () => {
      const { registry, tokens } = create();
      const { address } = tokens[0]!;
      const [first, second] = [await registry.find(address), await registry.find(address)];
      expect(first).toBe(second);
      expect(registry.known(address)).toBe(first);
    });

    it("are none at an address that is no token's", async () => {
      const { registry } = create();
      expect(registry.known(NOBODY)).toBeUndefined();
      expect(await registry.find(NOBODY)).toBeUndefined();
      expect(await registry.find(NOBODY, "somebody")).toBeUndefined();
      expect(registry.known(NOBODY)).toBeUndefined();
    });

    it("are found by their symbol in any case, all that have it, and none by what no listed token is called", () => {
      const { registry, tokens, unlisted = [] } = create();
      const named = tokens.filter(({ symbol }) => symbol !== "");
      expect(named.length).toBeGreaterThan(1);
      for (const { symbol } of named) {
        const all = tokens.filter((token) => token.symbol.toLowerCase() === symbol.toLowerCase());
        for (const text of [symbol, symbol.toLowerCase(), symbol.toUpperCase()]) {
          expect(registry.bySymbol(text)).toEqual(all);
        }
      }
      for (const text of ["nothing", NOBODY, " ", ...unlisted.map(({ symbol }) => symbol)])
        expect(registry.bySymbol(text)).toEqual([]);
    });
  });
}
