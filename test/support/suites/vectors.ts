import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { isRejection, type PoolQuote, type Rejection } from "../../../src/pools/pool-math.ts";

/** One record of another team's vectors: what its tests assert. The README of the folder says what the fields are. */
export interface VectorRecord {
  readonly dex: string;
  readonly source: { readonly path: string; readonly test: string };
  readonly pool: unknown;
  readonly swaps: readonly VectorSwap[];
  /** Other pools that this one stands on. */
  readonly ctorArgs?: unknown;
}

export interface VectorSwap {
  readonly kind: "exactIn" | "exactOut";
  readonly tokenIn: string;
  readonly tokenOut: string;
  readonly amountIn?: string;
  readonly amountOut?: string;
  readonly fee?: string;
  readonly error?: string;
  readonly after?: readonly VectorSwap[];
}

/** The folder of vectors that `npm run test:foreign` was given. @throws Error without one. */
function folder(): string {
  const data = process.env.FOREIGN_DATA;
  if (data === undefined) throw new Error("run this with `npm run test:foreign -- FOLDER`");
  return join(data, "vectors");
}

/** The records of a family. Whole numbers that a double does not hold are texts. */
export function vectorsOf(family: string): readonly VectorRecord[] {
  return JSON.parse(readFileSync(join(folder(), `${family}.json`), "utf8"), exactly) as readonly VectorRecord[];
}

function exactly(_key: string, value: unknown, { source = "" }: { readonly source?: string } = {}): unknown {
  return typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER ? source : value;
}

/** Holds a quote of an exact input against what a swap of the vectors brought, or that it failed; tells which of both it was. */
export function expectAsTold(
  quote: PoolQuote<unknown> | Rejection,
  { amountOut, error }: VectorSwap,
  where: string,
): "equal" | "refused" {
  if (error !== undefined) {
    expect(isRejection(quote), where).toBe(true);
    return "refused";
  }
  expect(isRejection(quote) ? quote.rejected : quote.amount, where).toBe(BigInt(amountOut as string));
  return "equal";
}

/** The families that there are. */
export function familiesOfVectors(): readonly string[] {
  return readdirSync(folder()).map((file) => file.replace(/\.json$/, ""));
}
