import type { Address } from "../../domain/address.ts";

/** Every two of these tokens once, in the order that factories keep them in. */
export function pairsOf(tokens: readonly Address[]): readonly (readonly [Address, Address])[] {
  const sorted = [...new Set(tokens)].sort();
  return sorted.flatMap((first, index) => sorted.slice(index + 1).map((second) => [first, second] as const));
}
