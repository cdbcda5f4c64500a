import { readFileSync } from "node:fs";
import { z } from "zod";
import { messageOf } from "../../domain/message-of.ts";
import { OWN_NAMES } from "../../domain/source.ts";
import type { ListedVenue } from "../../market/venue-record.ts";
import { address, wholeBigInt } from "../../market/venue-record.ts";
import type { ChainRecord } from "./chain-record.ts";

/** Kinds of venues, one at least. */
export type Venues = readonly [ListedVenue, ...ListedVenue[]];

/** Records of these venues. The API takes names of sources in any letter case. */
const listOf = ([first, ...others]: Venues) =>
  z
    .array(z.discriminatedUnion("protocol", [first.record, ...others.map(({ record }) => record)]))
    .min(1)
    .superRefine((all, context) => {
      const taken = new Set(OWN_NAMES);
      for (const [index, { source }] of all.entries()) {
        const name = source.toLowerCase();
        const message = `${source} is the name of another source already: choose another`;
        if (taken.has(name)) context.addIssue({ code: "custom", path: [index, "source"], message });
        taken.add(name);
      }
    });

/** A chain with such venues. */
const recordOf = (venues: Venues) =>
  z.strictObject({
    chainId: z.int().positive().max(0xffff_ffff, { error: "must fit into 32 bits: answers carry it as a JSON number" }),
    name: z.string().min(1),
    native: z.strictObject({ symbol: z.string().min(1), name: z.string().min(1) }),
    wrappedNative: address,
    multicall3: address,
    blockTimeMs: z.int().nonnegative(),
    finalityDepth: z.int().positive(),
    venues: listOf(venues),
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

/** The commonest slips in the reader's words. */
function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `has no field ${issue.keys.join(", ")}`;
  if (issue.code === "invalid_type")
    return issue.input === undefined ? `is missing: give the ${issue.expected}` : `must be of type ${issue.expected}`;
  if (issue.code === "invalid_union" && "options" in issue) return `must be one of ${issue.options?.join(", ")}`;
  return issue.message;
}

/**
 * Reads a chain's record from a JSON file: the fields of ChainRecord, blocks and fees as numbers. `provenance` may say
 * of each address where it was found; it is for people. `venues`: the kinds that it may list.
 * @throws Error that names the file and every field that is wrong.
 */
export function readChainFile(path: string, venues: Venues): ChainRecord {
  const result = recordOf(venues).safeParse(readJson(path), { reportInput: true });
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `${issue.path.join(".") || "the record"}: ${faultOf(issue)}`);
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
