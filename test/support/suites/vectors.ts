import { existsSync, readdirSync, readFileSync } from "node:fs";

/** One record of `../shared/data/vectors`: what another team's tests assert. Its README says what the fields are. */
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

const folder = new URL("../../../../shared/data/vectors/", import.meta.url);

/** The records of a family, or undefined where the folder is absent, as in a user's clone. */
export function vectorsOf(family: string): readonly VectorRecord[] | undefined {
  const file = new URL(`${family}.json`, folder);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as readonly VectorRecord[]) : undefined;
}

/** The families that there are, or undefined where the folder is absent. */
export function familiesOfVectors(): readonly string[] | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder).map((file) => file.replace(/\.json$/, ""));
}
