import { getAddress, isAddress } from "viem";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { DEVNET_CHAIN_ID } from "../../src/devnet/node/anvil.ts";
import { devnetTokenList } from "../../src/devnet/token-list.ts";
import { NATIVE_TOKEN } from "../../src/domain/address.ts";

/** The rules of https://uniswap.org/tokenlist.schema.json for the fields that we fill. */
const tokenList = z.strictObject({
  name: z
    .string()
    .regex(/^[\w ]+$/)
    .min(1)
    .max(30),
  timestamp: z.iso.datetime(),
  version: z.strictObject({
    major: z.number().int().min(0),
    minor: z.number().int().min(0),
    patch: z.number().int().min(0),
  }),
  tokens: z
    .array(
      z.strictObject({
        chainId: z.number().int().min(1),
        address: z.string().regex(/^0x[a-fA-F0-9]{40}$/),
        decimals: z.number().int().min(0).max(255),
        name: z.string().max(60),
        symbol: z.string().regex(/^\S+$/).max(20),
      }),
    )
    .min(1)
    .max(10_000),
});

describe("the devnet's token list", () => {
  const { tokens } = devnetLayout(devnetAccounts().whale);
  const list = devnetTokenList(DEVNET_CHAIN_ID, tokens);

  it("keeps the rules of the token-list schema", () => {
    expect(tokenList.parse(JSON.parse(JSON.stringify(list)))).toEqual(list);
  });

  it("names the native token and every ERC-20 once, with checksums", () => {
    expect(list.tokens.map((token) => token.address.toLowerCase())).toEqual([
      NATIVE_TOKEN,
      ...tokens.map((token) => token.address),
    ]);
    expect(list.tokens.every((token) => isAddress(token.address, { strict: true }))).toBe(true);
    expect(list.tokens[0]!.address).toBe(getAddress(NATIVE_TOKEN));
    expect(new Set(list.tokens.map((token) => token.symbol)).size).toBe(list.tokens.length);
  });
});
