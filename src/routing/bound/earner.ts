import type { Search } from "../session/search.ts";

/** A slot that earns more than its gas at some prices. */
export interface Earner {
  readonly slot: number;
  readonly profit: number;
}

/** The tokens, of those that are `wanted`, at which pools earn more than `least` in bought units, those at which they earn most first. */
export function nodesThatEarn(
  { graph: { from, to } }: Search,
  earners: readonly Earner[],
  wanted: (node: number) => boolean,
  least: number,
): number[] {
  const sums = new Map<number, number>();
  for (const { slot, profit } of earners)
    for (const node of [from[slot] as number, to[slot] as number])
      if (wanted(node)) sums.set(node, (sums.get(node) ?? 0) + profit);
  return [...sums]
    .filter(([, sum]) => sum > least)
    .sort((a, b) => b[1] - a[1])
    .map(([node]) => node);
}
