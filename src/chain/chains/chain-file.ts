import { readFileSync } from "node:fs";
import { z } from "zod";
import { isAddressText, toAddress } from "../../domain/address.ts";
import { messageOf } from "../../domain/message-of.ts";
import { OWN_NAMES } from "../../domain/source.ts";
import type { ChainRecord } from "./chain-record.ts";

const address = z
  .string()
  .refine(isAddressText, { error: "must be an address: 0x and 40 hex digits" })
  .transform((text) => toAddress(text));
const whole = z.int().nonnegative();
const wholeBigInt = whole.transform(BigInt);

const venue = z.discriminatedUnion("protocol", [
  z.strictObject({
    protocol: z.literal("uniswap-v2"),
    source: z.string().regex(/^\w+$/),
    factory: address,
    feeNum: wholeBigInt,
    feeDen: wholeBigInt,
    fromBlock: wholeBigInt,
  }),
  z.strictObject({
    protocol: z.enum(["uniswap-v3", "pancakeswap-v3", "uniswap-v4", "algebra", "slipstream"]),
    source: z.string().regex(/^\w+$/),
    factory: address,
    fromBlock: wholeBigInt,
  }),
  z.strictObject({
    protocol: z.literal("curve-stableswap"),
    source: z.string().regex(/^\w+$/),
    pools: z.array(
      z
        .strictObject({
          ...{ address, coins: z.array(address).min(2).max(8), generation: z.enum(["old", "ng"]) },
          ...{ basePool: address.optional(), share: address.optional() },
        })
        .transform(({ basePool, share, ...pool }) => ({
          ...pool,
          ...(basePool && { basePool }),
          ...(share && { share }),
        })),
    ),
    fromBlock: wholeBigInt,
  }),
  z.strictObject({
    protocol: z.literal("balancer-v2"),
    source: z.string().regex(/^\w+$/),
    vault: address,
    factories: z
      .array(
        z.strictObject({
          factory: address,
          kind: z.enum(["weighted", "weighted-v1", "composable-stable", "meta-stable"]),
        }),
      )
      .min(1),
    fromBlock: wholeBigInt,
  }),
  z.strictObject({
    protocol: z.literal("curve-cryptoswap"),
    source: z.string().regex(/^\w+$/),
    pools: z.array(
      z
        .strictObject({
          ...{ address, coins: z.array(address).min(2).max(3), generation: z.enum(["first", "second"]).optional() },
        })
        .refine(({ coins, generation }) => generation === undefined || coins.length === 3, {
          error: "a pool before NG has three coins",
        })
        .transform(({ generation, ...pool }) => ({ ...pool, ...(generation && { generation }) })),
    ),
    fromBlock: wholeBigInt,
  }),
  z.strictObject({
    protocol: z.literal("balancer-v3"),
    source: z.string().regex(/^\w+$/),
    vault: address,
    factories: z.array(z.strictObject({ factory: address, kind: z.enum(["weighted", "stable"]) })).min(1),
    fromBlock: wholeBigInt,
  }),
  z.strictObject({
    protocol: z.literal("balancer-v3-buffers"),
    source: z.string().regex(/^\w+$/),
    vault: address,
    buffers: z.array(z.strictObject({ wrapped: address, asset: address, decimalsOffset: z.int().min(0).max(18) })),
    fromBlock: wholeBigInt,
  }),
  z.strictObject({
    protocol: z.literal("erc4626"),
    source: z.string().regex(/^\w+$/),
    vaults: z.array(z.strictObject({ vault: address, asset: address, decimalsOffset: z.int().min(0).max(18) })),
    fromBlock: wholeBigInt,
  }),
  z.strictObject({
    protocol: z.literal("rate-token"),
    source: z.string().regex(/^\w+$/),
    tokens: z.array(z.strictObject({ token: address, underlying: address, totals: address })),
    fromBlock: wholeBigInt,
  }),
  z.strictObject({
    protocol: z.literal("psm"),
    source: z.string().regex(/^\w+$/),
    modules: z.array(z.strictObject({ psm: address, dai: address, gem: address })),
    fromBlock: wholeBigInt,
  }),
  z.strictObject({
    protocol: z.literal("solidly"),
    source: z.string().regex(/^\w+$/),
    factory: address,
    fromBlock: wholeBigInt,
  }),
]);

/** The API takes names of sources in any letter case. */
const venues = z
  .array(venue)
  .min(1)
  .superRefine((all, context) => {
    const taken = new Set(OWN_NAMES);
    for (const [index, { source }] of all.entries()) {
      const name = source.toLowerCase();
      const message = `${source} is the name of another source already`;
      if (taken.has(name)) context.addIssue({ code: "custom", path: [index, "source"], message });
      taken.add(name);
    }
  });

const record = z.strictObject({
  chainId: z.int().positive().max(0xffff_ffff, { error: "must fit into 32 bits: answers carry it as a JSON number" }),
  name: z.string().min(1),
  native: z.strictObject({ symbol: z.string().min(1), name: z.string().min(1) }),
  wrappedNative: address,
  multicall3: address,
  blockTimeMs: whole,
  finalityDepth: z.int().positive(),
  venues,
  referenceTokens: z.array(address).optional(),
  allowedControllers: z.array(address).optional(),
  hopTokenMinDepth: z.int().positive().optional(),
  provenance: z.record(z.string(), z.string()).optional(),
  dataFee: z.strictObject({ kind: z.enum(["op-stack", "arbitrum"]), oracle: address }).optional(),
  mostTransactionGas: wholeBigInt.refine((gas) => gas > 0n, { error: "must be above zero" }).optional(),
  logsBloom: z.literal("unreliable").optional(),
  explorer: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ""))
    .optional(),
  usdToken: address.optional(),
});

/**
 * Reads a chain's record from a JSON file: the fields of ChainRecord, blocks and fees as numbers. `provenance` may say
 * of each address where it was found; it is for people.
 * @throws Error that names the file and every field that is wrong.
 */
export function readChainFile(path: string): ChainRecord {
  const result = record.safeParse(readJson(path));
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `${issue.path.join(".") || "the record"}: ${issue.message}`);
    throw new Error(`${path} is no chain record:\n${problems.join("\n")}`);
  }
  const { dataFee, logsBloom, mostTransactionGas, referenceTokens, allowedControllers, ...others } = result.data;
  const { hopTokenMinDepth, explorer, usdToken, provenance: _, ...rest } = others;
  return {
    ...rest,
    ...(dataFee && { dataFee }),
    ...(logsBloom && { logsBloom }),
    ...(mostTransactionGas && { mostTransactionGas }),
    ...(referenceTokens && { referenceTokens }),
    ...(allowedControllers && { allowedControllers }),
    ...(hopTokenMinDepth && { hopTokenMinDepth }),
    ...(explorer && { explorer }),
    ...(usdToken && { usdToken }),
  };
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`${path} cannot be read as JSON: ${messageOf(error)}`);
  }
}
