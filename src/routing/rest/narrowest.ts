import { NOBODY, type SaidOfLinks, WIDER } from "./said-of-links.ts";
import type { SaidOverWays } from "./said-over-ways.ts";
import type { WidthBands } from "./width-bands.ts";

/** How wide the narrowest pool is that a bound follows from, in value; `by`: who says it. */
export function createNarrowest(
  { worthOf }: WidthBands,
  { sayer }: SaidOfLinks,
  { partsOf }: SaidOverWays,
): (by: number) => number {
  /** Bounds that have been looked at, each by the number of the look. */
  const seen = new Int32Array(sayer.length);
  let looks = 0;
  const open: number[] = [];
  return (by) => {
    if (by >= 0) return worthOf(by);
    if (by === NOBODY) return 0;
    looks++;
    let least = Number.POSITIVE_INFINITY;
    open.push(by);
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      if (one >= 0) least = Math.min(least, worthOf(one));
      else if (one !== WIDER)
        for (const place of partsOf(one)) {
          if (seen[place] === looks) continue;
          seen[place] = looks;
          open.push(sayer[place] as number);
        }
    }
    return least;
  };
}
