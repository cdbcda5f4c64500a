import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Found } from "../pools/found-pools.ts";

/** Tokens whose pools are asked for two by two, the first of the list. */
const MAX_LISTED = 120;

/** The pools of the listed tokens, asked of the factories, and those that were known before. */
export async function poolsOfListed(
  reader: ChainReader,
  sources: readonly LiquiditySource[],
  {
    tokens,
    at,
    known,
  }: { readonly tokens: readonly Address[]; readonly at: BlockRef; readonly known: readonly Found[] },
): Promise<readonly Found[]> {
  const listed = tokens.slice(0, MAX_LISTED);
  const found = new Map(known.map((entry) => [entry.ref.id, entry]));
  for (const source of sources) {
    const refs = [...(source.fixed?.() ?? []), ...((await source.between?.(reader, listed, at)) ?? [])];
    for (const ref of refs) found.set(ref.id, { ref, source });
  }
  return [...found.values()];
}
